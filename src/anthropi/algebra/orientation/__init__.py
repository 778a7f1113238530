"""Rotations and poses for users: functions with checked input (`ap.rotation`), `ap.Rotation` and `ap.Transform`.

`anthropi.algebra.rotation` has the same functions without checks of values, for algorithms and tapes.
"""
