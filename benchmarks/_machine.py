"""What a benchmark ran on, and the best of several timings: what `anthropi bench` uses too."""

from anthropi.bench.timing import best, in_turns, machine

__all__ = ["best", "in_turns", "machine"]
