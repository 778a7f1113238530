"""The tables of `anthropi info --cost`."""

from rich.table import Table
from rich.text import Text

from anthropi.bench.cost import Counts, costs, literature, manipulator
from anthropi.cli.common import table
from anthropi.figure import Figure

__all__ = ["cost_tables"]

SIZES = (6, 12)  # joints, of the arms in Table 5.1
METHODS = {"direct dynamics": "the 1983 method (Table 5.1)", "inverse dynamics": "Li (Table 3.1)"}


def cost_tables(figure: Figure) -> list[Table]:
    """Operations of the algorithms for this figure, and of the dynamics for standard arms, beside the literature."""
    head = (">multiplications", ">additions", ">divisions", ">rest", ">total")
    own = table(f"Operations for {figure.name}{', its loops open' if figure.loops else ''}", "algorithm", *head)
    for name, counts in costs(figure).items():
        own.add_row(Text(name), *_numbers(counts))
        if name in METHODS and figure.nu:
            words = f"  {METHODS[name]}, n = {figure.nu}"
            own.add_row(Text(words, style="dim"), *_numbers(literature(figure.nu)[name]), style="dim")
    arms = table("Operations for arms of n hinges", "algorithm", ">n", *head)
    for name, method in METHODS.items():
        for n in SIZES:
            for words, square in (("twists of 90°", True), ("any twist", False)):
                arms.add_row(f"{name}, {words}", str(n), *_numbers(costs(manipulator(n, square))[name]))
            arms.add_row(Text(f"  {method}", style="dim"), str(n), *_numbers(literature(n)[name]), style="dim")
    return [own, arms]


def _numbers(counts: Counts) -> list[str]:
    return [f"{n:,}" if n else "" for n in (*counts, counts.total)]
