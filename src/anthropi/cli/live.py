"""`anthropi live`: write a page in which a scene is simulated in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from anthropi.cli.common import Json, app, echo_json, one_line
from anthropi.cli.files import PAGES, Quiet, check_targets, say, written
from anthropi.contact.scene import Scene
from anthropi.formats import load
from anthropi.formats.pages.live_page import live_page
from anthropi.formats.scripts import read
from anthropi.simulation.simulation import Simulation

__all__ = ["live"]


@app.command()
def live(
    file: Annotated[Path, typer.Argument(help="A script (.toml), or a figure (.urdf, .xml).")],
    page: Annotated[Path, typer.Argument(help="The page to write (.html).")],
    dt: Annotated[
        float | None, typer.Option("--dt", help="Time step [s]; by default that of the script, or 1 ms.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Title of the page.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write a page in which a scene is simulated: drag and push it in any browser, without a server."""
    with one_line():
        check_targets(file, {"PAGE": (page, PAGES)})
        simulation, name = _simulation_of(file, dt)
        live_page(simulation, page, title=title or name)
        say(quiet or as_json)(f"wrote: {page}")
        if as_json:
            echo_json({"title": title or name, "files": written(page=page)})


def _simulation_of(file: Path, dt: float | None) -> tuple[Simulation, str]:
    """Return the simulation of a script or figure file, and its name."""
    if file.suffix.lower() == ".toml":
        script = read(file)
        return script.simulation(dt), script.name
    figure = load(file)
    simulation = Simulation(Scene(figure), dt=1e-3 if dt is None else dt)
    simulation.reset(figure.neutral())
    return simulation, figure.name
