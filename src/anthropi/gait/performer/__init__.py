"""A performer: a controller that makes a human figure stand, jump and dance in pure physics, nothing at its root.

`keys.py` says where the body is aimed over time, `balance.py` what legs do for balance, `performer.py` is the law,
`pieces.py` what is performed, as text; `perform` is the front.
"""

from anthropi.gait.performer.balance import BALANCE, Balance, balance, through_hips, upright
from anthropi.gait.performer.keys import Key
from anthropi.gait.performer.perform import perform, start_of
from anthropi.gait.performer.performer import Performer
from anthropi.gait.performer.pieces import Piece, load_piece, pieces, save_piece

__all__ = [
    "BALANCE", "Balance", "Key", "Performer", "Piece", "balance", "load_piece", "perform", "pieces", "save_piece",
    "start_of", "through_hips", "upright",
]  # fmt: skip
