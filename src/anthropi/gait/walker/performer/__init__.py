"""A performer: a controller that makes a human figure stand, jump and dance in pure physics, nothing at its root.

`performer.py` says where the body is aimed over time, `balance.py` what legs do for balance, `performer.py` is the law,
`perform.py` what is performed, as text; `perform` is the front.
"""

from anthropi.gait.walker.performer.balance import BALANCE, Balance, balance, through_hips, upright
from anthropi.gait.walker.performer.perform import Routine, load_routine, perform, routines, save_routine, start_of
from anthropi.gait.walker.performer.performer import Key, Performer

__all__ = [
    "BALANCE", "Balance", "Key", "Performer", "Routine", "balance", "load_routine", "perform", "routines",
    "save_routine",
    "start_of", "through_hips", "upright",
]  # fmt: skip
