"""Blocks of random seeds: a soak runs each block as a test case, so that `pytest -n 16` shares them out."""

from collections.abc import Iterable

import pytest

SHARE = 3  # `make test` runs one of so many blocks of a long comparison; `make soak` runs the others


def seed_blocks(count: int, block: int, first: int = 0) -> list[range]:
    """Split the seeds first … first + count - 1 into ranges of `block` seeds; the last one may be shorter."""
    if count < 1 or block < 1:
        raise ValueError(f"count and block are at least 1, not {count} and {block}")
    end = first + count
    return [range(k, min(k + block, end)) for k in range(first, end, block)]


def shared_with_soak(starts: Iterable[int]) -> list:
    """Return first seeds of blocks as parameters: every third block for `make test`, the others for a soak."""
    return [pytest.param(first, marks=[pytest.mark.soak] if k % SHARE else []) for k, first in enumerate(starts)]
