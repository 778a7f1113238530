"""Episodes of one batched simulation: start, control periods, observation, reward and end.

Per control period there is one call of the simulation's kernel, and one call of a second kernel that computes
observation, reward and end for the whole batch. A third kernel computes the start of the environments that restart.
All are recorded from the functions of the task, and found by their content.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import clip, records, where
from anthropi.algorithms.kinematics import kinematics
from anthropi.compiler import build, kernel_for
from anthropi.compiler.cache import digest
from anthropi.compiler.content import KeptByContent, content_key
from anthropi.contact.geometry.contacts import contact_records
from anthropi.errors import InputError, ShapeError, StepError
from anthropi.interop.gym.randomise import GOLDEN, Randomise, mixed, uniform_numbers
from anthropi.interop.gym.view import Random, Start, View
from anthropi.simulation.memory import layout
from anthropi.simulation.policy import Policy
from anthropi.simulation.sense import Contacts
from anthropi.simulation.simulation import Simulation
from anthropi.simulation.slots import with_slots
from anthropi.tape import record

__all__ = ["Episodes"]

_MAX_KERNELS = 64
_kernels = KeptByContent(_MAX_KERNELS)
START, DRAWN, NOISE = (np.uint64(k) for k in (1, 2, 3))  # separate random numbers for start, Randomise and Sense.noise


class Episodes:
    """Episodes of all environments of a batched simulation.

    Parameters
    ----------
    simulation : `Simulation` with an action law as controller.
    observe, reward, done : functions (figure, view) → (n,) array, number, mask. done None means never.
    start : function (figure, random) → `Start`; None starts at the neutral pose.
    actions, substeps : number of actions, steps of a control period; None takes those of the action law.
    randomise : `Randomise`, or None.
    bound : largest absolute value in an observation; larger ones are clipped.

    Attributes
    ----------
    steps : (batch,) control periods since the start of the episode of each environment.
    """

    steps: Any
    _keys: Any
    _episodes: Any
    _goals: Any
    _action: Any
    _previous: Any

    def __init__(
        self, simulation: Simulation, observe: Any, reward: Any, done: Any = None, *, start: Any = None,
        actions: int | None = None, substeps: int | None = None, randomise: Randomise | None = None,
        bound: float = 100.0,
    ) -> None:  # fmt: skip
        if not isinstance(simulation, Simulation):
            raise InputError(f"An environment needs an ap.Simulation, and got {type(simulation).__name__}.")
        law = simulation.problem.controller
        self.simulation, self.batch = simulation, simulation.batch
        self.observe, self.reward, self.done, self.begin = observe, reward, done, start or _neutral
        self.randomise, self.bound = randomise, float(bound)
        self.actions = _count("actions", getattr(law, "actions", None) if actions is None else actions)
        self.substeps = _count("substeps", getattr(law, "substeps", None) if substeps is None else substeps)
        if randomise is not None:
            randomise.check(simulation)
        counter = Random()
        first = self._started(simulation.problem, counter)
        self._draws = counter.used
        self._goal = layout({name: np.asarray(x, float) for name, x in first.goal.items()})
        self._start_kernel, self._look_kernel = self._kernel("start", self._start), self._kernel("look", self._look)
        self.observations = next(s.shape[0] for s in self._look_kernel.outputs if s.name == "observation")
        self._keys, self._episodes = np.zeros(self.batch, np.uint64), np.zeros(self.batch, np.uint64)
        self.steps = np.zeros(self.batch, int)
        self._goals = np.zeros((self.batch, self._goal.size))
        self._action, self._previous = (np.zeros((self.batch, self.actions)) for _ in range(2))

    @property
    def period(self) -> float:
        """Control period [s]."""
        return self.substeps * self.simulation.dt

    @property
    def operations(self) -> int:
        """Operations of one control period: the steps of the simulation, observation, reward and end."""
        sim = self.simulation
        stepping = sim.held(1, None, np.zeros(self.actions), None).kernel
        return self.substeps * stepping.operations + self._look_kernel.operations

    # recorded functions

    def _started(self, problem: Any, random: Random) -> Start:
        found = self.begin(problem.figure, random)
        if not isinstance(found, Start):
            found = Start(*found) if isinstance(found, tuple) else Start(found)
        return found

    def _problem(self, parameters: Any) -> Any:
        """Return the problem with the numbers of the slots, which may be recorded."""
        sim = self.simulation
        return sim.problem if parameters is None else with_slots(sim.problem, sim.program.slots, parameters)

    def _start(self, random: Any = None, parameters: Any = None) -> dict[str, Any]:
        """Compute the start of an episode from random numbers."""
        problem = self._problem(parameters)
        found = self._started(problem, Random(np.zeros(0) if random is None else random))
        u = np.zeros(problem.figure.nu) if found.u is None else found.u
        more = {"goal": self._goal.pack(found.goal)} if self._goal.size else {}
        more |= {"t": np.asarray(found.t)} if records(found.t) or found.t != 0.0 else {}
        return {"q": np.asarray(found.q), "u": np.asarray(u)} | more

    def _look(self, t: Any, q: Any, u: Any, action: Any, previous: Any, forces: Any = None, goal: Any = None,
              parameters: Any = None) -> dict[str, Any]:  # fmt: skip
        """Compute observation, reward and end of one environment."""
        problem = self._problem(parameters)
        figure = problem.figure
        records = contact_records(problem.scene) if problem.contact is not None else ()
        names = tuple(x.name for x in records), tuple((c.a, c.b) for c in problem.scene.candidates) if records else ()
        felt = Contacts(*names, np.zeros((0, 3)) if forces is None else forces)
        goals = {} if goal is None else self._goal.unpack(goal)
        view = View(t, q, u, kinematics(figure, q, u), felt, action, previous, goals)
        seen = np.asarray(self.observe(figure, view))
        if seen.ndim != 1:
            raise ShapeError(f"observe returned shape {seen.shape}. It must return a one-dimensional array.")
        over = 0.0 if self.done is None else where(self.done(figure, view), 1.0, 0.0)
        return {"observation": clip(seen, -self.bound, self.bound), "over": np.asarray(over),
                "reward": np.asarray(self.reward(figure, view))}  # fmt: skip

    def _kernel(self, which: str, function: Any) -> Any:
        sim, inputs = self.simulation, self._inputs(which)

        def trace() -> Any:
            return record(lambda unused=None, **given: function(**given), **inputs)

        looks = (self.observe, self.reward, self.done, self.bound, self.actions)
        own = {"start": self.begin, "look": looks}.get(which, (looks, self.begin, self.randomise, sim.problem, sim.dt))
        parts = (which, own, sim.problem.figure, sim.problem.scene, sim.program.slots, self._goal)

        def make() -> Any:
            key = content_key(parts)
            if key is None:
                return build(trace(), sim.target, sim.precision, sim.opt)
            return kernel_for(digest("gym", key), trace, sim.target, sim.precision, sim.opt)

        return _kernels.find((*parts, sim.target, sim.precision, str(sim.opt)), make)

    def _inputs(self, which: str) -> dict[str, Any]:
        """Return the inputs of a kernel."""
        sim = self.simulation
        found: dict[str, Any] = {"parameters": np.zeros(sim.program.size)} if sim.program.slots else {}
        if which == "start":
            found |= {"random": np.zeros(self._draws)} if self._draws else {}
            return found or {"unused": np.zeros(())}
        figure, many = sim.figure, np.zeros(self.actions)
        found |= {"t": np.zeros(()), "q": np.zeros(figure.nq), "u": np.zeros(figure.nu)}
        found |= {"action": many, "previous": many}
        if sim.problem.contact is not None:
            found["forces"] = np.zeros((len(sim.problem.scene.candidates), 3))
        return found | ({"goal": np.zeros(self._goal.size)} if self._goal.size else {})

    # episodes

    def seed(self, keys: np.ndarray, where: np.ndarray) -> None:
        """Set the keys (batch,) of the random numbers of some environments, and count their episodes from 0."""
        self._keys = np.where(where, keys.astype(np.uint64), self._keys)
        self._episodes = np.where(where, np.uint64(0), self._episodes)

    def kept(self, over: Any, where: np.ndarray) -> Any:
        """Return the entries of a mask (batch,) without those of some environments."""
        return over & ~where

    def restart(self, where: Any) -> Any:
        """Start new episodes in some environments, a mask (batch,)."""
        rows = np.flatnonzero(where)
        if not len(rows):
            return
        sim = self.simulation
        with np.errstate(over="ignore"):
            key = mixed(self._keys[rows] + GOLDEN * mixed(self._episodes[rows] + np.uint64(1)))
            drawn, begun, noise = (mixed(key + GOLDEN * k) for k in (DRAWN, START, NOISE))
        if self.randomise is not None:
            found = self.randomise.draw(sim, drawn)
            sim.set_parameters({name: self._spread(rows, x) for name, x in found.items()}, where)
        given: dict[str, Any] = {"random": uniform_numbers(begun, self._draws), "unused": np.zeros(len(rows))}
        given["parameters"] = sim.parameter_rows().get("parameters", np.zeros((self.batch, 0)))[rows]
        found = self._start_kernel(*(given[slot.name] for slot in self._start_kernel.inputs))
        u = self._spread(rows, found["u"])
        q = self._spread(rows, found["q"])
        q[~where] = sim.figure.neutral()
        seed = self._spread(rows, (noise >> np.uint64(40)).astype(float)).astype(np.int64)
        sim.reset(q, u, seed=seed, where=where, start=self._spread(rows, found["t"]) if "t" in found else 0.0)
        if "goal" in found:
            self._goals[rows] = found["goal"]
        self._episodes[rows] += np.uint64(1)
        self.steps[rows] = 0
        self._action[rows] = self._previous[rows] = 0.0

    def _spread(self, rows: np.ndarray, values: Any) -> np.ndarray:
        """Return an array for all environments (batch, …) with values (k, …) in some rows, and zeros elsewhere."""
        values = np.asarray(values, float)
        whole = np.zeros((self.batch, *values.shape[1:]))
        whole[rows] = values
        return whole

    def advance(self, actions: Any) -> np.ndarray:
        """Make one control period with actions (batch, n); return a mask (batch,) of simulations that diverged."""
        sim = self.simulation
        self._previous = self._action
        self._action = np.clip(np.array(actions, float).reshape(self.batch, self.actions), -1.0, 1.0)
        lost = np.zeros(self.batch, bool)
        try:
            sim.step(self.substeps, command=self._action[0] if self.batch == 1 else self._action)
        except StepError:
            lost[0] = True
        if self.batch > 1:
            lost = np.asarray(sim.diverged)
        self.steps += 1
        return lost

    def look(self, rows: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return observations (k, n) in float32, rewards (k,) and ends (k,) of some environments; all if None."""
        sim = self.simulation
        given = {"t": sim.time, "q": sim.q, "u": sim.u}
        given |= {"forces": sim.contacts.forces} if sim.problem.contact is not None else {}
        if self.batch == 1:
            given = {name: np.asarray(x)[None] for name, x in given.items()}
        given |= sim.parameter_rows() | {"action": self._action, "previous": self._previous, "goal": self._goals}
        arrays = [given[slot.name] for slot in self._look_kernel.inputs]
        if rows is not None:
            arrays = [x[rows] for x in arrays]
        found = self._look_kernel(*arrays, threads=sim.threads)
        return found["observation"].astype(np.float32), np.asarray(found["reward"], float), found["over"] > 0.5

    def policy(self, file: Any) -> Policy:
        """Return a saved policy as a controller with the action law and the observation of this environment."""
        problem = self.simulation.problem
        contacts = 0 if problem.contact is None else len(problem.scene.candidates)
        goal = self._started(problem, Random()).goal
        return Policy.load(file, problem.controller, self.observe, bound=self.bound, substeps=self.substeps, goal=goal,
                           contacts=contacts)  # fmt: skip

    def motion_figure(self, row: int) -> Any:
        """Return the figure of an environment, with the numbers that were drawn for it."""
        sim = self.simulation
        own = [name for name in sim.slot_sizes if name not in ("friction", "ground.point", "ground.normal")]
        if not own:
            return sim.figure
        values = sim.parameter_rows()["parameters"][row]
        starts = dict(zip(sim.slot_sizes, np.cumsum([0, *sim.slot_sizes.values()]), strict=False))
        chosen = [values[starts[name] : starts[name] + sim.slot_sizes[name]] for name in own]
        return sim.figure.with_numbers(own, np.concatenate(chosen))


def _neutral(figure: Any, random: Any) -> Start:
    return Start(figure.neutral())


def _count(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or value < 1:
        raise InputError(
            f"{name}={value!r} is not valid. Use an action law such as ap.gym.Targets, or give an integer, at least 1."
        )
    return int(value)
