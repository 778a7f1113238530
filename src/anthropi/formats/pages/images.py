"""Draw motions by ray casting: a picture of one moment, one PNG file for each frame, or an .mp4 film."""

import struct
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.compiler.threads import default_threads
from anthropi.errors import FileError, InputError, MissingExtra
from anthropi.formats.files import write_whole
from anthropi.motion import Motion
from anthropi.pictures.ray_casting import window_around
from anthropi.pictures.scenery import is_flat, with_scenery
from anthropi.pictures.shading import paint
from anthropi.pictures.solids import Scene, scene_of
from anthropi.pictures.view import grounded, view_of, window_of

__all__ = ["film", "frames", "png_bytes", "rgb", "sequence", "snapshot"]


PAPER = np.array([1.0, 1.0, 1.0])


def rgb(picture: np.ndarray) -> np.ndarray:
    """Put a picture on a white background and convert it to bytes.

    picture : (h, w, 4), colours and opacity from 0 to 1, bottom row first. Returns (h, w, 3) bytes, top row first.
    """
    alpha = picture[..., 3:]
    return np.rint(255.0 * (picture[..., :3] * alpha + PAPER * (1.0 - alpha))).astype(np.uint8)[::-1]


def png_bytes(pixels: np.ndarray) -> bytes:
    """Encode pixels (h, w, 3) or (h, w, 4) of bytes, top row first, as a PNG file."""
    height, width, channels = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], 1)
    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


PIXELS, FRAME_PIXELS, RATE = 800, 640, 30.0  # larger side of a picture and of a film frame; frame rate [1/s]
MAX_FRAMES = 100_000


def picture(motion: Any, file: Any, **options: Any) -> Path:
    """Write .png pictures: one for each frame (`sequence`) if the file name contains %, else one (`snapshot`)."""
    return (sequence if "%" in Path(file).name else snapshot)(motion, file, **options)


def snapshot(
    motion: Any,
    file: Any,
    *,
    time: float | None = None,
    pixels: int = PIXELS,
    view: Any = "three-quarter",
    ground: bool | None = None,
    scene: Any = None,
) -> Path:
    """Write a picture of one moment and return its path.

    Parameters
    ----------
    motion : a motion, or a figure, which is drawn in its neutral pose.
    file : the .png file.
    time : time of the moment [s]; None for the first frame.
    pixels : length of the larger side in pixels.
    view : "front", "side", "back", "three-quarter", "top", or (azimuth, elevation) [deg].
    ground : whether to draw the ground; None to draw it if there is one.
    scene : scene with obstacles to draw around the figure.
    """
    if not isinstance(motion, Motion):
        motion = Motion(motion, np.zeros(1), motion.neutral()[None])
    motion = _shown(motion, scene)
    q = motion.q[0] if time is None else motion.at(float(time)).q
    what = scene_of(motion.figure, q)
    ground = _grounded([what], motion.figure, scene) if ground is None else ground
    look = view_of(view)
    picture = paint(what, look, window_of(what, look, ground, pixels), ground)
    file = Path(file)
    data = png_bytes(rgb(picture))
    write_whole(file, lambda out: out.write(data))
    return file


