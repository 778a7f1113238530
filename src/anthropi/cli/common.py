"""What all commands share: the app, errors in one line with exit code 2, tables, and how a figure is named."""

import contextlib
import io
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from anthropi import __version__
from anthropi.errors import AnthropiError, FormatError
from anthropi.figure.human import human
from anthropi.figure.samples import SAMPLES, sample
from anthropi.formats import FORMATS, Reading, read
from anthropi.formats.reading import rest_state

__all__ = ["By", "Named", "Root", "app", "named", "one_line", "reading", "table"]

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
                  help="Dynamics for articulated figures: people, robots, mechanisms.")  # fmt: skip

By = Annotated[str | None, typer.Option("--by", help="Who reads MJCF: anthropi (a subset) or mujoco (all of it).")]
Root = Annotated[str | None, typer.Option("--root", help="How a URDF's first link stands in the world: weld or free.")]
_ENDINGS = ", ".join(e for f in FORMATS for e in f.extensions)
Named = Annotated[
    str, typer.Argument(metavar="FIGURE", help=f"A file ({_ENDINGS}), 'human', or a sample: {', '.join(SAMPLES)}.")
]


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
def one_line():
    """What AnthroPI refuses, in one line."""
    try:
        yield
    except AnthropiError as error:
        typer.echo("anthropi: " + " ".join(str(error).split()), err=True)
        raise typer.Exit(2) from None


def reading(file: Path, by: str | None, root: str | None) -> Reading:
    """What a file holds."""
    options: dict[str, Any] = {name: value for name, value in (("by", by), ("root", root)) if value is not None}
    return read(file, **options)


def named(word: str, by: str | None = None, root: str | None = None) -> Reading:
    """A figure as people name it: a file, 'human', or a sample. A file of that name comes first."""
    if Path(word).exists() or (word != "human" and word not in SAMPLES):
        if not Path(word).exists() and not Path(word).suffix:
            raise FormatError(f"No file {word}, and no sample of that name. Samples: human, {', '.join(SAMPLES)}.")
        return reading(Path(word), by, root)
    figure = human() if word == "human" else sample(word)
    return Reading(figure, rest_state(figure))


def table(title: str, *columns: str) -> Table:
    """A table without lines; a column whose name starts with > stands to the right."""
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for name in columns:
        made.add_column(name.lstrip(">"), justify="right" if name.startswith(">") else "left", overflow="fold")
    return made
