"""Folders with one numbered text file for each frame.

A folder holds figure.toml, motion.json (events, metadata, channels) and frame_000000.json, frame_000001.json …:
{"t": …, "q": {joint: […]}, "u": {joint: […]}, "channels": {name: …}}. Numbers read back to the same bits.
"""

import contextlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FileError, FormatError
from anthropi.formats.figures.toml import parse
from anthropi.formats.figures.toml import text as figure_text
from anthropi.formats.files import read_bytes, refuse_to_write, sync_folder
from anthropi.formats.motions.metadata import from_text, to_text
from anthropi.motion.motion import Motion

__all__ = ["load_frames", "save_frames"]

FORMAT = "anthropi frames 1"
HEAD, FIGURE = "motion.json", "figure.toml"


def save_frames(motion: Motion, folder: str | os.PathLike[str]) -> None:
    """Write one file for each frame into a folder; an existing folder of frames is replaced, another is refused."""
    folder = Path(folder)
    if motion.q.ndim != 2:
        raise FormatError(
            f"Frames are of one rollout, and this motion has {motion.q.shape[0]}. Take motion.rollout(0)."
        )
    if folder.exists() and not (folder / HEAD).is_file() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FormatError(f"{folder} exists and is not a folder of frames. Give another name.")
    kinds = {"q": motion.q.dtype.name, "u": motion.u.dtype.name}
    channels = [[name, x.dtype.name, list(x.shape[1:])] for name, x in motion.channels.items()]
    head = {
        "format": FORMAT,
        "frames": len(motion),
        "dtype": kinds,
        "channels": channels,
        "events": motion.events,
        "metadata": motion.metadata,
    }
    texts = {FIGURE: figure_text(motion.figure), HEAD: to_text(head, f"{folder.name}: its events or metadata")}
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    try:
        fresh.mkdir(parents=True)
        for name, text in texts.items():
            _write(fresh / name, text)
        for k in range(len(motion)):
            _write(fresh / _name(k), json.dumps(_frame(motion, k)))
        sync_folder(fresh)
        if folder.exists():
            os.replace(folder, old)
        try:
            os.replace(fresh, folder)
        except OSError:
            with contextlib.suppress(OSError):
                os.replace(old, folder)
            raise
        shutil.rmtree(old, ignore_errors=True)
    except BaseException as error:
        shutil.rmtree(fresh, ignore_errors=True)
        if isinstance(error, (OSError, ValueError)):
            raise refuse_to_write(folder, error) from None
        raise
    sync_folder(folder.parent)


def _write(path: Path, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def _name(k: int) -> str:
    return f"frame_{k:06d}.json"


def _frame(motion: Motion, k: int) -> dict[str, Any]:
    """The data of a frame: coordinates and velocities by joint."""
    figure = motion.figure

    def by_joint(x, places):
        return {j.name: x[at].tolist() for j, at in zip(figure.joints, places, strict=True) if j.nu}

    channels = {name: x[k].tolist() for name, x in motion.channels.items()}
    q, u = by_joint(motion.q[k], figure.q_of), by_joint(motion.u[k], figure.u_of)
    return {"t": float(motion.time[k]), "q": q, "u": u, "channels": channels}


def load_frames(folder: str | os.PathLike[str]) -> Motion:
    """Read the motion in a folder of frames."""
    folder = Path(folder)
    words = f"{folder.name}/{HEAD}"
    head = from_text(_read(folder / HEAD), words)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise FormatError(f"{words} is of no format known here; wanted '{FORMAT}'.")
    figure = parse(_read(folder / FIGURE), f"{folder.name}/{FIGURE}").figure
    try:
        count, kinds, channels = int(head["frames"]), head["dtype"], [tuple(c) for c in head["channels"]]
        if not 1 <= count <= 10**6 or not {*kinds.values(), *(c[1] for c in channels)} <= {"float64", "float32"}:
            raise ValueError("frames, dtype or channels are not as they were written")
        rows = [_row(folder / _name(k), figure, channels) for k in range(count)]
        arrays = [np.array([r[i] for r in rows]) for i in range(3)]
        found = {c[0]: np.array([r[3][n] for r in rows], c[1]).reshape(count, *c[2]) for n, c in enumerate(channels)}
        return Motion(
            figure,
            arrays[0],
            arrays[1].astype(kinds["q"]),
            arrays[2].astype(kinds["u"]),
            found,
            head["events"],
            head["metadata"],
        )
    except FileError:
        raise
    except AnthropiError as error:
        raise FormatError(f"{folder.name}: {error}") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise FormatError(f"{words} is not as it was written: {error!r}.") from None


def _row(path: Path, figure, channels):
    """(t, q, u, channels) of a frame."""
    words = f"{path.parent.name}/{path.name}"
    try:
        data = json.loads(_read(path))
        state = []
        for key, size in (("q", "nq"), ("u", "nu")):
            parts = [np.zeros(0)]
            for joint in (j for j in figure.joints if j.nu):
                parts.append(np.array(data[key][joint.name], float))
                if parts[-1].shape != (getattr(joint, size),):
                    raise FormatError(
                        f"{words}: '{joint.name}' has {parts[-1].size} numbers in {key}; wanted {getattr(joint, size)}."
                    )
            state.append(np.concatenate(parts))
        return float(data["t"]), *state, [data["channels"][c[0]] for c in channels]
    except FileError:
        raise
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"{words} is not as it was written: {error!r}.") from None


def _read(path: Path) -> str:
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        raise FormatError(f"{path.parent.name}/{path.name} is not text.") from None
