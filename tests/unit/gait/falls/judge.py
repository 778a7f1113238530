"""A judge of falls that knows link poses only and shares no code with the package, and a grammar of everyday scripts.

A figure has fallen in the first frame in which the lowest point of a link other than the feet is below the floor, or
the head is lower than half of its height in the first frame.
"""

import numpy as np

import anthropi as ap
from anthropi.errors import FormatError
from anthropi.gait.styles import plan

FEET = ("l_foot", "r_foot", "l_toes", "r_toes")
STYLES = ("naturally", "happily", "vigorously", "tired", "sneaking", "marching", "limping", "old")


def lowest(motion) -> dict[str, np.ndarray]:
    """Height of the lowest point of each link over the floor z = 0, {link: (frames,)} [m]."""
    figure = motion.figure
    poses, found = ap.kinematics(figure, figure.normalise(motion.q)), {}
    for link in figure.links:
        pose = poses.link(link.name)
        for shape in link.shapes:
            turn, size = np.asarray(pose.rotation) @ shape.placement.rotation, np.asarray(shape.size, float)
            centre = np.asarray(pose.position)[:, 2] + np.asarray(pose.rotation)[:, 2, :] @ shape.placement.origin
            down = {
                "sphere": lambda turn, size: size[0],
                "capsule": lambda turn, size: size[0] + 0.5 * size[1] * np.abs(turn[:, 2, 2]),
                "ellipsoid": lambda turn, size: np.linalg.norm(turn[:, 2, :] * size, axis=1),
            }[shape.kind](turn, size)
            found[link.name] = np.minimum(found.get(link.name, np.inf), centre - down)
    return found


def judged(motion, heights: dict[str, np.ndarray]) -> float | None:
    """Time of the fall [s], or None. heights : of `lowest`."""
    head = np.asarray(ap.kinematics(motion.figure, motion.figure.normalise(motion.q)).link("head").position)[:, 2]
    down = head < 0.5 * head[0]
    for name, height in heights.items():
        down |= height < 0.0 if name not in FEET else False
    return float(motion.time[np.argmax(down)]) if down.any() else None


def script(seed: int) -> str:
    """A random script of three to six sentences, at most about 25 s long."""
    rng = np.random.default_rng([18, seed])

    def walk() -> str:
        style = f" {rng.choice(STYLES)}" if rng.random() < 0.5 else ""
        speed = f" at {rng.uniform(0.6, 1.8):.2f} m/s" if rng.random() < 0.6 else ""
        return f"walk{style}{speed} for {rng.uniform(2.0, 6.0):.1f} s"

    def turn() -> str:
        return f"turn {rng.choice(('left', 'right'))} {rng.integers(2, 19) * 10} degrees"

    def rest() -> str:
        return str(rng.choice(("stop", f"stop; stand {rng.uniform(1.0, 5.0):.1f} s", "walk faster for 3 s",
                               "walk slower for 3 s", "go to (3, 1)")))  # fmt: skip

    while True:
        first = "" if rng.random() < 0.5 else f"stand {rng.uniform(0.5, 2.0):.1f} s; "
        parts = [walk(), *(rng.choice((walk, turn, rest))() for _ in range(rng.integers(1, 4)))]
        words = first + "; ".join(parts) + f"; stop; stand {rng.uniform(1.0, 4.0):.1f} s"
        try:
            plan(words)
        except FormatError:  # for example, "faster" while standing
            continue
        return words
