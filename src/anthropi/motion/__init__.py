"""Motions: recorded or planned sequences of states."""

from anthropi.motion.motion import Motion

__all__ = ["Motion"]
