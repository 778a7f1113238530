"""Who does what: a handler a command, each entered by a decorator. A new command is a message and a function."""

from collections.abc import Callable
from typing import Any

__all__ = ["AT_ONCE", "HANDLERS", "at_once", "does"]

HANDLERS: dict[type, Callable[[Any, Any], Any]] = {}  # command: function (desk, command) → result
AT_ONCE: set[type] = set()  # those that wait for nobody: they only tell a live run something


def does(command: type):
    """Enter a handler (desk, command) → result. It runs in the desk's own thread, one after the other."""

    def enter(function):
        HANDLERS[command] = function
        return function

    return enter


def at_once(command: type):
    """Enter a handler that is called in the server's loop and returns at once."""
    AT_ONCE.add(command)
    return does(command)
