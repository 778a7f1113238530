"""Helpers of all subcommands: figure arguments, tables, JSON output."""

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from anthropi.cli.app import app, one_line
from anthropi.errors import FileError
from anthropi.figure.human.build import human
from anthropi.figure.samples import SAMPLES, sample
from anthropi.formats import Reading, read
from anthropi.formats.figures.common import rest_state
from anthropi.formats.registry import extensions

__all__ = [
    "By",
    "Folders",
    "Json",
    "Named",
    "Root",
    "Strict",
    "app",
    "echo_json",
    "named",
    "one_line",
    "reading",
    "table",
]  # fmt: skip

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
By = Annotated[
    str | None, typer.Option("--by", help="Reader of MJCF files: anthropi (a subset) or mujoco (all of it).")
]
Root = Annotated[
    str | None, typer.Option("--root", help="Joint between the world and the first link of a URDF file: weld or free.")
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Refuse URDF files with unknown elements or with inertias that no body can have."),
]
Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--folders",
        help="Further folder of meshes and packages of a URDF file; may be repeated. ROS_PACKAGE_PATH is searched too.",
    ),
]
_ENDINGS = ", ".join(extensions("figure", "read"))
Named = Annotated[
    str, typer.Argument(metavar="FIGURE", help=f"A file ({_ENDINGS}), 'human', or a sample: {', '.join(SAMPLES)}.")
]


def reading(
    file: Path, by: str | None, root: str | None, strict: bool = False, folders: list[Path] | None = None
) -> Reading:
    """Read the figure in a file."""
    given: dict[str, Any] = {"by": by, "root": root, "strict": strict or None, "folders": folders or None}
    return read(file, **{name: value for name, value in given.items() if value is not None})


def named(
    word: str,
    by: str | None = None,
    root: str | None = None,
    strict: bool = False,
    folders: list[Path] | None = None,
) -> Reading:
    """Read or build a figure by name: a file, 'human', or a sample. A file takes precedence over a sample."""
    if Path(word).exists() or (word != "human" and word not in SAMPLES):
        if not Path(word).exists() and not Path(word).suffix:
            raise FileError(f"There is no file or sample '{word}'. Samples: human, {', '.join(SAMPLES)}.")
        return reading(Path(word), by, root, strict, folders)
    figure = human() if word == "human" else sample(word)
    return Reading(figure, rest_state(figure))


def table(title: str, *columns: str) -> Table:
    """Make a table without lines. A column is aligned to the right if its name starts with >."""
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for name in columns:
        made.add_column(name.lstrip(">"), justify="right" if name.startswith(">") else "left", overflow="fold")
    return made


def echo_json(data: Any) -> None:
    """Print data as JSON. Numbers that are not finite are printed as null."""
    typer.echo(json.dumps(_plain(data), indent=1, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(x) for key, x in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
