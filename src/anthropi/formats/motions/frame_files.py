"""Motions stored as folders with one numbered text file for each frame.

A folder contains figure.toml, motion.json (events, metadata, channels) and frame_000000.json, frame_000001.json …, each
with {"t": …, "q": {joint: […]}, "u": {joint: […]}, "channels": {name: …}}. Numbers are read back bit for bit.
"""

import contextlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FileError, FormatError
from anthropi.formats import limits
from anthropi.formats.decoding import load_json
from anthropi.formats.figures.toml import parse
from anthropi.formats.figures.toml import text as figure_text
from anthropi.formats.files import read_bytes, refuse_to_write, sync_folder
from anthropi.formats.motions.metadata import from_text, to_text
from anthropi.motion.motion import Motion

__all__ = ["load_frames", "save_frames"]

FORMAT = "anthropi frames 1"
HEAD, FIGURE = "motion.json", "figure.toml"


def save_frames(motion: Motion, folder: str | os.PathLike[str]) -> None:
    """Write a motion to a folder, one file for each frame.

    An existing folder is replaced if it is empty or contains frames; any other raises `FormatError`.
    """
    folder = Path(folder)
    if motion.q.ndim != 2:
        raise FormatError(
            f"{folder.name}: a folder of frames stores one rollout; this motion has {motion.q.shape[0]}. "
            "Use motion.rollout(0)."
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
    """Return the data of frame k: time, coordinates and velocities by joint, and channels."""
    figure = motion.figure

    def by_joint(x, places):
        return {j.name: x[at].tolist() for j, at in zip(figure.joints, places, strict=True) if j.nu}

    channels = {name: x[k].tolist() for name, x in motion.channels.items()}
    q, u = by_joint(motion.q[k], figure.q_of), by_joint(motion.u[k], figure.u_of)
    return {"t": float(motion.time[k]), "q": q, "u": u, "channels": channels}


def load_frames(folder: str | os.PathLike[str]) -> Motion:
    """Read a motion from a folder of frames."""
    folder = Path(folder)
    words = f"{folder.name}/{HEAD}"
    head = from_text(_read(folder / HEAD), words)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise FormatError(f"{words} has an unknown format; expected '{FORMAT}'.")
    figure = parse(_read(folder / FIGURE), f"{folder.name}/{FIGURE}").figure
    try:
        count, kinds, channels = int(head["frames"]), head["dtype"], [tuple(c) for c in head["channels"]]
        limits.check(words, "frame_files", count, "frames")
        if count < 1:
            raise FormatError(f"{words}: 'frames' is {count}; give 1 or more.")
        for name, dtype in [*kinds.items(), *((f"channel '{c[0]}'", c[1]) for c in channels)]:
            if dtype not in ("float64", "float32"):
                raise FormatError(f"{words}: the dtype of {name} is {dtype!r}; give 'float64' or 'float32'.")
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
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FormatError(f"{words} is damaged: {_reason(error)}.") from None


def _reason(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)


def _row(path: Path, figure, channels):
    """Read (t, q, u, channels) of one frame from its file."""
    words = f"{path.parent.name}/{path.name}"
    try:
        data = load_json(_read(path), words)
        state = []
        for key, size in (("q", "nq"), ("u", "nu")):
            parts = [np.zeros(0)]
            for joint in (j for j in figure.joints if j.nu):
                parts.append(np.array(data[key][joint.name], float))
                if parts[-1].shape != (getattr(joint, size),):
                    raise FormatError(
                        f"{words}: joint '{joint.name}' has {parts[-1].size} numbers in {key}; "
                        f"expected {getattr(joint, size)}."
                    )
            state.append(np.concatenate(parts))
        return float(data["t"]), *state, [data["channels"][c[0]] for c in channels]
    except FileError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"{words} is damaged: {_reason(error)}.") from None


def _read(path: Path) -> str:
    try:
        return read_bytes(path, "text_bytes").decode()
    except UnicodeDecodeError:
        raise FormatError(f"{path.parent.name}/{path.name} is not text.") from None
