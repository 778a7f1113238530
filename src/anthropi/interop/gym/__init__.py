"""Gymnasium environments over one batched simulation (extra `gymnasium`).

Loading this module registers the environments anthropi/HumanStand-v0, HumanWalk-v0, HumanRun-v0, HumanGait-v0,
Hopper-v0, Reach-v0, Roach-v0 and Cartpole-v0 for `gymnasium.make` and `gymnasium.make_vec`.
"""

from anthropi.interop.gym.baselines import sb3
from anthropi.interop.gym.env import Env, VectorEnv
from anthropi.interop.gym.laws import Forces, Targets
from anthropi.interop.gym.randomise import Randomise
from anthropi.interop.gym.recording import Camera
from anthropi.interop.gym.registration import ENVIRONMENTS, register
from anthropi.interop.gym.view import Random, Start, View, legged_observation, on_ground, upright, with_joints

__all__ = [
    "ENVIRONMENTS", "Camera", "Env", "Forces", "Random", "Randomise", "Start", "Targets", "VectorEnv", "View",
    "legged_observation", "on_ground", "register", "sb3", "upright", "with_joints",
]  # fmt: skip

register()
