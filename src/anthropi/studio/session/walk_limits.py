"""Notes on commands of a live walk that are outside the limits of the walker (`gait/walker/limits.py`)."""

import math
from typing import Any

from anthropi.gait.walker import Command
from anthropi.gait.walker.limits import Going, body_notes, change_notes, steepness_note
from anthropi.gait.walker.parameters import size_of
from anthropi.studio.messages import Ground, Problem
from anthropi.studio.session.session import StudioSession

__all__ = ["emit_body_notes", "emit_command_notes", "emit_ground_notes"]


def emit_body_notes(session: StudioSession, model: Any) -> None:
    """Send notes on the body of a walker to the browsers."""
    figure = model.problem.figure
    _emit(session, body_notes(model.file.limits, figure, float(size_of(figure).length)))


def emit_command_notes(
    session: StudioSession, model: Any, before: Command | None, style: str, speed: float | None
) -> None:
    """Send notes on the present command of a walker: a reduced or untested speed, a stop, a turn on the spot.

    Parameters
    ----------
    before, style : the command and the style before the present one; before is None at the start.
    speed : [m/s] the speed that was asked for, if any.
    """
    limits, factor, now = model.file.limits, float(size_of(model.problem.figure).time), model.command
    old, new = _going(before, style), _going(now, model.style.name)
    notes = change_notes(limits, old, new, factor)
    known = change_notes(limits, Going(), old, factor)  # said already: a slider sends many commands
    if speed is not None and abs(speed - now.speed) > 1e-9:
        low, high = model.speeds
        notes.append(f"speed={speed:g} m/s: this figure walks at {low:.2f} to {high:.2f} m/s. It goes {now.speed:.2f}.")
    same_side = before is not None and bool(known) and before.go and now.go
    _emit(session, [] if same_side else notes)


def emit_ground_notes(session: StudioSession, model: Any, ground: Ground) -> None:
    """Send a note on a ramp that is steeper than those that the walker was tried on."""
    if ground.kind == "slope":
        _emit(session, steepness_note(model.file.limits, abs(math.tan(ground.slope))))


def _going(command: Command | None, style: str) -> Going:
    if command is None:
        return Going()
    return Going("walk" if command.go else "stand", float(command.speed), float(command.heading), style)


def _emit(session: StudioSession, notes: list[str]) -> None:
    for note in notes:
        session.emit(Problem(note, level="note"))
