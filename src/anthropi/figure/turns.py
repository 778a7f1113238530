"""Where do turns lie in u? Three velocities that are one angular velocity compose as rotations, all others add.

Found from `lift` itself, θ' = ω + ½ θ × ω + …: its part odd in θ is a cross product where a joint turns, and nothing
where velocities add. Floats only.
"""

import numpy as np

__all__ = ["turns"]


def turns(figure) -> tuple[int, ...]:
    """The first of each three places in u that turn together: of balls, free joints and the like."""
    found: list[int] = []
    for joint, at in zip(figure.joints, figure.u_of, strict=True):
        if joint.plain or joint.nu < 3:
            continue
        e = np.eye(joint.nu)
        for k in range(joint.nu - 2):
            odd = joint.lift(e[k], e[k + 1]) - joint.lift(-e[k], e[k + 1])
            if np.allclose(odd, e[k + 2]):
                found.append(at.start + k)
    return tuple(found)
