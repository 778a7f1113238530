"""Write motions as tables: .csv and .mot files of coordinates, .trc files of marker positions.

.trc and .mot files use OpenSim's axes: x forward, y up, z right.
"""

import os
from pathlib import Path

import numpy as np

from anthropi.entry import kinematics
from anthropi.errors import FormatError
from anthropi.figure.parts import Marker
from anthropi.formats.files import write_whole
from anthropi.formats.pages.motion_buffer import coordinates_of
from anthropi.motion.motion import Motion

__all__ = ["mot", "trc", "write"]


def write(motion: Motion, path: str | os.PathLike[str], degrees: bool = True) -> None:
    """Write a .csv table of coordinates, with angles in degrees or radians. Radians are read back exactly."""
    path, figure = Path(path), motion.figure
    if motion.q.ndim != 2:
        raise FormatError(
            f"{path.name}: a table stores one rollout; this motion has {len(motion.q)}. Use motion.rollout(0)."
        )
    q = np.asarray(motion.q, float)
    if not np.isfinite(q).all():
        raise FormatError(
            f"{path.name}: a coordinate of the motion is not finite. Keep the frames before it with motion.slice."
        )
    for dof in figure.dofs:
        if set(dof) & set(',;\t\n\r"#'):
            raise FormatError(
                f"{path.name}: the name of the degree of freedom '{dof}' contains a character that tables cannot store "
                "(comma, semicolon, quotation mark, #, tab or line break). Rename it."
            )
    joints = list(zip(figure.joints, figure.q_of, strict=True))
    x = np.stack([np.concatenate([np.asarray(j.coordinates(row[at]), float) for j, at in joints]) for row in q])
    long = np.array([long for j in figure.joints for long in (j.lengths or (False,) * j.nu)], bool)
    angle = "deg" if degrees else "rad"
    head = ["time [s]", *(f"{dof} [{'m' if far else angle}]" for dof, far in zip(figure.dofs, long, strict=True))]
    x = np.where(long, x, np.rad2deg(x)) if degrees else x
    rows = (",".join(repr(float(v)) for v in (t, *row)) for t, row in zip(motion.time, x, strict=True))
    text = "\n".join([",".join(head), *rows, ""])
    write_whole(path, lambda file: file.write(text.encode()))


def trc(motion: Motion, file: str | os.PathLike[str]) -> Path:
    """Write a .trc table of the positions of all point markers [mm], with three columns for each marker."""
    file, figure = Path(file), motion.figure
    marks = [m for m in figure.markers if isinstance(m, Marker)]
    if not marks:
        raise FormatError(f"{file.name}: figure '{figure.name}' has no markers. Add markers, or write a .csv file.")
    k = kinematics(figure, _one(motion, file).q)
    turns, places = np.asarray(k.rotation), np.asarray(k.position)
    at = [figure.link_index(m.link) for m in marks]
    points = np.stack([places[:, i] + turns[:, i] @ m.point for i, m in zip(at, marks, strict=True)], 1)
    seen = 1e3 * np.stack([points[..., 0], points[..., 2], -points[..., 1]], -1)
    count, rate = len(motion), _rate(motion)
    names = [_word(m.name) for m in marks]
    head = [
        f"PathFileType\t4\t(X/Y/Z)\t{_word(file.name)}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate:.6g}\t{rate:.6g}\t{count}\t{len(marks)}\tmm\t{rate:.6g}\t1\t{count}",
        "Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t",
        "\t\t" + "\t".join(f"X{n}\tY{n}\tZ{n}" for n in range(1, len(marks) + 1)),
        "",
    ]
    rows = [
        "\t".join([str(n), f"{t:.9g}", *(f"{x:.6f}" for x in row.ravel())])
        for n, (t, row) in enumerate(zip(motion.time, seen, strict=True), 1)
    ]
    return _write(file, [*head, *rows])


def mot(motion: Motion, file: str | os.PathLike[str]) -> Path:
    """Write a .mot table of all coordinates, with angles in degrees. Ball joints are written as rotation vectors."""
    file, figure = Path(file), motion.figure
    x = coordinates_of(figure, _one(motion, file).q)
    long = np.array([far for j in figure.joints for far in (j.lengths or (False,) * j.nu)], bool)
    x = np.where(long, x, np.rad2deg(x))
    head = [
        _word(figure.name),
        "version=1",
        f"nRows={len(motion)}",
        f"nColumns={figure.nu + 1}",
        "inDegrees=yes",
        "endheader",
        "\t".join(["time", *(_word(dof) for dof in figure.dofs)]),
    ]
    rows = ["\t".join(f"{v:.12g}" for v in (t, *row)) for t, row in zip(motion.time, x, strict=True)]
    return _write(file, [*head, *rows])


def _one(motion: Motion, file: Path) -> Motion:
    if motion.q.ndim != 2:
        raise FormatError(
            f"{file.name}: a table stores one rollout; this motion has {len(motion.q)}. Use motion.rollout(0)."
        )
    if not np.isfinite(motion.q).all():
        raise FormatError(
            f"{file.name}: a coordinate of the motion is not finite. Keep the frames before it with motion.slice."
        )
    return motion


def _rate(motion: Motion) -> float:
    return (len(motion) - 1) / float(motion.time[-1] - motion.time[0]) if len(motion) > 1 else 1.0


def _word(name: str) -> str:
    """Replace white space in a name by "_", since white space separates columns."""
    return "_".join(name.split())


def _write(file: Path, lines) -> Path:
    text = "\n".join([*lines, ""]).encode()
    write_whole(file, lambda out: out.write(text))
    return file
