"""Statement of how a motion was computed: its method, its external aids, and the residual force at its root.

The residual is a force and moment on the root that no contact, joint or muscle exerts. It is 0 in a simulation, and the
error of the motion in HIDDS and inverse dynamics. J. L. Hicks and others (2015, J. Biomech. Eng. 137, 020905) accept
residual forces of up to 5 % of the external force. Works on plain floats only.
"""

import warnings
from typing import Any

import numpy as np

from anthropi.errors import PhysicsWarning
from anthropi.motion import Motion

__all__ = ["MAX_RESIDUAL", "residual_of", "warn_of_residual", "with_physics"]

MAX_RESIDUAL = 0.05  # RMS of the residual force divided by the weight


def residual_of(motion: Motion) -> dict[str, float] | None:
    """Return the residual at the root of a motion of one figure with a free root; None if it is not recorded.

    Returns
    -------
    {"force": RMS, "peak_force": maximum, both divided by the weight, "moment": RMS [N m/kg]}, from the channel
    "residual" or else from the rows of the root in "tau".
    """
    figure = motion.figure
    found = motion.channels.get("residual")
    if found is None and motion.tau is not None and figure.joints[0].kind == "free":
        found = motion.tau[..., :6]
    if found is None or found.shape[-1] != 6:
        return None
    weight = figure.mass * float(np.linalg.norm(figure.gravity))
    force, moment = (np.linalg.norm(found[..., at], axis=-1) for at in (slice(0, 3), slice(3, 6)))
    if not weight > 0.0:
        return None
    return {
        "force": float(np.sqrt((force**2).mean()) / weight),
        "peak_force": float(force.max() / weight),
        "moment": float(np.sqrt((moment**2).mean()) / figure.mass),
    }


def with_physics(motion: Motion, method: str) -> Motion:
    """Return a motion whose metadata contain "method", "aid" (None without one) and "residual" (`residual_of`)."""
    about: dict[str, Any] = {"method": method, "aid": motion.metadata.get("aid"), "residual": residual_of(motion)}
    return motion.changed(metadata=motion.metadata | about)


def warn_of_residual(motion: Motion, advice: str, stacklevel: int = 2) -> None:
    """Issue a `PhysicsWarning` if the residual force in the metadata of a motion is above `MAX_RESIDUAL`."""
    found = motion.metadata.get("residual")
    if found is not None and not found["force"] <= MAX_RESIDUAL:
        warnings.warn(
            f"The motion of figure '{motion.figure.name}' is not physical: a residual force of "
            f"{100.0 * found['force']:.0f} % of the weight (RMS; at most {100.0 * found['peak_force']:.0f} %) acts on "
            f"its root, and up to {100.0 * MAX_RESIDUAL:.0f} % is accepted. {advice}",
            PhysicsWarning,
            stacklevel=stacklevel + 1,
        )
