"""Random bits as a pure function of a key and a counter: Philox 2x32-10 (Salmon et al., SC 2011)."""

import numpy as np

__all__ = ["MULTIPLIER", "ROUNDS", "WEYL", "uniform_bits"]

MULTIPLIER = 0xD256D193
WEYL = 0x9E3779B9
ROUNDS = 10
_LOW = np.uint64(0xFFFFFFFF)


def _whole(x):
    """The bits of a whole number, modulo 2**64; what is not finite counts as 0."""
    x = np.where(np.isfinite(x), x, 0.0)
    return np.clip(np.trunc(x), -(2.0**62), 2.0**62).astype(np.int64).astype(np.uint64)


def uniform_bits(key, counter):
    """64 random bits for each key (its low 32 bits) and counter (64 bits), both whole numbers held as floats."""
    key, counter = np.broadcast_arrays(_whole(key), _whole(counter))
    key, low, high = key & _LOW, counter & _LOW, counter >> np.uint64(32)
    for _ in range(ROUNDS):
        product = np.uint64(MULTIPLIER) * low  # 32 x 32 → 64 bits
        low, high = (product >> np.uint64(32)) ^ key ^ high, product & _LOW
        key = (key + np.uint64(WEYL)) & _LOW
    return (high << np.uint64(32)) | low
