"""Forces from outside, over time: none, the same all the time, one row a frame, or a function. Floats only."""

import numpy as np

from anthropi.api.front import by_link
from anthropi.errors import SizeError

__all__ = ["forces_at", "forces_over"]


def forces_over(figure, f_ext, time, times):
    """External forces at `times`, as (frames, links, 6), a function, or None.

    f_ext : (links, 6), (frames, links, 6), {link: (6,) or (frames, 6)}, or a function (figure, t, q, u) → (links, 6) or
    {link: (6,)}; in link frames, moment about the link's origin first. Frames are those at `time`; between them, forces
    are on straight lines.
    """
    if f_ext is None or callable(f_ext):
        return f_ext
    rows = np.asarray(by_link(figure, f_ext), float)
    if rows.shape not in ((figure.n, 6), (len(time), figure.n, 6)) or not np.isfinite(rows).all():
        raise SizeError(f"f_ext has shape {rows.shape}; wanted finite {(figure.n, 6)} or {(len(time), figure.n, 6)}, "
                        "{link: (6,) or (frames, 6)}, or a function of (figure, t, q, u).")  # fmt: skip
    if rows.ndim == 2:
        return np.broadcast_to(rows, (len(times), figure.n, 6))
    flat = rows.reshape(len(time), -1)
    return np.stack([np.interp(times, time, x) for x in flat.T], -1).reshape(len(times), figure.n, 6)


def forces_at(figure, forces, times, q, u):
    """External forces (frames, links, 6) on states (frames, …), from what `forces_over` gives; None where none act."""
    if not callable(forces):
        return forces
    found = [by_link(figure, forces(figure, float(t), a, b)) for t, a, b in zip(times, q, u, strict=True)]
    return np.array(found, float).reshape(len(times), figure.n, 6)
