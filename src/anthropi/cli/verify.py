"""`anthropi verify`: check the laws that a motion must obey."""

import typer
from rich.text import Text

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import File, Quiet, motion_in, say
from anthropi.simulation.verification import Verification
from anthropi.simulation.verification import verify as check

__all__ = ["verify"]

STYLES = {"holds": "green", "fails": "bold red", "not measured": "dim italic"}


@app.command()
def verify(file: File, quiet: Quiet = False, as_json: Json = False) -> None:
    """Check the laws that a motion must obey: momentum, contact, loops, limits, time and more."""
    with one_line():
        found = check(motion_in(file))
        report = say(quiet or as_json)
        report(_table(found))
        report(f"fails: {', '.join(found.failed)}" if found.failed else "All measured laws hold.")
        if as_json:
            echo_json(found.to_dict())
    if not found.holds:
        raise typer.Exit(1)


def _table(found: Verification):
    """Return the rows as a table."""
    shown = table(found.title, "law", "result", ">measured", ">tolerance", "unit", "where")
    for row in found.rows:
        law, result, *cells = row.cells()
        shown.add_row(Text(law), Text(result, style=STYLES[result]), *(Text(x) for x in cells))
    return shown
