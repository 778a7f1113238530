"""Exception classes. Each message says what is wrong, lists the choices and gives the next step.

- `InputError`: an argument is wrong. `ShapeError`: an array has the wrong shape.
- `StateError`: a state is invalid, or a call comes at the wrong time. `AssemblyError`: bodies cannot be placed.
- `SingularError`: forces do not determine the motion of a joint, or a rate is infinite.
- `FileError`: a file cannot be read or written. `FormatError`: its content is wrong.
- `BuildError`: a tape cannot be compiled. `TraceError`: a function cannot be recorded.
- `SimulationError`: a run failed after it started. `StepError`: a run stopped early.
- `MissingExtra`: an optional dependency is not installed. `Interrupted`: a run was stopped by Ctrl-C.

All derive from `AnthropiError`; the second class of each line derives from the first, except `Interrupted`.
"""

import difflib
from collections.abc import Iterable
from itertools import islice
from typing import Any

__all__ = [
    "AnthropiError", "AssemblyError", "BuildError", "CacheWarning", "FileError", "FormatError", "FormatWarning",
    "InputError", "Interrupted", "MissingContactWarning", "MissingExtra", "PhysicsWarning", "ShapeError",
    "SimulationError", "SingularError", "StateError", "StepError", "StudyWarning", "TraceError", "ValidityWarning",
    "did_you_mean", "half_character",
]  # fmt: skip


class AnthropiError(Exception):
    """Base class of all errors that AnthroPI raises."""


class InputError(AnthropiError, ValueError):
    """An argument has a wrong type or value, names something unknown, or contradicts another argument.

    The message names the argument and the choices. Correct the call; nothing has been computed.
    """


class ShapeError(InputError):
    """An array has the wrong shape or number of entries. The message gives the shape found and the shape expected."""


class StateError(AnthropiError, ValueError):
    """A state does not fit the figure or the task, or a call comes at the wrong time.

    Examples: a quaternion in q that is not of unit length, a loop that is open at the start, reading the motion of a
    session that has not run yet. Correct the state, or first make the call that the message names.
    """


class AssemblyError(StateError, ArithmeticError):
    """No placement of the bodies satisfies the constraints, or none was found from the initial placement.

    conflicting : names of a smallest set of constraints for which no solution was found; with any of them left out, one
        was found. Remove one of them, or start closer to a solution.
    proof : why these constraints cannot hold together, in words; empty if this is not proven, and a solution may exist.
    """

    conflicting: tuple[str, ...]
    proof: str

    def __init__(self, message: str, conflicting: tuple[str, ...] = (), proof: str = "") -> None:
        super().__init__(message)
        self.conflicting, self.proof = tuple(conflicting), proof


class SingularError(AnthropiError, ArithmeticError):
    """Forces do not determine the motion of a joint: nothing with inertia moves with it, or the state is singular.

    Give mass to the link beyond the joint, give armature to the joint, lock the joint, or change the configuration.
    Functions of `ap.rotation` raise it where a rate is infinite (gimbal lock, a whole turn) or several rotations fit.
    """


class FileError(AnthropiError, ValueError):
    """A file cannot be found, read or written. Check the path, the file extension and the permissions."""


class FormatError(FileError):
    """The content of a file, script or message does not follow its format, or a format cannot represent the data.

    The message names the file and the place in it. Correct the file, or choose another format.
    """


class FormatWarning(UserWarning):
    """Part of a file or figure is omitted, because the figure or the format cannot represent it."""


class CacheWarning(UserWarning):
    """The cache of compiled kernels is not used, because other users could write to it."""


class ValidityWarning(UserWarning):
    """A controller is used outside the range in which it was tested. The message states the range and what happens."""


class MissingContactWarning(UserWarning):
    """A motion needs support from outside, but it contains no contact forces and no external forces were given."""


class PhysicsWarning(UserWarning):
    """A result needs forces that nothing exerts, or another method was chosen because of the figure."""


class BuildError(AnthropiError, RuntimeError):
    """A tape cannot be compiled or loaded for a target. Choose another target, precision or opt, or record again."""


class TraceError(BuildError, TypeError):
    """A function cannot be recorded, because a tape cannot represent one of its operations on a recording scalar.

    The message names the operation and its replacement.
    """


class SimulationError(AnthropiError, ArithmeticError):
    """A run started but could not be completed.

    For example, a state became infinite, a figure fell, or a search found no solution. Use a shorter time step, softer
    forces or another initial state.
    """


class StepError(SimulationError):
    """A run stopped before its end. Its attribute `motion` is the motion recorded until then, or None."""

    def __init__(self, message: str, motion: Any = None) -> None:
        super().__init__(message)
        self.motion = motion


class StudyWarning(UserWarning):
    """A worker of a study returned wrong results. The message names it; its results are computed again."""


class Interrupted(AnthropiError, KeyboardInterrupt):
    """The user stopped a run or a search (Ctrl-C).

    Its attribute `motion` is the motion recorded until then, or None. `result` is the best result of a search until
    then, of the type that the search returns, or None.
    """

    def __init__(self, message: str, motion: Any = None, result: Any = None) -> None:
        super().__init__(message)
        self.motion, self.result = motion, result


class MissingExtra(AnthropiError, ImportError):
    """An optional dependency is needed but not installed. The message gives the `pip install` command."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs '{package}'. Install it with: pip install 'anthropi[{extra}]'")


def half_character(text: str) -> str:
    """Say that a text cannot be written to any file, because it contains half of a character; "" if it can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "half of a character (a lone surrogate), such as a cut emoji. Give whole characters."
    return ""


MAX_COMPARED, MAX_COMPARED_LENGTH = 5000, 100  # choices, and characters of each: the comparison takes quadratic time


def did_you_mean(word: str, choices: Iterable[Any]) -> str:
    """Return " Did you mean 'x'?" when one of the choices is close to the word, else an empty string."""
    known = [str(c)[:MAX_COMPARED_LENGTH] for c in islice(choices, MAX_COMPARED)]
    near = difflib.get_close_matches(word[:MAX_COMPARED_LENGTH], known, n=1)
    return f" Did you mean '{near[0]}'?" if near else ""
