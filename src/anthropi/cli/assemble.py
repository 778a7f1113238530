"""`anthropi assemble`: place the bodies of an assembly.toml so that its constraints hold."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.constraints.assembly import Solved
from anthropi.constraints.assembly.assembly import bodies_of
from anthropi.errors import AnthropiError, FileError
from anthropi.formats.figures.assembly import TYPES, read, write
from anthropi.pictures.assembly import before_and_after

__all__ = ["assemble"]

NAMES = {kind.make: name.replace("_", " ") for name, kind in TYPES.items()}


@app.command()
def assemble(
    file: Annotated[Path, typer.Argument(help="Assembly to solve, an assembly.toml file.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the assembly with the bodies in place (.toml).")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the assembly before and after (.png, .svg, .pdf).")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="levenberg (from any start) or newton (from a start near the solution).")
    ] = "levenberg",
    view: Annotated[
        str, typer.Option("--view", help="View of the plot: front, side, back, three-quarter or top.")
    ] = "three-quarter",
    as_json: Json = False,
) -> None:
    """Place the bodies of an assembly so that its constraints hold; list what stays free."""
    with one_line():
        if out is not None and out.exists() and file.exists() and out.samefile(file):
            raise FileError(f"{out} is the input file. Choose another name for the output.")
        solved = read(file).solve(method=method)
        console = Console(soft_wrap=False, quiet=as_json)
        assembly = solved.assembly
        fixed = sum(b.fixed for b in assembly.bodies)
        console.print(
            Text(
                f"{assembly.name}: {len(assembly.bodies)} bodies, {fixed} of them fixed, "
                f"{len(assembly.constraints)} constraints; {solved.attempts} attempts, "
                f"{solved.evaluations} evaluations"
            )
        )
        console.print(_constraints(solved))
        console.print(_bodies(solved))
        removed = sum(solved.adds.values())
        console.print(Text(f"{removed + solved.freedom} degrees of freedom, {removed} removed, {solved.freedom} left"))
        for line in solved.explain().splitlines()[1:]:
            console.print(Text(line))
        if out is not None:
            write(solved, out)
            console.print(Text(f"wrote: {out}"))
        if plot is not None:
            _draw(solved, view, plot)
            console.print(Text(f"drawn: {plot}"))
        if as_json:
            echo_json(
                {
                    "assembly": assembly.name,
                    "free": solved.freedom,
                    "removed": removed,
                    "constraints": {
                        name: {"residual": value, "unit": unit, "removes": solved.adds[name]}
                        for name, (value, unit) in solved.residuals.items()
                    },
                    "places": {body.name: x for body, x in zip(assembly.bodies, solved.x, strict=True)},
                    "notes": solved.explain().splitlines()[1:],
                    "files": {k: str(p) for k, p in (("out", out), ("plot", plot)) if p},
                }
            )


def _constraints(solved: Solved) -> Table:
    shown = table("Constraints", "constraint", "type", "between", ">equations", ">removes", ">residual", "")
    repeats = {
        r.name: "repeats others" if r.repeats == r.of else f"{r.repeats} repeat others" for r in solved.redundant
    }
    for c in solved.assembly.constraints:
        bodies = bodies_of(c)
        bodies = bodies if len(bodies) > 1 else [*bodies, "the world"]
        value, unit = solved.residuals[c.name]
        row = [
            c.name,
            NAMES.get(type(c), type(c).__name__.lower()),
            ", ".join(bodies),
            str(c.removes),
            str(solved.adds[c.name]),
            f"{value:.0e} {unit}",
            repeats.get(c.name, ""),
        ]
        shown.add_row(*map(Text, row))
    return shown


def _bodies(solved: Solved) -> Table:
    shown = table("Places", "body", ">x m", ">y m", ">z m", ">qw", ">qx", ">qy", ">qz")
    for body, x in zip(solved.assembly.bodies, solved.x, strict=True):
        shown.add_row(Text(body.name), *(f"{v + 0.0:.6f}" for v in x))
    return shown


def _draw(solved: Solved, view: str, plot: Path) -> None:
    try:
        before_and_after(solved, view=view, file=plot)
    except (OSError, ValueError) as error:
        if isinstance(error, AnthropiError):
            raise
        raise FileError(f"{plot} cannot be drawn: {error}.") from None
