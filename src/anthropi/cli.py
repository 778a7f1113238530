"""The command `anthropi`: look at figures in files, and convert them. Errors are one line, exit code 2."""

import contextlib
import io
import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anthropi import __version__
from anthropi.errors import AnthropiError, FormatError
from anthropi.formats import FORMATS, Reading, read, write

__all__ = ["app"]

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
                  help="Dynamics for articulated figures: people, robots, mechanisms.")  # fmt: skip

By = Annotated[str | None, typer.Option("--by", help="Who reads MJCF: anthropi (a subset) or mujoco (all of it).")]
Root = Annotated[str | None, typer.Option("--root", help="How a URDF's first link stands in the world: weld or free.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"anthropi {__version__}")
        raise typer.Exit()


@app.callback()
def main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which.")] = False,
) -> None:
    """Dynamics for articulated figures: people, robots, mechanisms."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that does not know ² shows ? rather than nothing


@contextlib.contextmanager
def _one_line():
    """What AnthroPI refuses, in one line."""
    try:
        yield
    except AnthropiError as error:
        typer.echo("anthropi: " + " ".join(str(error).split()), err=True)
        raise typer.Exit(2) from None


def _read(file: Path, by: str | None, root: str | None) -> Reading:
    options: dict[str, Any] = {name: value for name, value in (("by", by), ("root", root)) if value is not None}
    return read(file, **options)


@app.command()
def info(
    file: Annotated[Path, typer.Argument(help=f"A figure: {', '.join(e for f in FORMATS for e in f.extensions)}.")],
    connectivity: Annotated[bool, typer.Option("--connectivity", help="Show which links each joint connects.")] = False,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw the figure into this file (.png, .svg).")
    ] = None,
    by: By = None,
    root: Root = None,
) -> None:
    """Show what a figure is made of."""
    with _one_line():
        found = _read(file, by, root)
        console = Console(soft_wrap=False)
        figure = found.figure
        console.print(Text(f"{figure.name}: {figure.n} links, {figure.nu} degrees of freedom (nq = {figure.nq}), "
                           f"{float(figure.mass):.6g} kg, gravity {_vector(figure.gravity)} m/s²"))  # fmt: skip
        console.print(_links(figure))
        if figure.nu:
            console.print(_dofs(figure))
        if figure.markers or figure.loops:
            names = ", ".join(m.name for m in (*figure.markers, *figure.loops))
            console.print(Text(f"{len(figure.markers)} markers, {len(figure.loops)} loops: {names}"))
        if connectivity:
            console.print(_connectivity(figure))
        for note in found.notes:
            console.print(Text(f"left out: {note}", style="yellow" if note.matters else "dim"))
        if picture is not None:
            _draw(found, picture)
            console.print(Text(f"drawn: {picture}"))


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="The file to read.")],
    target: Annotated[Path, typer.Argument(help="The file to write; its ending says the format.")],
    by: By = None,
    root: Root = None,
) -> None:
    """Read a figure in one format and write it in another, with the state it starts in."""
    with _one_line():
        if target.exists() and target.samefile(source):
            raise FormatError(f"{target} is the file to read. Give the new one a name of its own.")
        found = _read(source, by, root)
        notes = write(found.figure, target, found.state)
        console = Console(soft_wrap=True)
        for words, several in (("left out on reading", found.notes), ("left out on writing", notes)):
            for note in several:
                console.print(Text(f"{words}: {note}", style="yellow" if note.matters else "dim"))
        console.print(Text(f"wrote {target}: {found.figure.n} links, {found.figure.nu} degrees of freedom"))


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for name in columns:
        table.add_column(name.lstrip(">"), justify="right" if name.startswith(">") else "left", overflow="fold")
    return table


def _links(figure) -> Table:
    table = _table("Links", ">#", "link", "hangs on", "by joint", "type", ">dof", ">mass kg")
    for i, (link, joint, p) in enumerate(zip(figure.links, figure.joints, figure.parent, strict=True)):
        above = "the world" if p < 0 else figure.links[p].name
        row = [str(i), link.name, above, joint.name, joint.kind, str(joint.nu), f"{float(link.mass):.5g}"]
        table.add_row(*map(Text, row))
    return table


def _dofs(figure) -> Table:
    table = _table(
        "Degrees of freedom (rad or m)", ">#", "dof", ">lower", ">upper", ">stiffness", ">damping", ">armature"
    )
    joints = [(j, k) for j in figure.joints for k in range(j.nu)]
    for n, (name, (joint, k)) in enumerate(zip(figure.dofs, joints, strict=True)):
        bounds = ["" if np.isinf(v) else f"{float(v):.4g}" for v in (joint.lower[k], joint.upper[k])]
        acting = [f"{float(v):.4g}" if v else "" for v in (joint.stiffness[k], joint.damping[k], joint.armature[k])]
        table.add_row(*map(Text, [str(n), name, *bounds, *acting]))
    return table


def _connectivity(figure) -> Table:
    """Joints × links (thesis 8.3); a column is a link's number."""
    table = _table("Connectivity (joints × links)", "joint", *(str(i) for i in range(figure.n)))
    for joint, row in zip(figure.joints, figure.connectivity(), strict=True):
        table.add_row(Text(joint.name), *("x" if connected else "·" for connected in row))
    return table


def _vector(values) -> str:
    return "(" + ", ".join(f"{float(v):.4g}" for v in values) + ")"


def _draw(found: Reading, picture: Path) -> None:
    """The figure in the state its file starts it in, into a file."""
    with contextlib.suppress(ImportError):  # where matplotlib is missing, drawing says so itself
        import matplotlib

        matplotlib.use("Agg")
    axes = found.figure.draw(found.state.q)
    try:
        axes.figure.savefig(picture)
    except (OSError, ValueError) as error:
        raise FormatError(f"{picture} cannot be drawn: {error}.") from None
