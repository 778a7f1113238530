"""Recording of functions: recording scalars, tapes, the loop `repeat`, derivatives of tapes. Independent of figures.

>>> import numpy as np
>>> from anthropi.tape import record
>>> tape = record(lambda x: x @ x, x=np.zeros(2))
>>> print(tape.listing())
(x[2]) → (result[])   # 3 operations
%2 = mul x[0] x[0]
%3 = mul x[1] x[1]
%4 = add %2 %3
result = %4
"""

from anthropi.tape import operators as _operators
from anthropi.tape.derivative_rules import derivative_rule
from anthropi.tape.inline import inline
from anthropi.tape.record import record
from anthropi.tape.repeat import repeat
from anthropi.tape.scalar import Mask, Scalar
from anthropi.tape.sweeps import pull, push
from anthropi.tape.tape import Slot, Tape

__all__ = ["Mask", "Scalar", "Slot", "Tape", "derivative_rule", "inline", "pull", "push", "record", "repeat"]

del _operators
