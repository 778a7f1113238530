"""Impulsive contact: Moreau's time stepping with friction cones and restitution; `Impulsive` is the model."""

from anthropi.contact.impulsive.model import Impulsive

__all__ = ["Impulsive"]
