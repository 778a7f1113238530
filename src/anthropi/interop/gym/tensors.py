"""Episodes on torch tensors, where the simulation is: on the CPU, or on a GPU with target "gpu".

Actions, observations, rewards, ends, random numbers, starts and drawn parameters are tensors on that device. Nothing is
copied through the host and nothing waits for a GPU: restarts compute all environments and select by masks. Random
numbers are those of `Episodes`, so that an environment has the same episodes there and here, up to rounding.
"""

from typing import Any

import numpy as np

from anthropi.errors import MissingExtra, ShapeError
from anthropi.figure.states import MAX_ANGLE, angle_places, length_dofs
from anthropi.interop.gym.episodes import DRAWN, NOISE, START, Episodes
from anthropi.interop.gym.randomise import GOLDEN, Randomise
from anthropi.simulation.divergence import MAX_TRAVEL, MAX_TURN

try:
    import torch
except ImportError:
    raise MissingExtra("torch", "torch", 'VectorEnv(…, arrays="torch")') from None

__all__ = ["TensorEpisodes"]

_SEED = 2654435761  # as in `random_streams`


class TensorEpisodes(Episodes):
    """Episodes of all environments of a batched simulation, on tensors; parameters as in `Episodes`.

    device : of all tensors. steps : (batch,) control periods since the start of each episode.
    """

    def __init__(self, simulation: Any, *functions: Any, **options: Any) -> None:
        super().__init__(simulation, *functions, **options)
        far = simulation.target == "gpu" and self.batch > 1
        self.device = torch.device("cuda" if far else "cpu")
        self._dtype = torch.float64 if simulation.precision == "float64" else torch.float32
        self._restart_kernel = self._kernel("restart", self._restart)
        self._keys, self._episodes, self.steps = (self._zeros(dtype=torch.int64) for _ in range(3))
        self._goals, self._begun = self._zeros(self._goal.size), self._zeros(dtype=torch.float64)
        self._action, self._previous = self._zeros(self.actions), self._zeros(self.actions)
        self._state: Any = None  # (q, u) after a control period
        purposes = [_signed(int(GOLDEN) * int(k)) for k in (DRAWN, START, NOISE)]
        self._purposes = torch.tensor(purposes, device=self.device)
        figure = simulation.figure
        self._angles = torch.tensor(angle_places(figure), device=self.device)
        fastest = np.where(length_dofs(figure), MAX_TRAVEL, MAX_TURN) / simulation.dt
        self._fastest = torch.tensor(fastest, device=self.device, dtype=self._dtype)

    def _zeros(self, *shape: int, dtype: Any = None) -> Any:
        return torch.zeros(self.batch, *shape, device=self.device, dtype=dtype or self._dtype)

    def _tensor(self, array: Any) -> Any:
        """Return an array of the simulation as a tensor of its precision, in the same memory where possible."""
        if isinstance(array, np.ndarray):
            array = array if array.flags.writeable else array.copy()
        return torch.from_dlpack(array).to(self.device, self._dtype)

    def _array(self, name: str) -> Any:
        """Return an array of the state (batch, n)."""
        return self._tensor(self.simulation.state_array(name)).reshape(self.batch, -1)

    def _given(self, tensor: Any) -> Any:
        """Return a tensor as the simulation takes it."""
        return tensor if tensor.is_cuda else tensor.numpy()

    def _called(self, kernel: Any, given: dict[str, Any]) -> dict[str, Any]:
        return kernel(*(given[slot.name] for slot in kernel.inputs), threads=self.simulation.threads)

    def _rows(self) -> dict[str, Any]:
        """Return the rows of parameters (batch, n)."""
        return {name: self._tensor(x) for name, x in self.simulation.parameter_arrays().items()}

    # episodes

    def seed(self, keys: np.ndarray, where: np.ndarray) -> None:
        """Set the keys (batch,) of the random numbers of some environments, and count their episodes from 0."""
        mask = torch.tensor(where, device=self.device)
        fresh = torch.tensor(keys.astype(np.uint64).view(np.int64), device=self.device)
        self._keys = torch.where(mask, fresh, self._keys)
        self._episodes = torch.where(mask, torch.zeros_like(self._episodes), self._episodes)

    def kept(self, over: Any, where: np.ndarray) -> Any:
        """Return the entries of a mask (batch,) without those of some environments."""
        return torch.as_tensor(over, device=self.device) & ~torch.tensor(where, device=self.device)

    def restart(self, where: Any) -> Any:
        """Start new episodes in some environments, a mask (batch,); return the first observations of all (batch, n)."""
        where = torch.as_tensor(where, device=self.device)
        if not where.is_cuda and not bool(where.any()):
            return torch.zeros(self.batch, self.observations)
        sim, column = self.simulation, where[:, None]
        key = _mixed(self._keys + _GOLDEN * _mixed(self._episodes + 1))
        keys = _mixed(key[:, None] + self._purposes)
        given = self._rows() | {"unused": self._zeros()}
        given |= {"random": _uniform(keys[:, 1], self._draws)} if self._draws else {}
        if self.randomise is not None:
            given["drawn"] = _uniform(keys[:, 0], self.randomise.draws(sim))
        found = self._called(self._restart_kernel, given)
        rows = {name: self._given(x) for name, x in found.items() if name in ("parameters", "settings")}
        if rows:
            sim.set_parameter_rows(rows, self._given(where))
        begin = found["t"].double() if "t" in found else torch.zeros_like(self._begun)
        seed = _shifted(keys[:, 2], 40)
        if where.is_cuda:
            seed = ((seed * _SEED) % (1 << (24 if sim.precision == "float32" else 32))).double()
        sim.reset(self._given(found["q"]), self._given(found["u"]), seed=self._given(seed), where=self._given(where),
                  start=self._given(begin))  # fmt: skip
        if "goal" in found:
            self._goals = torch.where(column, found["goal"], self._goals)
        self._begun = torch.where(where, begin, self._begun)
        self._episodes, self.steps = self._episodes + where, torch.where(where, 0, self.steps)
        self._action, self._previous = (torch.where(column, 0.0, x) for x in (self._action, self._previous))
        self._state = None
        return found["observation"].float()

    def advance(self, actions: Any) -> Any:
        """Make one control period with actions (batch, n); return a mask (batch,) of simulations that diverged."""
        if tuple(actions.shape) != (self.batch, self.actions):
            wanted = (self.batch, self.actions)
            raise ShapeError(f"The actions have shape {tuple(actions.shape)}. Give a tensor of shape {wanted}.")
        self._previous = self._action
        self._action = actions.detach().to(self.device, self._dtype).clamp(-1.0, 1.0).contiguous()
        sim = self.simulation
        command = self._given(self._action)
        sim.step(self.substeps, command=command[0] if self.batch == 1 else command)
        self.steps = self.steps + 1
        q, u = self._state = self._array("q"), self._array("u")
        slow = (u.abs() <= self._fastest).all(-1) & torch.isfinite(q).all(-1)  # False for NaN
        return ~(slow & (q[:, self._angles].abs() <= MAX_ANGLE[sim.precision]).all(-1))

    def look(self, rows: Any = None) -> Any:
        """Return observations (batch, n) in float32, rewards (batch,) and ends (batch,)."""
        sim = self.simulation
        given = self._rows()
        given["q"], given["u"] = self._state or (self._array("q"), self._array("u"))
        given["t"] = self._begun + (self.steps * self.substeps).double() * sim.dt
        if sim.problem.contact is not None:
            given["forces"] = sim.program.means.unpack(self._array("means"))["contact"]
        given |= {"action": self._action, "previous": self._previous, "goal": self._goals}
        found = self._called(self._look_kernel, given)
        return found["observation"].float(), found["reward"].float(), found["over"] > 0.5

    def _restart(self, random: Any = None, drawn: Any = None, parameters: Any = None, settings: Any = None) -> Any:
        """Compute the start of an episode, its observation and its rows of parameters, from random numbers."""
        rows = {name: x for name, x in (("parameters", parameters), ("settings", settings)) if x is not None}
        if drawn is not None:
            rows = self._drawn(drawn, rows)
        found = self._start(random, rows.get("parameters"))
        problem, zeros = self.simulation.problem, np.zeros(self.actions)
        forces = None if problem.contact is None else np.zeros((len(problem.scene.candidates), 3))
        seen = self._look(found.get("t", 0.0), found["q"], found["u"], zeros, zeros, forces, found.get("goal"),
                          rows.get("parameters"))  # fmt: skip
        return found | {"observation": seen["observation"]} | (rows if drawn is not None else {})

    def _drawn(self, random: Any, rows: dict[str, Any]) -> dict[str, Any]:
        """Return rows of parameters with the numbers that are drawn; others keep their values."""
        sim, at = self.simulation, 0
        layout = sim.program.settings
        places = {f"settings {name}": x for name, x in layout.unpack(np.arange(layout.size)).items()}
        for name, size in sim.slot_sizes.items():
            places[f"parameters {name}"], at = np.arange(at, at + size), at + size
        changed = {name: list(x) for name, x in rows.items()}
        changes = self.randomise or Randomise()
        for name, values in changes.drawn(sim, random).items():
            row = "parameters" if name in sim.slot_sizes else "settings"
            own = np.ravel(places[f"{row} {name}"]).astype(int)
            for k, value in zip(own, np.broadcast_to(np.ravel(values), own.shape), strict=True):
                changed[row][k] = value
        return {name: np.array(x) for name, x in changed.items()}

    def _inputs(self, which: str) -> dict[str, Any]:
        if which != "restart":
            return super()._inputs(which)
        sim = self.simulation
        found = {name: np.zeros(x.shape[-1]) for name, x in sim.parameter_rows().items()}
        found |= {"random": np.zeros(self._draws)} if self._draws else {}
        found |= {"drawn": np.zeros(self.randomise.draws(sim))} if self.randomise is not None else {}
        return found or {"unused": np.zeros(())}


# the random numbers of randomise.py, in signed integers


def _signed(value: int) -> int:
    """Return the signed integer with the lowest 64 bits of a value."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


_GOLDEN = _signed(int(GOLDEN))
_FIRST, _SECOND = _signed(0xBF58476D1CE4E5B9), _signed(0x94D049BB133111EB)


def _shifted(z: Any, bits: int) -> Any:
    """Shift the 64 bits of integers to the right, and fill with zeros."""
    return (z >> bits) & ((1 << (64 - bits)) - 1)


def _mixed(z: Any) -> Any:
    """Return the hashes of integers, as `randomise.mixed`."""
    z = (z ^ _shifted(z, 30)) * _FIRST
    z = (z ^ _shifted(z, 27)) * _SECOND
    return z ^ _shifted(z, 31)


def _uniform(keys: Any, count: int) -> Any:
    """Return uniform random numbers in [0, 1), (k, count), as `randomise.uniform_numbers`."""
    each = keys[:, None] + _GOLDEN * torch.arange(1, count + 1, device=keys.device)
    return _shifted(_mixed(each), 11).double() * 2.0**-53
