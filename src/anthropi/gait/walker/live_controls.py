"""Controls of a walker in a live page: command, speeds, styles and falls."""

from typing import Any

import numpy as np

from anthropi.formats.pages.live_page import LiveControls
from anthropi.gait.falls import FallDetector
from anthropi.gait.walker.command import Command
from anthropi.gait.walker.parameters import load_walker, size_of

__all__ = ["walker_controls"]

SETS = ("natural", "run", "rough")
MAX_SLOPE = 0.08  # of the slider, if the parameter set has no limit


def walker_controls(problem: Any, parameters: dict[str, Any]) -> LiveControls:
    """Return the controls of a walker in a live page.

    They are those of the shipped set that has its parameters, or else of "natural". The styles are changes of the set
    "natural", so only a walker with this set, in any style ("very tired"), offers them. Its own style is the first.
    """
    name = next((own for own in SETS if _same(load_walker(own).parameters, parameters)), None)
    file = load_walker(name or "natural")
    styles = _styles(file, parameters) if name in (None, "natural") else {}
    factor = float(size_of(problem.figure).time)
    low, high = file.limits.speed or (file.speed, file.speed)
    detector = FallDetector(problem.scene)

    def fallen(now: Any, q: Any) -> Any:
        return detector.mask(q, now.scene.ground)

    return LiveControls(
        command=Command(go=True, speed=factor * min(max(file.speed * _pace(styles), low), high)).row(),
        speeds=(factor * low, factor * high),
        styles=styles,
        fallen=fallen,
        slopes=MAX_SLOPE if file.limits.slope is None else float(file.limits.slope),
    )


def _same(known: dict[str, Any], parameters: dict[str, Any]) -> bool:
    """Return whether parameters, which may include others, are those of a set."""
    return all(name in parameters and np.array_equal(x, parameters[name]) for name, x in known.items())


def _styles(natural: Any, parameters: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the parameters of all styles, first those of the present style; {} if the parameters have no style."""
    from anthropi.gait.styles import STYLES, style_of, styled_walker  # the styles are made of walkers
    from anthropi.gait.styles.style import DEGREES

    make = styled_walker(natural)
    found = {name: make(style_of(name)).parameters for name in STYLES}
    words = (*STYLES, *(f"{degree} {name}" for degree in DEGREES for name in STYLES))
    for name in words:
        own = found[name] if name in found else make(style_of(name)).parameters
        if _same(own, parameters):
            return {name: own} | found
    return {}


def _pace(styles: dict[str, Any]) -> float:
    """Return the factor of the preferred speed in the first of some styles."""
    from anthropi.gait.styles import style_of

    return float(style_of(next(iter(styles))).speed) if styles else 1.0
