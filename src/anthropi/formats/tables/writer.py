"""A motion → .csv: time and the coordinates of every degree of freedom, each with its unit. Floats only."""

import os
from pathlib import Path

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats.whole import write_whole
from anthropi.motion.motion import Motion

__all__ = ["write"]


def write(motion: Motion, path: str | os.PathLike, degrees: bool = True) -> None:
    """Write coordinates as a table; angles in degrees, or in radians. Numbers read back to the same bits in radians."""
    path, figure = Path(path), motion.figure
    if motion.q.ndim != 2:
        raise FormatError(
            f"{path.name}: a table holds one rollout; this motion has {len(motion.q)}. Take motion.rollout(0)."
        )
    q = np.asarray(motion.q, float)
    if not np.isfinite(q).all():
        raise FormatError(f"{path.name}: a coordinate of the motion is not finite. Cut it before that: motion.slice.")
    for dof in figure.dofs:
        if set(dof) & set(',;\t\n\r"#'):
            raise FormatError(f"{path.name}: the degree of freedom '{dof}' has a name that a table cannot hold.")
    joints = list(zip(figure.joints, figure.q_of, strict=True))
    x = np.stack([np.concatenate([np.asarray(j.coordinates(row[at]), float) for j, at in joints]) for row in q])
    long = np.array([long for j in figure.joints for long in (j.lengths or (False,) * j.nu)], bool)
    angle = "deg" if degrees else "rad"
    head = ["time [s]", *(f"{dof} [{'m' if far else angle}]" for dof, far in zip(figure.dofs, long, strict=True))]
    x = np.where(long, x, np.rad2deg(x)) if degrees else x
    rows = (",".join(repr(float(v)) for v in (t, *row)) for t, row in zip(motion.time, x, strict=True))
    text = "\n".join([",".join(head), *rows, ""])
    write_whole(path, lambda file: file.write(text.encode()))
