"""A trained policy as a controller: a network from observations to the action of an action law.

With the observation s (n,), its mean m and deviation d in training, the limit b of normalised observations, layers W,
w, an activation φ and a factor c, the action a (in [-1, 1]) is

    x₀ = clip((s - m) / d, -b, b)                                              (1)
    x_k+1 = φ(W_k x_k + w_k),   a = clip(c (W_K x_K + w_K), -1, 1)             (2)

It is computed at the start of a control period of `substeps` steps and held until its end, as in training. In between,
the loop that contains the network makes no pass.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import clip, exp, floor, gather, less, minimum, records, where
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.simulation.memory import named, part_of
from anthropi.simulation.sense import Contacts
from anthropi.tape import repeat

__all__ = ["ACTIVATIONS", "Policy", "View"]

PARTS = 8  # partial sums of a product, which a processor adds at the same time
OWN = "policy"  # first part of the names of the policy's own memory


def _elu(x: Any) -> Any:
    return where(less(0.0, x), x, exp(minimum(x, 0.0)) - 1.0)


def _tanh(x: Any) -> Any:
    return 1.0 - 2.0 / (exp(2.0 * clip(x, -20.0, 20.0)) + 1.0)


def _relu(x: Any) -> Any:
    return where(less(0.0, x), x, 0.0)


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {"elu": _elu, "tanh": _tanh, "relu": _relu}


class View(NamedTuple):
    """What an observation function reads: the state at the start of a control period.

    Attributes
    ----------
    t : [s] time since the start of the episode, plus `Start.t`.
    q, u : (nq,), (nu,) state. kinematics : poses and velocities of all links.
    contacts : contacts with their mean forces (contacts, 3) [N] over the last control period, in world axes.
    action, previous : (n,) actions of the last control period and of the one before, from -1 to 1; 0 after a restart.
    goal : {name: numbers} of the episode, from `Start.goal`.
    """

    t: Any
    q: Any
    u: Any
    kinematics: Any
    contacts: Contacts
    action: Any
    previous: Any
    goal: dict[str, Any]


class Policy:
    """Controller that computes the action of an action law by a network, (1) and (2).

    Parameters
    ----------
    law : action law, such as `ap.gym.Targets`: a controller that reads the action from `sense.command`.
    observe : pure function (figure, view) → (n,), the same as in training; `view` is a `View`.
    weights, biases : W (outputs, inputs) and w (outputs,) of each layer.
    centre, deviation : m and d, (n,); 0 and 1 if None. limit : b. scale : c. activation : a name in `ACTIVATIONS`.
    bound : largest absolute value of an observation before (1), as in the environment.
    substeps : steps of a control period; by default those of the law.
    goal : {name: numbers} for `view.goal`. They are parameters of the controller with the names "goal.<name>".
    contacts : number of contacts of the scene, if the observation reads their forces. In an environment these are means
        of the applied forces, here of the measured ones, which differ by the implicit part of a step.
    """

    def __init__(
        self, law: Any, observe: Any, weights: Any, biases: Any, *, centre: Any = None, deviation: Any = None,
        limit: float = 10.0, scale: float = 1.0, activation: str = "elu", bound: float = 100.0,
        substeps: int | None = None, goal: Any = None, contacts: int = 0,
    ) -> None:  # fmt: skip
        if activation not in ACTIVATIONS:
            known = ", ".join(ACTIVATIONS)
            hint = did_you_mean(activation, ACTIVATIONS)
            raise InputError(f"activation={activation!r} is not valid.{hint} Choose from: {known}.")
        self.law, self.observe, self.activation = law, observe, activation
        self.weights = tuple(np.asarray(x, float).copy() for x in weights)
        self.biases = tuple(np.asarray(x, float).copy() for x in biases)
        inputs = self.weights[0].shape[-1]
        self.centre = np.array(np.zeros(inputs) if centre is None else centre, float)
        self.deviation = np.array(np.ones(inputs) if deviation is None else deviation, float)
        self.limit, self.scale, self.bound, self.contacts = float(limit), float(scale), float(bound), int(contacts)
        self.substeps = int(law.substeps if substeps is None else substeps)
        self._check()
        self.prescribed = tuple(law.prescribed)
        self.goal = {name: np.asarray(x, float) for name, x in (goal or {}).items()}
        self.parameters = law.parameters | named("goal", self.goal)
        own: dict[str, Any] = {"action": np.zeros(len(self.biases[-1])), "previous": np.zeros(len(self.biases[-1]))}
        own |= {"forces": np.zeros((self.contacts, 3))} if self.contacts else {}
        self.memory = law.memory | named(OWN, own)

    def _check(self) -> None:
        """Raise an error if the layers do not fit together or to the action law."""
        size = len(self.centre)
        if self.deviation.shape != (size,) or not (self.deviation > 0.0).all():
            raise InputError(f"deviation must be {size} numbers above 0.")
        for k, (W, w) in enumerate(zip(self.weights, self.biases, strict=True)):
            if W.shape != (len(w), size):
                raise ShapeError(f"Layer {k} has weights of shape {W.shape}. Give ({len(w)}, {size}).")
            if not (np.isfinite(W).all() and np.isfinite(w).all()):
                raise InputError(f"Layer {k} contains a number that is not finite.")
            size = len(w)
        if getattr(self.law, "actions", size) != size:
            raise ShapeError(f"The policy has {size} outputs, but the action law has {self.law.actions} actions.")

    # files

    @classmethod
    def load(cls, file: Any, law: Any, observe: Any, **options: Any) -> "Policy":
        """Load a policy from a file that `save` wrote; law, observe and options as in `Policy`."""
        with np.load(file) as found:
            missing = [name for name in ("weight_0", "bias_0") if name not in found]
            if missing:
                raise InputError(f"The file '{file}' contains no policy: it has no array '{missing[0]}'.")
            layers = sum(name.startswith("weight_") for name in found)
            weights, biases = ([found[f"{kind}_{k}"] for k in range(layers)] for kind in ("weight", "bias"))
            own = {name: found[name] for name in ("centre", "deviation") if name in found}
            own |= {name: float(found[name]) for name in ("limit", "scale") if name in found}
            own |= {"activation": str(found["activation"])} if "activation" in found else {}
        return cls(law, observe, weights, biases, **(own | options))

    def save(self, file: Any) -> Path:
        """Save layers and normalisation (.npz), and return the path."""
        arrays: dict[str, Any] = {f"weight_{k}": W for k, W in enumerate(self.weights)}
        arrays |= {f"bias_{k}": w for k, w in enumerate(self.biases)}
        arrays |= {"centre": self.centre, "deviation": self.deviation, "limit": self.limit, "scale": self.scale}
        path = Path(file)
        np.savez(path, **arrays, activation=self.activation)
        return path

    # controller

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the drive of the action law, and the memory."""
        own, goal = part_of(memory, OWN), part_of(parameters, "goal")
        step = sense.count - self.substeps * floor((sense.count + 0.5) / self.substeps)  # in the control period
        first = less(step, 0.5)
        felt = sense.contacts
        if self.contacts:
            mean = own["forces"] / float(self.substeps)
            own["forces"] = where(first, 0.0, own["forces"]) + felt.forces
            felt = felt._replace(forces=mean)
        view = View(sense.t, sense.q, sense.u, sense.kinematics, felt, own["action"], own["previous"], goal)
        seen = clip(np.asarray(self.observe(figure, view)), -self.bound, self.bound)
        action, _ = repeat(lambda now: (self.action(seen), 1.0), (own["action"], where(first, 0.0, 1.0)), 1,
                           lambda now: less(0.5, now[1]))  # fmt: skip
        own["previous"], own["action"] = where(first, own["action"], own["previous"]), action
        drive, after = self.law(figure, sense._replace(command=action), memory, parameters)
        return drive, after | named(OWN, own)

    def action(self, seen: Any) -> Any:
        """Return the action (n,) for an observation, by (1) and (2)."""
        x = clip((seen - self.centre) / self.deviation, -self.limit, self.limit)  # (1)
        last = len(self.weights) - 1
        for k, (W, w) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = _layer(W, w, x, None if k == last else ACTIVATIONS[self.activation])
        return clip(self.scale * x, -1.0, 1.0)  # (2)


def _layer(W: np.ndarray, w: np.ndarray, x: Any, activation: Any) -> Any:
    """Return φ(W x + w). On a tape this is a loop over the outputs, which reads constant columns of W."""
    if not records(x):
        y = W @ x + w
        return y if activation is None else activation(y)
    columns, offset = [tuple(column) for column in W.T], tuple(w)

    def output(carry: Any) -> Any:
        number, _ = carry
        parts = [gather(offset, number)] + [0.0] * (PARTS - 1)
        for i, column in enumerate(columns):
            parts[i % PARTS] = parts[i % PARTS] + gather(column, number) * x[i]
        y = sum(parts[1:], parts[0])
        return number + 1.0, y if activation is None else activation(y)

    _, (_, found) = repeat(output, (0.0, 0.0), len(w), every=1)
    return np.array(found)
