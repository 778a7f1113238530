"""What a benchmark ran on, and the best of several timings: what `anthropi bench` uses too."""

from anthropi.cli.measure import best, machine, time_in_turns

__all__ = ["best", "machine", "time_in_turns"]
