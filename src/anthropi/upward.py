"""Doors upwards: what a method of a lower layer calls to reach a higher one. The only file that may; see DESIGN."""

__all__ = ["draw", "export", "load_motion", "save_frames", "save_motion", "show"]


def draw(figure, q=None, **options):
    """`anthropi.pictures.draw`, for `Figure.draw`."""
    from anthropi.pictures import draw as make

    return make(figure, q, **options)


def save_motion(motion, path, **options) -> None:
    """`anthropi.formats.motions.native.save_motion`, for `Motion.save`."""
    from anthropi.formats.motions.native import save_motion as save

    save(motion, path, **options)


def save_frames(motion, folder) -> None:
    """`anthropi.formats.motions.frame_files.save_frames`, for `Motion.save_frames`."""
    from anthropi.formats.motions.frame_files import save_frames as save

    save(motion, folder)


def load_motion(path, **options):
    """`anthropi.formats.motions.native.load_motion`, for `Motion.load`."""
    from anthropi.formats.motions.native import load_motion as load

    return load(path, **options)


def export(motion, path, **options):
    """`anthropi.formats.registry.export`, for `Motion.export`."""
    from anthropi.formats.registry import export as write

    return write(motion, path, **options)


def show(motion, **options):
    """`anthropi.formats.pages.html.show`, for `Motion.show`."""
    from anthropi.formats.pages.html import show as open_page

    return open_page(motion, **options)
