"""`anthropi study`: run a study file on this machine or on a Dask cluster, and show and save its table."""

import contextlib
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from anthropi.cli.app import STOPPED
from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import Quiet, written
from anthropi.errors import InputError, Interrupted
from anthropi.formats.studies import StudyFile, read_study
from anthropi.study import Best, Table, dask_client, read_folder
from anthropi.study.journal import Journal

__all__ = ["study"]

MAX_FAILURES = 5  # failures that are listed


@app.command()
def study(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="A study file; with --status also the folder of a study.")
    ],
    workers: Annotated[
        int | None, typer.Option("--workers", help="Number of processes; by default one for each CPU.")
    ] = None,
    dask: Annotated[
        str | None, typer.Option("--dask", help="Address of a Dask scheduler, such as tcp://10.0.0.5:8786.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the table (.csv, .npz, .parquet).")] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Compute points that failed earlier again.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only show the progress of the study.")] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compute a function at many points, on this machine or on a cluster.

    A study goes on where an earlier run stopped. Exit code 1: some points failed.
    """
    quiet = quiet or as_json
    with one_line():
        if workers is not None and dask is not None:
            raise InputError("--workers and --dask are both given. Give one of them.")
        if file.is_dir() and not status:
            raise InputError(f"{file} is a folder. Give a study file, or --status to show the study in the folder.")
        given = None if file.is_dir() else read_study(file)
        out = out or (None if given is None else given.out)
        stopped = ""
        if given is None:
            found = read_folder(file)
        elif status:
            found = given.study.table()
        else:
            with contextlib.ExitStack() as stack:
                executor = None if dask is None else stack.enter_context(dask_client(dask))
                try:
                    found = _run(given, executor, workers, retry, quiet)
                except Interrupted as stop:
                    if stop.result is None:
                        raise
                    found, stopped = stop.result, str(stop)
        if out is not None:
            found.save(out)
        if as_json:
            echo_json(_data(_About.of(file, given), found, out))
        elif not quiet:
            _show(_About.of(file, given), found, out)
        if stopped:
            typer.echo(f"anthropi: {stopped}", err=True)
            raise typer.Exit(STOPPED)
        if found.failures:
            raise typer.Exit(1)


class _About(NamedTuple):
    """What is shown besides the table: the function, the folder, the best point, and workers with wrong results."""

    name: str
    folder: Path
    best: Best | None
    faults: tuple[tuple[str, str], ...]

    @staticmethod
    def of(file: Path, given: StudyFile | None) -> "_About":
        """Return it for a study file, or for a folder if the study file is None."""
        if given is not None:
            return _About(given.study.name.name, given.study.folder, given.study.best, given.study.faults())
        with Journal(file) as journal:
            name = journal.identity.get("function", "").rpartition(":")[2]
            return _About(name, file, None, tuple(journal.faults()))


def _run(given: StudyFile, executor: Any, workers: int | None, retry: bool, quiet: bool) -> Table:
    """Run a study with a progress bar."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[now]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    options = dict(given.options)
    if executor is not None:
        options.pop("memory_limit", None)
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("first chunk", total=None, now="")

        def show(progress: Any) -> None:
            total = None if given.study.search is not None else progress.total
            text = str(progress) if progress.rate > 0.0 else ""
            bar.update(task, description=given.study.name.name, total=total, completed=progress.done, now=text)

        return given.study.run(executor, workers=workers, retry=retry, progress=show, **options)


def _data(about: _About, found: Table, out: Path | None) -> dict[str, Any]:
    best = about.best
    return {
        "points": len(found),
        "done": int((found.status == "done").sum()),
        "missing": int((found.status == "missing").sum()),
        "failed": [f._asdict() for f in found.failures],
        "faults": [list(fault) for fault in about.faults],
        "best": None if best is None else best._asdict(),
        "digest": found.digest,
        "folder": str(about.folder),
        "files": written(out=out),
    }


def _show(about: _About, found: Table, out: Path | None) -> None:
    """Print the range of every result, the failures and the files."""
    console = Console(soft_wrap=True)
    done = int((found.status == "done").sum())
    made = table(f"{about.name}: {done:,} of {len(found):,} points done", "", ">min", ">mean", ">max")
    for name, x in found.results.items():
        values = x.reshape(len(x), -1)[found.status == "done"]
        if x.dtype.kind != "U" and values.size:
            made.add_row(name, *(f"{float(f(values)):.6g}" for f in (np.min, np.mean, np.max)))
    console.print(made)
    best = about.best
    if best is not None:
        shown = ", ".join(f"{name} {value:.6g}" for name, value in best.values.items())
        console.print(f"best: {best.value:.6g} at point {best.point}: {shown}", markup=False)
    for failure in found.failures[:MAX_FAILURES]:
        console.print(f"point {failure.point} failed ({failure.kind}): {failure.message}", markup=False)
    if len(found.failures) > MAX_FAILURES:
        console.print(f"and {len(found.failures) - MAX_FAILURES:,} more points failed", markup=False)
    for worker, message in about.faults:
        console.print(f"worker {worker} returned wrong results: {message}", markup=False)
    console.print(f"kept: {about.folder}", markup=False)
    if out is not None:
        console.print(f"wrote: {out}", markup=False)
