"""Calls from lower layers to higher ones, for methods such as `Figure.draw` and `Motion.export`.

Layers may import only from layers below them. This is the only file that may import from higher layers (tested in
`tests/house/test_imports.py`). Each function imports its target when it is called.
"""

from pathlib import Path
from typing import Any

__all__ = [
    "draw",
    "export",
    "first_fall",
    "load_motion",
    "load_project",
    "save_frames",
    "save_motion",
    "save_project",
    "show",
    "to_pandas",
    "to_xarray",
    "verify",
]


def draw(figure: Any, q: Any = None, **options: Any) -> Any:
    """Draw a figure with `anthropi.pictures.draw`, for `Figure.draw`."""
    from anthropi.pictures import draw as make

    return make(figure, q, **options)


def save_motion(motion: Any, path: Any, **options: Any) -> None:
    """Save a motion with `anthropi.formats.save_motion`, for `Motion.save`."""
    from anthropi.formats import save_motion as save

    save(motion, path, **options)


def save_frames(motion: Any, folder: Any) -> None:
    """Save frames with `anthropi.formats.motions.frame_files.save_frames`, for `Motion.save_frames`."""
    from anthropi.formats.motions.frame_files import save_frames as save

    save(motion, folder)


def load_motion(path: Any, **options: Any) -> Any:
    """Load a motion with `anthropi.formats.load_motion`, for `Motion.load`."""
    from anthropi.formats import load_motion as load

    return load(path, **options)


def export(motion: Any, path: Any, **options: Any) -> Path:
    """Export a motion with `anthropi.formats.export`, for `Motion.export`."""
    from anthropi.formats import export as write

    return write(motion, path, **options)


def show(motion: Any, **options: Any) -> Path:
    """Open a motion in the browser with `anthropi.formats.pages.html.show`, for `Motion.show`."""
    from anthropi.formats.pages.html import show as open_page

    return open_page(motion, **options)


def load_project(path: Any) -> Any:
    """Load a studio project with `anthropi.studio.project.file.load_project`, for the format registry."""
    from anthropi.studio.project.file import load_project as load

    return load(path)


def save_project(motion: Any, path: Any, **options: Any) -> Path:
    """Save a motion as a studio project with `anthropi.studio.project.file.project`, for the format registry."""
    from anthropi.studio.project.file import project

    return project(motion, path, **options)


def verify(motion: Any, scene: Any = None, f_ext: Any = None) -> Any:
    """Check the laws of a motion with `anthropi.simulation.verification.verify`, for `Motion.verify`."""
    from anthropi.simulation.verification import verify as check

    return check(motion, scene, f_ext)


def first_fall(motion: Any, scene: Any = None) -> Any:
    """Find the first fall of a motion with `anthropi.gait.falls.FallDetector`, for `verify`; None without a fall."""
    from anthropi.gait.falls import FallDetector

    return FallDetector(motion.figure if scene is None else scene).first(motion.time, motion.q)


def to_pandas(motion: Any, quantity: str = "q") -> Any:
    """Make a table with `anthropi.interop.tables.to_pandas`, for `Motion.to_pandas`."""
    from anthropi.interop.tables import to_pandas as make

    return make(motion, quantity)


def to_xarray(motion: Any) -> Any:
    """Make a table with `anthropi.interop.tables.to_xarray`, for `Motion.to_xarray`."""
    from anthropi.interop.tables import to_xarray as make

    return make(motion)
