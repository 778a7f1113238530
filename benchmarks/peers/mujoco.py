"""A figure in MuJoCo: one step of time, contacts off, all else as MuJoCo comes (its Euler is semi-implicit)."""

import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from anthropi.formats import InitialState, write

__all__ = ["MujocoPeer"]


class MujocoPeer:
    """The figure as MuJoCo holds it, through our MJCF writer. `calls` are to be timed, `result` is to be compared."""

    name, module, package = "MuJoCo", "mujoco", "mujoco"
    subjects = ("step",)

    def __init__(self, figure, dt: float):
        import mujoco

        self.mujoco, self.figure, self.dt, self.version = mujoco, figure, dt, mujoco.__version__

    def _at(self, state: dict):
        """Model and data in this state."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "figure.xml"
            write(self.figure, file, InitialState(state["q"], state["u"], np.zeros(self.figure.nu)))
            model = self.mujoco.MjModel.from_xml_path(str(file))
        model.opt.timestep = self.dt
        model.opt.disableflags |= int(self.mujoco.mjtDisableBit.mjDSBL_CONTACT)
        data = self.mujoco.MjData(model)
        self.mujoco.mj_resetDataKeyframe(model, data, 0)
        for i in range(self.figure.n):
            data.qfrc_applied[self._dofs(model, i)] = state["tau"][self.figure.u_of[i]]
        return model, data

    def _dofs(self, model, i: int) -> slice:
        """Where the velocities of joint i lie; MuJoCo numbers links in another order."""
        body = model.body(self.figure.links[i].name).id
        first = model.body_dofadr[body] if self.figure.joints[i].nu else 0
        return slice(first, first + self.figure.joints[i].nu)

    def calls(self, subject: str, state: dict) -> dict:
        """Ways to do it once, by name; the quickest counts."""
        return {"": self._step({**state, "tau": 0.0 * state["tau"]})}

    def batch(self, subject: str, states: dict, count: int):
        """`count` steps in one call."""
        first = {n: x[0] for n, x in states.items()}
        return self._step({**first, "tau": 0.0 * first["tau"]}, count)

    def _step(self, state: dict, *count: int):
        model, data = self._at(state)
        call = partial(self.mujoco.mj_step, model, data, *count)
        call.before = partial(self.mujoco.mj_resetDataKeyframe, model, data, 0)  # type: ignore[attr-defined]
        return call

    def result(self, subject: str, state: dict) -> list[np.ndarray]:
        """u⁺, and what q⁺ means: where every link is, and its attitude."""
        model, data = self._at(state)
        self.mujoco.mj_step(model, data)
        self.mujoco.mj_kinematics(model, data)
        u = [data.qvel[self._dofs(model, i)] for i in range(self.figure.n)]
        bodies = [model.body(link.name).id for link in self.figure.links]
        return [np.concatenate(u), data.xpos[bodies], data.xmat[bodies].reshape(-1, 3, 3)]
