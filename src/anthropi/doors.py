"""Doors upwards: what a method of a lower layer calls to reach a higher one. The only file that may; see DESIGN."""

__all__ = ["draw"]


def draw(figure, q=None, **options):
    """`anthropi.pictures.draw`, for `Figure.draw`."""
    from anthropi.pictures import draw as make

    return make(figure, q, **options)
