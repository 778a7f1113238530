"""The 42-degree-of-freedom figure of all operation counts, as a figure: a free pelvis and twelve ball joints."""

import numpy as np

from anthropi import joints, spatial
from anthropi.figure import Link, Marker, figure_from_parts
from unit.spatial.bench42 import BODIES, FIGURE


def bench42():
    """13 links, nu = 42; four markers under each foot."""
    parts = []
    for (name, parent, place, *_), body in zip(FIGURE, BODIES, strict=True):
        if parent < 0:
            parts.append(("", joints.Free(name="root"), Link.of(name, body)))
            continue
        at = spatial.Transform(np.eye(3), np.array(place))
        parts.append((FIGURE[parent][0], joints.Ball(name=f"{name} joint", placement=at), Link.of(name, body)))
    markers = [Marker(f"{side}_foot {k}", f"{side}_foot", (x, y, -0.07)) for side in "lr"
               for k, (x, y) in enumerate([(-0.05, -0.04), (-0.05, 0.04), (0.19, -0.04), (0.19, 0.04)])]  # fmt: skip
    return figure_from_parts("bench42", parts, markers)
