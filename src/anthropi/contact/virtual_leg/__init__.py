"""The thesis' ground reaction: a spring from the centre of mass to the foot, and a law for angular momentum.

`law.py` is the force of one virtual leg, `rest.py` how long it wants to be, `feet.py` how two feet share it,
`wrench.py` and `increment.py` how it enters the dynamics, `model.py` all of it as a contact model with memory.
"""

from anthropi.contact.virtual_leg.body import Body, body_of
from anthropi.contact.virtual_leg.feet import BLENDS, blend, foot_forces, foot_place, in_step, shares, virtual_foot
from anthropi.contact.virtual_leg.increment import Increment, three_steps
from anthropi.contact.virtual_leg.law import UP, Leg, Reaction, Span, across, along, leg_force, span, wanted_moment
from anthropi.contact.virtual_leg.model import VirtualLeg
from anthropi.contact.virtual_leg.rest import FromApex, FromForce, FromHeight, Given, Rest
from anthropi.contact.virtual_leg.wrench import link_wrench, pushed

__all__ = [
    "BLENDS", "UP", "Body", "FromApex", "FromForce", "FromHeight", "Given", "Increment", "Leg", "Reaction", "Rest",
    "Span", "VirtualLeg", "across", "along", "blend", "body_of", "foot_forces", "foot_place", "in_step", "leg_force",
    "link_wrench", "pushed", "shares", "span", "three_steps", "virtual_foot", "wanted_moment",
]  # fmt: skip
