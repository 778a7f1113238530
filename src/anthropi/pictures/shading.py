"""Shading: colours of the pixels from ray casting, with outlines, ground and shadow."""

from typing import Any

import numpy as np

from anthropi.pictures.ray_casting import cast, rectangle, window_around

__all__ = ["cell", "paint"]

KEY = np.array([0.55, 0.95, -0.42])  # direction of the main light: right, up, into the picture
SHADOW = np.array([0.22, 0.18, 1.0])  # direction of the light that casts the shadow, in the world
INK = np.array([0.13, 0.16, 0.22])
MARGIN = 2  # [pixels] around the solids, for outlines
GROUND, LINE = np.array([0.955, 0.960, 0.970]), np.array([0.845, 0.860, 0.885])


def paint(scene: Any, view: Any, window: Any, ground: bool, fine: int = 2) -> np.ndarray:
    """Render a scene as RGBA (h, w, 4), bottom row first.

    view : a `View`. window : `Window` of the picture plane. ground : whether to draw the ground. fine : casts `fine`²
        rays per pixel.
    """
    axes = view.axes()
    rows, columns = _around(scene, axes, window)
    part = window._replace(
        left=window.left + columns.start / window.per_metre,
        width=columns.stop - columns.start,
        bottom=window.bottom + rows.start / window.per_metre,
        height=rows.stop - rows.start,
    )
    big = part._replace(width=part.width * fine, height=part.height * fine, per_metre=part.per_metre * fine)
    depth, normal, seen = cast(scene.solids, axes, big, smoothing=0.004 * scene.size)
    hit = seen >= 0
    picture = np.zeros((*depth.shape, 4))
    picture[hit, :3] = _shaded(scene, normal[hit], seen[hit], axes)
    picture[hit, 3] = 1.0
    _ink(picture, depth, seen, scene)
    front = np.zeros((window.height, window.width, 4))
    front[rows, columns] = _shrunk(picture, fine)
    if not ground or axes[2, 2] > -1e-3:
        return front
    return _over(front, _ground(scene, axes, window))


def _around(scene, axes, window) -> tuple[slice, slice]:
    """Rows and columns of the window that the solids cover, with a margin for outlines."""
    rows, columns = rectangle(scene.solids, axes, window)
    return tuple(
        slice(min(max(at.start - MARGIN, 0), count - 1), max(min(at.stop + MARGIN, count), 1))
        for at, count in ((rows, window.height), (columns, window.width))
    )  # type: ignore[return-value]


def _over(front, back):
    """Composite a picture over another (RGBA)."""
    a, b = front[..., 3:], back[..., 3:]
    alpha = a + b * (1.0 - a)
    colour = (front[..., :3] * a + back[..., :3] * b * (1.0 - a)) / np.maximum(alpha, 1e-9)
    return np.concatenate([colour, alpha], -1)


def _shaded(scene, normal, seen, axes):
    """Colours of the solids with key light, ambient light, highlight and darker rims."""
    into = axes[2]
    key = KEY @ axes
    key /= np.linalg.norm(key)
    colour = np.array([s.colour for s in scene.solids])[seen]
    lit = np.clip(normal @ key, 0.0, 1.0)
    sky = 0.5 + 0.5 * normal[:, 2]
    facing = np.clip(-(normal @ into), 0.0, 1.0)
    half = key - into
    shine = np.clip(normal @ (half / np.linalg.norm(half)), 0.0, 1.0) ** 28
    light = 0.52 + 0.20 * sky + 0.44 * lit
    shade = colour * light[:, None] * (0.76 + 0.24 * facing[:, None] ** 0.5)
    cool = (1.0 - lit[:, None]) * np.array([-0.015, -0.005, 0.03])
    return np.clip(shade + cool + 0.13 * shine[:, None], 0.0, 1.0)


def _ink(picture, depth, seen, scene) -> None:
    """Darken pixels next to a jump in depth: strongly at the silhouette, slightly between links and at folds."""
    seen, depth = np.pad(seen, 1, constant_values=-1), np.pad(depth, 1, constant_values=np.inf)
    wide, flat = seen.shape[1], seen.ravel()
    link = np.array([*(s.link for s in scene.solids), -1])[flat]
    filled = np.where(np.isfinite(depth), depth, 1e6).ravel()
    hit = np.flatnonzero(flat >= 0)  # only hit pixels can carry an outline
    here, own = filled[hit], link[hit]
    edge = np.zeros(len(hit))
    for step in (-wide, wide, -1, 1):
        other, beside = filled[hit + step], link[hit + step]
        jump = np.clip((other - here) / (0.030 * scene.size), 0.0, 1.0)  # the nearer side carries the line
        apart, outside = beside != own, beside < 0
        edge = np.maximum(edge, np.where(outside, 0.75, 0.55 * jump * apart + 0.30 * jump))
        edge = np.maximum(edge, np.where(apart & ~outside & (here <= other), 0.22, 0.0))
    colours = picture.reshape(-1, picture.shape[-1])
    rows, columns = np.divmod(hit, wide)
    at = (rows - 1) * (wide - 2) + columns - 1
    colours[at, :3] += edge[:, None] * (INK - colours[at, :3])


