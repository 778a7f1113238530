"""The command `studio`: figures seen, touched and shared in a browser, on this machine only."""

from pathlib import Path
from typing import Annotated

import typer

from anthropi.cli.common import app, one_line

__all__ = ["studio"]


@app.command()
def studio(
    file: Annotated[
        Path | None, typer.Argument(help="What to open: a project, figure, script or motion. A walking human if none.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, open nothing.")] = False,
    port: Annotated[int, typer.Option("--port", help="The port; a free one if 0.", min=0, max=65535)] = 0,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where it reads and writes; the file's folder, or this one.")
    ] = None,
) -> None:
    """Open the studio in a browser: see a figure, touch it, make it move, share it."""
    from anthropi.studio.serve import serve  # the server is loaded only when it is wanted

    with one_line():
        serve(file, folder, port, not no_browser, lambda words: typer.echo(words))
