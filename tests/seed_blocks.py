"""Blocks of random seeds: a soak runs each block as a test case, so that `pytest -n 16` shares them out."""


def seed_blocks(count: int, block: int, first: int = 0) -> list[range]:
    """Split the seeds first … first + count - 1 into ranges of `block` seeds; the last one may be shorter."""
    if count < 1 or block < 1:
        raise ValueError(f"count and block are at least 1, not {count} and {block}")
    end = first + count
    return [range(k, min(k + block, end)) for k in range(first, end, block)]
