"""Study files: the function, the points and the settings of a study in TOML (docs/study.md has the format).

A study file names code to run. Read only files that you trust as much as a program.
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from anthropi import study
from anthropi.errors import AnthropiError, FormatError, InputError, did_you_mean
from anthropi.formats.figures.toml.reader import load_toml, read_words
from anthropi.study.function import FunctionName, imported
from anthropi.study.study import Study

__all__ = ["StudyFile", "read_study", "study_paths"]

SAMPLES: dict[str, Callable[..., study.Points]] = {
    "uniform": study.uniform,
    "normal": study.normal,
    "latin_hypercube": study.latin_hypercube,
    "sobol": study.sobol,
}
KINDS = ("grid", *SAMPLES, "table", "search")
SPACED = {"from", "to", "count"}  # keys of evenly spaced values
SEE = "See docs/study.md for the format."


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Search(_Table):
    minimise: str = "value"
    sigma: float = 0.3
    population: int | None = None
    generations: int = 100
    starts: int = 1
    seed: int = 0
    bounds: dict[str, list[float]]
    start: dict[str, float] | None = None


class _Run(_Table):
    chunk_seconds: float = 1.0
    recheck: float = 0.0
    time_limit: float | None = None
    memory_limit: float | None = Field(default=None, description="bytes")


class _Document(_Table):
    function: str
    folder: str
    batch: int | None = None
    seed: int = 0
    constants: dict[str, Any] = {}
    grid: dict[str, Any] | None = None
    uniform: dict[str, Any] | None = None
    normal: dict[str, Any] | None = None
    latin_hypercube: dict[str, Any] | None = None
    sobol: dict[str, Any] | None = None
    table: str | None = None
    search: _Search | None = None
    run: _Run = _Run()
    out: str | None = None


class StudyFile:
    """A study from a file, the options of its run, and the file for its table (None: no file)."""

    study: Study
    options: dict[str, Any]
    out: Path | None

    def __init__(self, made: Study, options: dict[str, Any], out: Path | None) -> None:
        self.study, self.options, self.out = made, options, out


def study_paths(path: str | Path) -> tuple[str, str]:
    """Return the folder that a study file names, and the file of its function ("" for a module). No code is run."""
    path = Path(path)
    raw = load_toml(read_words(path), path.name)
    function, folder = raw.get("function"), raw.get("folder")
    if not (isinstance(function, str) and isinstance(folder, str)):
        lacking = "folder" if isinstance(function, str) else "function"
        raise FormatError(f"{path.name} is not a study file: the key '{lacking}' is missing. {SEE}")
    where = function.rpartition(":")[0]
    return folder, where if where.endswith(".py") else ""


def read_study(path: str | Path) -> StudyFile:
    """Read a study file. Paths in it are relative to its folder; the function is imported."""
    path = Path(path)
    name, folder = path.name, path.resolve().parent
    raw = load_toml(read_words(path), name)
    try:
        found = _Document.model_validate(raw)
    except ValidationError as error:
        raise FormatError(_explained(error, name)) from None
    try:
        made = Study(
            _function(found.function, folder),
            _points(found, folder),
            folder / found.folder,
            batch=found.batch,
            constants=found.constants,
            seed=found.seed,
        )
    except AnthropiError as error:
        raise FormatError(f"{name}: {error}") from None
    options = {key: value for key, value in found.run.model_dump().items() if value is not None}
    return StudyFile(made, options, None if found.out is None else folder / found.out)


def _function(word: str, folder: Path) -> Callable[..., Any]:
    """Import the function "module:name" or "file.py:name"."""
    where, colon, name = word.rpartition(":")
    if not (colon and where and name):
        raise InputError(f"function = '{word}'. Give 'module:function' or 'file.py:function'.")
    if where.endswith(".py"):
        at = FunctionName("", name, str((folder / where).resolve()))
    else:
        at = FunctionName(where, name, "", (str(folder),))
    try:
        return imported(at)
    except InputError as error:
        cause = error.__cause__
        names = dir(_module(at)) if isinstance(cause, AttributeError) else []
        why = (
            f"the module has no '{name}'.{did_you_mean(name, names)}" if names else f"{type(cause).__name__}: {cause}."
        )
        raise InputError(
            f"function = '{word}' cannot be imported: {why} AnthroPI searches {folder} and the Python path (sys.path)."
        ) from None


def _module(at: FunctionName) -> Any:
    return importlib.import_module(imported(at._replace(name="__name__")))  # type: ignore[arg-type]


def _points(found: _Document, folder: Path) -> Any:
    """Return the points or the search: exactly one of the tables of points must be given."""
    given = [kind for kind in KINDS if getattr(found, kind) is not None]
    if len(given) != 1:
        what = "no points" if not given else f"points of several kinds: {', '.join(given)}"
        raise InputError(f"The file has {what}. Give exactly one of: {', '.join(KINDS)}.")
    kind = given[0]
    table = getattr(found, kind)
    if kind == "search":
        options = table.model_dump(exclude={"bounds"})
        return study.CmaEs(table.bounds, **options)
    if kind == "table":
        return study.table(folder / table)
    if kind == "grid":
        return study.grid(**{name: _values(name, x) for name, x in table.items()})
    count, seed = table.pop("count", None), table.pop("seed", 0)
    if count is None:
        raise InputError(f"[{kind}] needs the key 'count', the number of samples. Add it.")
    return SAMPLES[kind](count, seed, **{n: tuple(x) if isinstance(x, list) else x for n, x in table.items()})


def _values(name: str, given: Any) -> Any:
    """Return the values of an axis: a list, a single value, or {from, to, count} for evenly spaced ones."""
    if isinstance(given, dict):
        if set(given) != SPACED:
            raise InputError(f"Axis '{name}' has the keys {', '.join(given)}. Give from, to and count, or a list.")
        return np.linspace(float(given["from"]), float(given["to"]), int(given["count"])).tolist()
    return given if isinstance(given, list) else [given]


def _explained(error: ValidationError, name: str) -> str:
    """Return a message for the first validation error."""
    first = next(iter(e for e in error.errors() if e["type"] == "extra_forbidden"), error.errors()[0])
    *path, last = (str(step) for step in first["loc"])
    tables: dict[str, type[_Table]] = {"search": _Search, "run": _Run}
    keys = tables.get(".".join(path), _Document).model_fields
    said = {"missing": "is missing. Add it", "extra_forbidden": f"no such key.{did_you_mean(last, keys)} Keys: "
            f"{', '.join(keys)}"}.get(first["type"], first["msg"])  # fmt: skip
    return f"{name}: {' '.join([*path, last])}: {said}. {SEE}"
