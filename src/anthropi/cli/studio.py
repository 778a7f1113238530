"""`anthropi studio`: serve the studio to a browser on this computer."""

from pathlib import Path
from typing import Annotated

import typer

from anthropi.cli.common import app, one_line

__all__ = ["studio"]


@app.command()
def studio(
    file: Annotated[
        Path | None, typer.Argument(help="Project, figure, script or motion to open; a walking human by default.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address instead of opening a browser.")
    ] = False,
    port: Annotated[int, typer.Option("--port", help="Port; 0 for any free one.", min=0, max=65535)] = 0,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", help="Workspace folder; by default the folder of the file, or the current folder."),
    ] = None,
) -> None:
    """Open the studio in a browser: edit figures, simulate, play motions, export."""
    from anthropi.studio.serve import serve  # imported late: the server is slow to import

    with one_line():
        serve(file, folder, port, not no_browser, lambda words: typer.echo(words))
