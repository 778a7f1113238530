"""Other libraries that the benchmarks measure beside us."""

from peers.mujoco import MujocoPeer
from peers.pinocchio import PinocchioPeer

__all__ = ["PEERS"]

PEERS = (PinocchioPeer, MujocoPeer)
