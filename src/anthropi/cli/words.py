"""`anthropi walk --explain "…"`: what words set, printed. Mounted by the command `walk`."""

import typer

from anthropi.cli.common import one_line
from anthropi.gait.words import explain, read_script

__all__ = ["explain_words"]


def explain_words(words: str) -> None:
    """Print the parameters that a word, a script or a script's file (.txt) sets. "words" lists all words."""
    with one_line():
        told = words.strip()
        typer.echo(explain(read_script(told) if told.lower().endswith(".txt") else told))
