"""`anthropi bench`: measure the dynamics kernels on a figure (other libraries: benchmarks/dynamics_vs_peers.py)."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from anthropi import __version__
from anthropi.cli.common import By, Named, Root, app, named, one_line, table
from anthropi.cli.measure import Report, measure

__all__ = ["bench"]


@app.command()
def bench(
    name: Named = "bench42",
    rounds: Annotated[int, typer.Option(min=1, help="Number of rounds; the fastest one is reported.")] = 15,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON [s] and nothing else.")] = False,
    by: By = None,
    root: Root = None,
) -> None:
    """Measure the dynamics kernels on a figure, on one core."""
    with one_line():
        figure = named(name, by, root).figure
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        screen = Console(stderr=True)
        with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
            task = progress.add_task("starting", total=None)
            report = measure(
                figure,
                rounds=rounds,
                progress=lambda words, done, of: progress.update(task, description=words, completed=done, total=of),
            )
        if as_json:
            typer.echo(json.dumps({"anthropi": __version__, **report.data()}, indent=2, ensure_ascii=False))
            return
        console = Console(soft_wrap=False)
        versions = ", ".join(f"{peer} {version}" for peer, version in report.peers.items()) or "no peers"
        console.print(
            Text(
                f"{report.figure}: {report.nu} degrees of freedom, float64, one core; "
                f"anthropi {__version__}, {versions}"
            )
        )
        console.print(Text(report.machine, style="dim"))
        console.print(_table(report))
        words = (
            "×: time of the peer divided by the time of AnthroPI. × its call: time of one call of the peer divided by "
            "the time of AnthroPI. Batches run on one thread."
        )
        console.print(Text(words, style="dim"))
        for note in report.notes:
            console.print(Text(note, style="yellow"))


def _table(report: Report) -> Table:
    shown = table("Time for one evaluation [µs]", "", ">ours", ">peer", ">×", ">× its call", ">difference")
    for row in report.rows:
        shown.add_row(Text(f"{row.subject}: {row.title}", style="bold"))
        shown.add_row(Text(f"  {row.operations:,} operations, {row.peer or 'no peer'}", style="dim"))
        apart = "" if row.difference is None else f"{row.difference:.0e}"
        shown.add_row("  one bound call", _micro(row.one), _micro(row.peer_one), _times(row.ratio), "", apart)
        shown.add_row(
            f"  in batches of {row.batch}",
            _micro(row.many),
            _micro(row.peer_many),
            _times(row.own_batch_ratio),
            _times(row.batch_ratio),
        )
    return shown


def _micro(seconds: float | None) -> str:
    return "" if seconds is None else f"{1e6 * seconds:.3f}"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.1f}"
