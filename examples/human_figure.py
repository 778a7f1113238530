"""Human figures of different detail for the same body.

The figure of the thesis has twelve ball joints. The standard figure has spine, hands, feet and toes; it is drawn
standing and in stride. Its hand has the same mass at the wrist with and without fingers. Writes out/human_figure.png.
"""

import numpy as np
from _charts import people

import anthropi as ap

HEIGHT, MASS = 1.75, 75.0  # [m], [kg]
STRIDE = {  # [deg]; ball joints rotate about y, where forward is negative for limbs
    "l_hip.y": -20, "l_knee": 2, "l_ankle.dorsiflexion": 2, "r_hip.y": 12, "r_knee": 26, "r_ankle.dorsiflexion": -4,
    "r_toe": -42, "l_shoulder.y": 22, "l_elbow.flexion": 14, "r_shoulder.y": -26, "r_elbow.flexion": 32,
    "lumbar.z": -4, "thoracic.z": 9, "head.y": 4,
}  # fmt: skip
FIST = {f"l_{finger}_{joint}": 24 for finger in ("index", "middle", "ring", "little") for joint in ("pip", "dip")}


def pose(figure, degrees):
    """Return the configuration with these degrees of freedom rotated from neutral, standing on the ground."""
    turned = np.zeros(figure.nu)
    for name, angle in degrees.items():
        turned[figure.dofs.index(name)] = np.deg2rad(angle)
    return ap.standing(figure, figure.integrate(figure.neutral(), turned))


def at_wrist(figure):
    """Return mass, and first and second moments about the wrist, of the neutral left hand with all its fingers."""
    wrist, total = figure.link_index("l_hand"), 0.0
    k = ap.kinematics(figure, figure.neutral())
    for i, link in enumerate(figure.links):
        if wrist in figure.path(i):
            total = total + link.inertia.shifted(k.position[i] - k.position[wrist]).matrix()
    return total


def check(people):
    for figure in people.values():
        assert abs(figure.mass - MASS) < 1e-12
        assert abs(ap.kinematics(figure, ap.standing(figure)).marker("vertex")[2] - HEIGHT) < 1e-12
    assert np.abs(at_wrist(people["standard"]) - at_wrist(people["full"])).max() < 1e-12


if __name__ == "__main__":
    figures = {name: ap.human(HEIGHT, MASS, detail=name) for name in ("thesis42", "standard", "full")}
    check(figures)
    stride = pose(figures["standard"], STRIDE)
    people("out/human_figure.png", figures, stride, pose(figures["full"], FIST))
