"""The performer: a controller that makes a human figure stand, jump and dance by joint forces alone.

`performer.py` contains the controller and its targets over time, `balance.py` the joint forces of the legs for balance,
`perform.py` the routines as files and the function `perform`, and `measures.py` the measures of jumps and of slip.
"""

from anthropi.gait.walker.performer.balance import BALANCE, Balance, balance, through_hips, upright
from anthropi.gait.walker.performer.perform import Routine, load_routine, perform, routines, save_routine, start_of
from anthropi.gait.walker.performer.performer import Key, Performer

__all__ = [
    "BALANCE",
    "Balance",
    "Key",
    "Performer",
    "Routine",
    "balance",
    "load_routine",
    "perform",
    "routines",
    "save_routine",
    "start_of",
    "through_hips",
    "upright",
]
