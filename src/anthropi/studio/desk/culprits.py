"""Which link, which joint, which time does an error speak of? For messages that point at it."""

import re

from anthropi.errors import AnthropiError
from anthropi.studio.messages import Problem

__all__ = ["problem_of", "refusal"]

LINK = re.compile(r"\b[Ll]ink '([^']+)'")
JOINT = re.compile(r"\b(?:[Jj]oint|[Dd]egree of freedom|dof) '([^']+)'")
TIME = re.compile(r"\bt = ([0-9.eE+-]*[0-9])\s*s|\bat ([0-9.eE+-]*[0-9]) s\b")


def refusal(error: BaseException) -> dict:
    """{message, link, joint, time} of an error, as replies have it."""
    words = " ".join(str(error).split())
    if not isinstance(error, AnthropiError):
        words = f"The studio failed ({type(error).__name__}: {words[:300]}). What is open is as it was."
    link, joint, time = LINK.search(words), JOINT.search(words), TIME.search(words)
    return {
        "message": words[:2000],
        "link": link[1] if link else "",
        "joint": joint[1] if joint else "",
        "time": float(time[1] or time[2]) if time else None,
    }


def problem_of(error: BaseException, task: int = 0) -> Problem:
    """The event that tells of an error."""
    return Problem(**refusal(error), task=task)
