"""Impulsive contact model (`Impulsive`): Moreau's time stepping with friction cones and restitution."""

from anthropi.contact.impulsive.model import Impulsive

__all__ = ["Impulsive"]
