"""Anthropometric tables: masses, lengths and inertia of body segments, with their sources.

DE_LEVA   P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, J. Biomech. 29 (1996) 1223,
          table 4: 100 men (1.741 m, 73.0 kg) and 15 women (1.735 m, 61.9 kg).
LENGTHS   R. Drillis, R. Contini, Body segment parameters (1966), as in D. A. Winter, Biomechanics and Motor Control of
          Human Movement, figure 4.1: fractions of stature.
FINGERS   B. Buchholz, T. J. Armstrong, S. A. Goldstein, Anthropometric data for describing the kinematics of the human
          hand, Ergonomics 35 (1992) 261: fractions of hand length. The paper itself was not read; the numbers were
          confirmed in two programs that quote it.
SHARES    chosen for this package: mass shares of parts that have no row in de Leva's table (docs/human.md).

Where de Leva gives two pairs of end points, the rows below use the pair that ends at joints or lies in the column from
vertex to ankle: vertex-cervicale for the head, cervicale-xiphion for the upper trunk, knee-ankle for the shank,
wrist-fingertip for the hand. These lengths, and the distance from mid-shoulder to mid-hip, were confirmed in
R. Gurchiek's deleva.m (2018), which reproduces table 4. docs/human.md lists what was confirmed where.
"""

from typing import NamedTuple

__all__ = ["DE_LEVA", "FINGERS", "FRACTIONS", "LENGTHS", "SHARES", "SPANS", "STATURE", "Finger", "Row", "Share"]


class Row(NamedTuple):
    """A segment as printed in the table: length [mm], mass [% of the body], centre and radii of gyration [% of length].

    The centre is counted from the upper end (head: vertex; foot: heel). The radii are about the sagittal (forward),
    transverse (sideways) and longitudinal axis through the centre. The foot's longitudinal axis points forward and its
    sagittal axis up.
    """

    length: float
    mass: float
    centre: float
    sagittal: float
    transverse: float
    longitudinal: float


STATURE = {"m": 1741.0, "f": 1735.0}  # [mm] of de Leva's subjects

DE_LEVA = {
    "m": {
        "head": Row(242.9, 6.94, 50.02, 30.3, 31.5, 26.1),  # vertex to cervicale
        "upper_trunk": Row(242.1, 15.96, 50.66, 50.5, 32.0, 46.5),  # cervicale to xiphion
        "middle_trunk": Row(215.5, 16.33, 45.02, 48.2, 38.3, 46.8),  # xiphion to omphalion
        "lower_trunk": Row(145.7, 11.17, 61.15, 61.5, 55.1, 58.7),  # omphalion to mid-hip
        "upper_arm": Row(281.7, 2.71, 57.72, 28.5, 26.9, 15.8),  # shoulder to elbow
        "forearm": Row(268.9, 1.62, 45.74, 27.6, 26.5, 12.1),  # elbow to wrist
        "hand": Row(187.9, 0.61, 36.24, 28.8, 23.5, 18.4),  # wrist to tip of the middle finger
        "thigh": Row(422.2, 14.16, 40.95, 32.9, 32.9, 14.9),  # hip to knee
        "shank": Row(440.3, 4.33, 43.95, 25.1, 24.6, 10.2),  # knee to ankle
        "foot": Row(258.1, 1.37, 44.15, 25.7, 24.5, 12.4),  # heel to toe tip
    },
    "f": {
        "head": Row(243.7, 6.68, 48.41, 27.1, 29.5, 26.1),
        "upper_trunk": Row(228.0, 15.45, 50.50, 46.6, 31.4, 44.9),
        "middle_trunk": Row(205.3, 14.65, 45.12, 43.3, 35.4, 41.5),
        "lower_trunk": Row(181.5, 12.47, 49.20, 43.3, 40.2, 44.4),
        "upper_arm": Row(275.1, 2.55, 57.54, 27.8, 26.0, 14.8),
        "forearm": Row(264.3, 1.38, 45.59, 26.1, 25.7, 9.4),
        "hand": Row(170.1, 0.56, 34.27, 24.4, 20.8, 15.4),
        "thigh": Row(368.5, 14.78, 36.12, 36.9, 36.4, 16.2),
        "shank": Row(438.6, 4.81, 43.52, 26.7, 26.3, 9.2),
        "foot": Row(228.3, 1.29, 40.14, 29.9, 27.9, 13.9),
    },
}
SPANS = {  # [mm], other lengths of the same table: mid-shoulder and suprasternale above mid-hip, wrist to third knuckle
    "m": {"shoulders": 515.5, "sternum": 531.9, "knuckle": 86.2},
    "f": {"shoulders": 497.9, "sternum": 529.3, "knuckle": 78.0},
}
PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")


def _fractions(sex: str) -> dict[str, float]:
    """Return segment masses as fractions of body mass; the printed rows sum to 100 % (men) and 99.99 % (women)."""
    rows = DE_LEVA[sex]
    total = sum(row.mass * (2.0 if name in PAIRED else 1.0) for name, row in rows.items())
    return {name: row.mass / total for name, row in rows.items()}


FRACTIONS = {sex: _fractions(sex) for sex in DE_LEVA}

LENGTHS = {  # fractions of stature
    "ankle_height": 0.039,
    "chin_height": 0.870,
    "eye_height": 0.936,
    "foot_breadth": 0.055,
    "shoulder_breadth": 0.259,
    "hip_breadth": 0.191,
    "chest_breadth": 0.174,
}


class Share(NamedTuple):
    """A part without a row in the table: the segment that contains it, its share of the mass, and its shape.

    The part is a solid of uniform density. The remaining mass and inertia stay with the segment.
    """

    of: str
    share: float
    solid: str


SHARES = {
    "neck": Share("head", 1.0 / 6.0, "cylinder, cervicale to atlas"),
    "clavicle": Share("upper_trunk", 0.07, "capsule, breastbone to shoulder, each side"),
    "shoulder_bar": Share("upper_trunk", 0.20, "capsule between the shoulders; a half bar: half of it"),
    "hip_bar": Share("lower_trunk", 0.15, "capsule between the hips; a half bar: half of it"),
    "toes": Share("foot", 0.12, "box, toe joint to toe tip"),
    "fingers": Share("hand", 0.20, "capsules, thumb included, by their volumes"),
}


class Finger(NamedTuple):
    """Start of a finger and lengths of its bones, as fractions of hand length.

    along, forward : position of its first joint from the wrist, towards the fingertips and towards the thumb's side.
    bones : lengths of its three bones. thickness : radius of the first bone. tilt : angle [deg] towards the thumb's
        side.
    """

    along: float
    forward: float
    bones: tuple[float, float, float]
    thickness: float
    tilt: float


FINGERS = {  # `along`, `bones` and the thumb's `forward` (0.196 of a hand breadth of 0.45): Buchholz 1992; rest chosen
    "thumb": Finger(0.073, 0.088, (0.251, 0.196, 0.158), 0.060, 40.0),
    "index": Finger(0.447, 0.125, (0.245, 0.143, 0.097), 0.048, 3.0),
    "middle": Finger(0.446, 0.015, (0.266, 0.170, 0.108), 0.048, 0.0),
    "ring": Finger(0.409, -0.090, (0.244, 0.165, 0.107), 0.045, -3.0),
    "little": Finger(0.368, -0.185, (0.204, 0.117, 0.093), 0.040, -7.0),
}
