"""Virtual-leg contact model: a spring from the centre of mass to the foot, with feedback of angular momentum.

`law.py` has the force of one virtual leg and its rest length, `feet.py` the distribution between two feet and the
wrenches on links, `model.py` the contact model with its memory. Equations: docs/equations/thesis.md.
"""

from anthropi.contact.virtual_leg.feet import (
    BLENDS,
    blend,
    foot_forces,
    foot_place,
    foot_wrenches,
    in_step,
    link_wrench,
    shares,
    virtual_foot,
)
from anthropi.contact.virtual_leg.law import (
    UP,
    Body,
    FromApex,
    FromForce,
    FromHeight,
    Given,
    Leg,
    Reaction,
    Rest,
    Span,
    across,
    along,
    body_of,
    leg_force,
    span,
    wanted_moment,
)
from anthropi.contact.virtual_leg.model import Increment, VirtualLeg, three_steps

__all__ = [
    "BLENDS",
    "UP",
    "Body",
    "FromApex",
    "FromForce",
    "FromHeight",
    "Given",
    "Increment",
    "Leg",
    "Reaction",
    "Rest",
    "Span",
    "VirtualLeg",
    "across",
    "along",
    "blend",
    "body_of",
    "foot_forces",
    "foot_place",
    "foot_wrenches",
    "in_step",
    "leg_force",
    "link_wrench",
    "shares",
    "span",
    "three_steps",
    "virtual_foot",
    "wanted_moment",
]