def _ground(scene, axes, window):
    """Render the plane z = 0 near the figure (RGBA): a fading grid, and the soft shadow of the figure."""
    right, up, into = axes
    x, y = window.middles()
    start = x[None, :, None] * right + y[:, None, None] * up
    point = start - (start[..., 2:] / into[2]) * into
    middle, radius = scene.floor()
    away = np.linalg.norm(point[..., :2] - middle[:2], axis=-1) / radius
    fade = np.clip(1.15 - away, 0.0, 1.0) ** 0.8
    side = cell(scene.size)
    near = np.abs(point[..., :2] / side - np.round(point[..., :2] / side)) * side
    thin = 0.55 / window.per_metre * np.array([1.0, 1.0 / max(-into[2], 0.15)])
    turn = np.abs(into[:2]) / max(np.linalg.norm(into[:2]), 1e-9) if np.linalg.norm(into[:2]) > 1e-9 else np.zeros(2)
    wide = thin[0] + (thin[1] - thin[0]) * turn
    line = np.clip(1.6 - near / wide, 0.0, 1.0).max(-1)
    dark = _shadow(scene, point[..., :2])
    colour = GROUND + line[..., None] * (LINE - GROUND)
    colour = colour * (1.0 - 0.42 * dark[..., None] * np.array([1.0, 0.94, 0.84]))
    return np.concatenate([colour, fade[..., None]], axis=-1)


def cell(size: float) -> float:
    """Grid spacing [m]: a round number near a sixth of the size of the scene."""
    raw = size / 6.0
    ten = 10.0 ** np.floor(np.log10(raw))
    return float(ten * min((1.0, 2.0, 2.5, 5.0, 10.0), key=lambda k: abs(np.log(k * ten / raw))))


def _shadow(scene, point):
    """Return the shadow, from 0 to 1, at ground points (…, 2): the figure as seen from the light, blurred."""
    toward = SHADOW / np.linalg.norm(SHADOW)
    right = np.array([1.0, 0.0, -toward[0] / toward[2]])
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(right, -toward), -toward])
    spots = [[s.middle @ axes[k] + sign * s.reach(axes[k]) for k in (0, 1)] for s in scene.solids for sign in (-1, 1)]
    margin = 0.08 * scene.size
    low, high = np.min(spots, axis=0) - margin, np.max(spots, axis=0) + margin
    window = window_around(low, high, int(np.clip(220.0 * (high - low).max() / scene.size, 260, 3000)))
    _, _, seen = cast(scene.solids, axes, window)
    mask = _blurred((seen >= 0).astype(float), max(int(0.018 * scene.size * window.per_metre), 1))
    at = np.concatenate([point, np.zeros((*point.shape[:-1], 1))], -1) @ axes[:2].T
    i = ((at[..., 0] - window.left) * window.per_metre).astype(int)
    j = ((at[..., 1] - window.bottom) * window.per_metre).astype(int)
    inside = (i >= 0) & (i < window.width) & (j >= 0) & (j < window.height)
    return np.where(inside, mask[np.clip(j, 0, window.height - 1), np.clip(i, 0, window.width - 1)], 0.0)


def _blurred(mask, radius: int):
    """Blur by three box filters along each axis, nearly a Gaussian."""
    width = 2 * radius + 1
    for _ in range(3):
        for axis in (0, 1):
            pad = [(0, 0), (0, 0)]
            pad[axis] = (radius + 1, radius)
            total = np.cumsum(np.pad(mask, pad, mode="edge"), axis=axis)
            mask = (
                np.take(total, range(width, total.shape[axis]), axis)
                - np.take(total, range(total.shape[axis] - width), axis)
            ) / width
    return mask


def _shrunk(picture, fine: int):
    """Reduce a picture by averaging blocks of fine × fine pixels, with colours weighted by their opacity."""
    h, w = picture.shape[0] // fine, picture.shape[1] // fine
    blocks = picture.reshape(h, fine, w, fine, 4)
    alpha = blocks[..., 3:].mean((1, 3))
    colour = (blocks[..., :3] * blocks[..., 3:]).mean((1, 3)) / np.maximum(alpha, 1e-9)
    return np.clip(np.concatenate([colour, alpha], -1), 0.0, 1.0)
