"""Table of the contact models that scripts and the studio offer by name."""

from typing import Any, Literal, NamedTuple

from anthropi.contact.compliant import Compliant
from anthropi.contact.convex import Convex
from anthropi.contact.impulsive import Impulsive

__all__ = ["CONTACT_MODELS", "ContactName", "NamedModel"]

ContactName = Literal["compliant", "convex", "impulsive"]
"""Names of the contact models, for type checkers and messages; the keys of `CONTACT_MODELS`."""


class NamedModel(NamedTuple):
    """A contact model with a name.

    make : its class. words : description in a sentence. keys : {key in a script: parameter of the class}.
    """

    make: Any
    words: str
    keys: dict[str, str]


_IMPULSIVE = {
    "tolerance": "tolerance",
    "passes": "passes",
    "slow": "min_bounce_speed",
    "slop": "slop",
    "pull": "correction",
}

CONTACT_MODELS: dict[ContactName, NamedModel] = {
    "compliant": NamedModel(
        Compliant,
        "Springs, dampers and friction at every contact point.",
        {"depth": "depth", "relaxation": "relaxation", "calm": "damping"},
    ),
    "convex": NamedModel(
        Convex, "Contact impulses without penetration, solved together as a convex problem.", _IMPULSIVE
    ),
    "impulsive": NamedModel(
        Impulsive, "Contact impulses solved one after the other, with bouncing and slipping.", _IMPULSIVE
    ),
}
