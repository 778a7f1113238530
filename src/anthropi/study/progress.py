"""Progress of a study as a line of text: on a terminal it is rewritten, in a notebook an output is updated."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from anthropi.errors import InputError
from anthropi.study.driver import Progress

__all__ = ["reporter"]

INTERVAL = 0.5  # [s] between two lines
DELAY = 2.0  # [s] before the first one


@contextlib.contextmanager
def reporter(progress: Callable[[Progress], Any] | str | None) -> Iterator[Callable[[Progress], Any]]:
    """Yield a function to report progress to: none, the caller's own, or one that writes a line."""
    if progress is None:
        yield lambda _: None
    elif callable(progress):
        yield progress
    elif progress == "text":
        with _line() as write:
            yield write
    else:
        raise InputError(f"progress={progress!r}: give 'text', None, or a function that takes a Progress.")


@contextlib.contextmanager
def _line() -> Iterator[Callable[[Progress], Any]]:
    start, last, shown = time.monotonic(), 0.0, False
    show = _notebook() or _terminal()

    def write(progress: Progress) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if show is not None and now - start > DELAY and now - last > INTERVAL:
            last, shown = now, True
            show(str(progress))

    try:
        yield write
    finally:
        if shown and show is not None:
            show("")


def _terminal() -> Callable[[str], Any] | None:
    """Return a function that rewrites the last line of the terminal; None if there is no terminal."""
    if not sys.stderr.isatty():
        return None
    return lambda text: print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _notebook() -> Callable[[str], Any] | None:
    """Return a function that updates one output of a Jupyter notebook; None elsewhere."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython.display import display  # type: ignore[import-not-found]

    handle = display({"text/plain": ""}, raw=True, display_id=True)
    return lambda text: handle.update({"text/plain": text}, raw=True)
