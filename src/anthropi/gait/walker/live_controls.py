"""Controls of a walker in a live page: command, speeds, styles and falls."""

from typing import Any

import numpy as np

from anthropi.formats.pages.live_page import LiveControls
from anthropi.gait.falls import FallDetector
from anthropi.gait.walker.command import Command
from anthropi.gait.walker.parameters import load_walker, size_of

__all__ = ["walker_controls"]

FIRST_SPEED = 1.3  # [m/s] for the reference body
MIN_SPEED = 0.3  # [m/s] slowest speed of the slider, for the reference body
MAX_SLOPE = 0.08  # of the slider, if the parameter set has no limit


def walker_controls(problem: Any, parameters: dict[str, Any]) -> LiveControls:
    """Return the controls of a walker in a live page.

    parameters : those of the controller. The styles are changes of the set "natural", so a walker with another set
    offers none.
    """
    natural = load_walker("natural")
    same = all(
        np.array_equal(natural.parameters[name], x) for name, x in parameters.items() if name in natural.parameters
    )
    factor, limits = float(size_of(problem.figure).time), natural.limits
    low, high = limits.speed or (MIN_SPEED, FIRST_SPEED)
    detector = FallDetector(problem.scene)

    def fallen(now: Any, q: Any) -> Any:
        return detector.mask(q, now.scene.ground)

    return LiveControls(
        command=Command(go=True, speed=FIRST_SPEED * factor).row(),
        speeds=(factor * low, factor * high),
        styles=_styles(natural) if same else {},
        fallen=fallen,
        slopes=MAX_SLOPE if limits.slope is None else float(limits.slope),
    )


def _styles(natural: Any) -> dict[str, dict[str, Any]]:
    """Return the parameters of all styles, "natural" first."""
    from anthropi.gait.styles import STYLES, style_of, styled_walker  # the styles are made of walkers

    make = styled_walker(natural)
    return {name: make(style_of(name)).parameters for name in sorted(STYLES, key=lambda name: name != "natural")}