def frames(
    motion: Motion,
    *,
    rate: float = RATE,
    speed: float = 1.0,
    pixels: int = FRAME_PIXELS,
    view: Any = "three-quarter",
    ground: bool | None = None,
    follow: bool = True,
    scene: Any = None,
    even: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[np.ndarray]:
    """Draw a motion as a sequence of pictures (h, w, 3), all of the same size.

    Parameters
    ----------
    motion : one rollout.
    rate : pictures per second of the film.
    speed : speed of the film relative to real time.
    pixels, view, ground, scene : as in `snapshot`.
    follow : whether the window moves with the figure; otherwise it shows the whole motion.
    even : whether to make width and height divisible by two.
    progress : function called as progress(pictures done, total).
    """
    if not (rate > 0.0 and speed > 0.0):
        raise InputError(f"rate={rate!r}, speed={speed!r}. Give numbers above 0.")
    if motion.q.ndim != 2:
        raise InputError(f"A film shows one rollout, but this motion has {len(motion.q)}. Use motion.rollout(0).")
    with np.errstate(over="ignore"):
        wanted = (motion.time[-1] - motion.time[0]) * rate / speed
    if not wanted < MAX_FRAMES:
        raise InputError(f"The film would have {wanted:.6g} pictures, more than {MAX_FRAMES}. Give a lower rate.")
    count = int(np.floor(wanted + 1e-9)) + 1
    staged_motion = _shown(motion, scene)
    when = np.minimum(motion.time[0] + np.arange(count) * speed / rate, motion.time[-1])
    rows, look, figure = staged_motion.at(when).q, view_of(view), staged_motion.figure
    looked = [scene_of(figure, q) for q in rows[:: max(count // 24, 1)]]
    ground = _grounded(looked, figure, scene) if ground is None else ground
    window = _window(looked, look, ground, pixels, follow, [_middle(figure, q) for q in rows[:: max(count // 24, 1)]])
    if even:
        window = window._replace(width=window.width + window.width % 2, height=window.height + window.height % 2)
    right, up, _ = look.axes()

    def one(q):
        middle = _middle(figure, q) if follow else np.zeros(3)
        here = window._replace(left=window.left + float(middle @ right), bottom=window.bottom + float(middle @ up))
        return rgb(paint(scene_of(figure, q), look, here, ground, fine=1 if pixels >= 1600 else 2))

    workers = min(default_threads(), 8)
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque = deque()
        for done in range(count + 2 * workers):  # only a few pictures ahead, to limit the memory
            if done < count:
                waiting.append(pool.submit(one, rows[done]))
            if done >= 2 * workers and waiting:
                yield waiting.popleft().result()
                if progress is not None:
                    progress(done - 2 * workers + 1, count)


def sequence(motion: Motion, file: Any, **options: Any) -> Path:
    """Write one PNG picture for each frame and return the path.

    file : "walk_%04d.png" for numbered files, or a name ending in .zip for one archive. options : those of `frames`.
    """
    file = Path(file)
    if file.suffix.lower() == ".zip":

        def fill(out) -> None:
            with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
                for k, pixels in enumerate(frames(motion, **options)):
                    archive.writestr(f"{file.stem}_{k:05d}.png", png_bytes(pixels))

        write_whole(file, fill)
        return file
    for k, pixels in enumerate(frames(motion, **options)):
        data = png_bytes(pixels)
        try:
            name = file.name % k
        except (TypeError, ValueError, OverflowError):
            raise FileError(
                f"{file.name}: the name must contain one placeholder for the number, such as walk_%04d.png."
            ) from None
        write_whole(file.with_name(name), partial(_put, data))
    return file


def _put(data: bytes, out) -> None:
    out.write(data)


def film(motion: Motion, file: Any, *, rate: float = RATE, **options: Any) -> Path:
    """Write a motion as an .mp4 film and return its path. Needs the extra `video`. options : those of `frames`."""
    try:
        import av
    except ImportError as missing:
        raise MissingExtra("av", "video", "A film") from missing
    file = Path(file)

    def fill(out) -> None:
        with av.open(out, "w", format="mp4") as container:
            stream: Any = None
            for pixels in frames(motion, rate=rate, even=True, **options):
                if stream is None:
                    codec = "libx264" if "libx264" in av.codecs_available else "mpeg4"
                    stream = container.add_stream(codec, rate=Fraction(rate).limit_denominator(1000))
                    stream.height, stream.width = pixels.shape[:2]
                    stream.pix_fmt = "yuv420p"
                    if codec == "libx264":
                        stream.options = {"crf": "18", "preset": "medium"}
                container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
            if stream is not None:
                container.mux(stream.encode())

    write_whole(file, fill)
    return file


def _shown(motion: Motion, scene) -> Motion:
    return motion if scene is None else with_scenery(scene, motion)


def _grounded(looked, figure, scene) -> bool:
    if scene is not None:
        return is_flat(scene)
    return any(grounded(what, figure.gravity) for what in looked)


def _middle(figure, q) -> np.ndarray:
    """Return the centre of mass projected onto the ground (3,), which the window follows."""
    k = kinematics(figure, q)
    mass = np.array([float(link.mass) for link in figure.links])
    if not mass.sum() > 0.0:
        return np.zeros(3)
    at = k.position + np.einsum("nij,nj->ni", k.rotation, np.array([link.centre for link in figure.links]))
    return (mass @ at) / mass.sum() * np.array([1.0, 1.0, 0.0])


def _window(looked: list[Scene], look, ground: bool, pixels: int, follow: bool, middles):
    """Return a window that fits all frames: around the figure if it is followed, or around all its positions."""
    right, up, _ = look.axes()
    found = [window_of(what, look, ground, pixels).extent() for what in looked]
    ends = np.array([(a, c, b, d) for a, b, c, d in found])
    if follow:
        shift = np.array([(m @ right, m @ up) for m in middles])
        ends = ends - np.concatenate([shift, shift], 1)
    return window_around(ends[:, :2].min(0), ends[:, 2:].max(0), pixels)
