"""The few errors AnthroPI raises. Each message names the culprit, the choices and the next step."""

import difflib

__all__ = [
    "AnthropiError", "AssemblyError", "BuildError", "FormatError", "FormatWarning", "MissingExtra", "SingularError",
    "SizeError", "StepError", "TraceError", "did_you_mean",
]  # fmt: skip


class AnthropiError(Exception):
    """Anything AnthroPI refuses to do."""


class TraceError(AnthropiError, TypeError):
    """A function did something with a recording scalar that a tape cannot hold."""


class SizeError(AnthropiError, ValueError):
    """An array has the wrong size or holds what it must not."""


class BuildError(AnthropiError, RuntimeError):
    """A tape could not become a kernel."""


class SingularError(AnthropiError, ArithmeticError):
    """A joint moves nothing: no force determines its motion."""


class StepError(AnthropiError, ArithmeticError):
    """A simulation could not go on. motion : what there was until then."""

    def __init__(self, words: str, motion=None):
        super().__init__(words)
        self.motion = motion


class Interrupted(AnthropiError, KeyboardInterrupt):
    """Somebody stopped a simulation (Ctrl-C). motion : what there was until then."""

    def __init__(self, words: str, motion=None):
        super().__init__(words)
        self.motion = motion


class AssemblyError(AnthropiError, ArithmeticError):
    """Bodies cannot be placed as asked. conflicting : names of constraints that cannot hold together, if known."""

    def __init__(self, words: str, conflicting: tuple[str, ...] = ()):
        super().__init__(words)
        self.conflicting = tuple(conflicting)


class FormatError(AnthropiError, ValueError):
    """A file does not hold what it should, or a format cannot hold what it was given."""


class FormatWarning(UserWarning):
    """A file says something about motion that a figure does not hold, or a figure something that a file does not."""


class MissingExtra(AnthropiError, ImportError):
    """An optional dependency is needed and not installed."""

    def __init__(self, package: str, extra: str, purpose: str):
        super().__init__(f"{purpose} needs '{package}'. Install it with: pip install 'anthropi[{extra}]'")


def did_you_mean(word: str, choices) -> str:
    """Return " Did you mean 'x'?" when one of the choices is close to the word, else an empty string."""
    near = difflib.get_close_matches(word, [str(c) for c in choices], n=1)
    return f" Did you mean '{near[0]}'?" if near else ""
