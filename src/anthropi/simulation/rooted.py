"""Simulate a figure from another root link (the stance foot), with forces in the figure's own coordinates.

Re-rooting (figure/editing/rerooting.py) reverses the joints on the path from the root to the new root. With u = B u*
for such a joint, B from its reversed state, and frames of links on the path moved by X,

    τ* = Bᵀ τ,   f* = X⁻¹ f                                                    (1)  the power does not change
    forces at the root joint act on its link as f = [τ_ω; Cᵀ τ_v]              (2)

`RootedRun` is a simulation with a root that changes: the foot with the largest load is the root (thesis 7, 9.4.2). Each
root has a separate kernel. At every frame the loads of the links are compared. If another link carries 1.5 times the
load of the root, it becomes the root. Frames are stored in the coordinates of the figure. `RootedRun` works on plain
floats only.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.editing.rerooting import new_frames, rerooted_state
from anthropi.figure.joints.derived import is_identity
from anthropi.motion.motion import known
from anthropi.simulation.drive import Drive, by_link, total_force
from anthropi.simulation.integrators import METHODS, Tableau
from anthropi.simulation.simulate import Run
from anthropi.simulation.time_loop import compiled

__all__ = ["NewRoot", "Rooted", "RootedRun"]


class Rooted:
    """A figure with another root link. tree : the re-rooted figure."""

    figure: Any
    frames: Any
    link: Any
    tree: Any
    turned: Any

    def __init__(self, figure: Any, link: str) -> None:
        self.figure, self.link = figure, link
        self.tree = figure.reroot(link)
        self.frames = new_frames(figure, link)
        root = figure.links[0].name
        self._whole = self.tree.reroot(
            root, at=self.frames[root].inverse()
        )  # the figure with its links in another order
        path = figure.path(figure.link_index(link))
        self.turned = {figure.joints[i].name for i in path[1:]}

    def there(self, q: Any, u: Any) -> Any:
        """Convert a state (q, u) of the figure to a state of the re-rooted tree."""
        return rerooted_state(self.figure, self.link, q, u)

    def back(self, q: Any, u: Any) -> Any:
        """Convert a state (q, u) of the re-rooted tree to a state of the figure."""
        root, whole = self.figure.links[0].name, self._whole
        q, u = rerooted_state(self.tree, root, q, u, self.frames[root].inverse())
        at = [whole.joint_index(joint.name) for joint in self.figure.joints]
        return np.concatenate([q[whole.q_of[i]] for i in at]), np.concatenate([u[whole.u_of[i]] for i in at])

    def drive(self, q: Any, u: Any, given: Drive) -> Drive:
        """Convert an explicit drive of the figure to a drive of the re-rooted tree, at its state (q, u)."""
        own_q, own_u = self.back(q, u)
        tau, figure = total_force(self.figure, given, own_q, own_u), self.figure
        f_ext = by_link(given.f_ext)
        root = tau[figure.u_of[0]]
        if any(not (isinstance(x, float) and x == 0.0) for x in root):
            C = rot.matrix_from_quaternion(own_q[3:7])
            at_root = np.concatenate([root[3:], matvec(transpose(C), root[:3])])  # (2)
            f_ext = f_ext | {0: at_root + f_ext[0] if 0 in f_ext else at_root}
        forces = []
        for i, joint in enumerate(self.tree.joints):
            if i == 0:
                forces.append(np.zeros(6))
                continue
            own = tau[figure.u_of[figure.joint_index(joint.name)]]
            if joint.name in self.turned:
                units = np.eye(joint.nu)
                B = [joint.reverse_state(q[self.tree.q_of[i]], e)[1] for e in units]
                own = np.array([(b * own).sum() for b in B])  # (1)
            forces.append(own)
        return Drive(tau=np.concatenate(forces), f_ext={self._link(i): self._seen(i, f) for i, f in f_ext.items()})

    def _link(self, i: int) -> int:
        """Return the number of link i of the figure in the re-rooted tree."""
        return self.tree.link_index(self.figure.links[i].name)

    def _seen(self, i: int, f):
        """Convert a wrench (6,) on link i of the figure to the frame of that link in the re-rooted tree."""
        X = self.frames[self.figure.links[i].name]
        return f if is_identity(X) else X.undo_force(f)


LOAD_RATIO = 1.5  # a link becomes the root if it carries more than this multiple of the load of the root


@known
class NewRoot(NamedTuple):
    """Event: the root changed to another link. time : [s]. link : name of the new root."""

    time: float
    link: str


class RootedRun(Run):
    """A simulation with a root that may change at every frame."""

    first_kernel: Any
    kernel: Any
    roots: Any

    def __init__(self, given: Any, options: Any) -> None:
        problem = given.program.problem
        rule = METHODS[problem.method]
        if given.batch is not None or given.rows or given.program.slots or given.figure.loops or problem.prescribed:
            raise InputError("The option root needs one rollout of a figure without loops. Leave out the batch, rows "
                            "of forces, parameters of the figure and prescribed joints.")  # fmt: skip
        if not isinstance(rule, Tableau):
            raise InputError(f"The option root needs explicit forces, but method '{rule.name}' is not explicit. Use a "
                            "Runge–Kutta method such as rk4.")  # fmt: skip
        if problem.contact is None or "contact" not in given.program.record:
            raise InputError("The option root needs contact forces. Give a scene with contact, and record 'contact'.")
        self.roots = _links(given.figure, options.root)
        self.made: dict[str, Any] = {}
        super().__init__(given, options, frames=1)
        self.first_kernel = self.kernel
        self.rooted: Rooted | None = None
        self.switches: list[NewRoot] = []

    def all(self) -> Any:
        """Simulate all frames and return the motion with its events."""
        motion = super().all()
        return replace(motion, events=tuple(sorted((*motion.events, *self.switches), key=lambda e: e.time)))

    def piece(self, state: Any, done: Any, until: Any, first_count: float = 0.0) -> Any:
        """Simulate one frame with the current root, and return the state after it."""
        own = state
        if self.rooted is not None:
            q, u = self.rooted.there(np.asarray(state["q"]), np.asarray(state["u"]))
            own = state | {"q": q, "u": u}
            self.kernel = self._kernel(self.rooted)
        after, found, *seen = self._call(own, done, until, first_count)
        if self.rooted is not None:
            q, u = self.rooted.back(after["q"], after["u"])
            after = after | {"q": q, "u": u}
            found = found | {"q": q[None], "u": u[None]}
        self._keep(state, done, until, found, seen)
        self._choose(self.given.program.mean_values(found["means"][-1])["contact"],
                     self.given.times[until // self.given.every])  # fmt: skip
        return after

    def finish(self, state: Any, first_count: Any) -> None:
        """Compute the mean channels of the last frame with the first kernel, in the coordinates of the figure."""
        self.kernel = self.first_kernel
        super().finish(state, first_count)

    def _choose(self, forces, time) -> None:
        """Choose the link with the largest load as the root."""
        scene, figure = self.given.program.problem.scene, self.given.figure
        loads = dict.fromkeys(self.roots, 0.0)
        for candidate, force in zip(scene.candidates, forces, strict=True):
            name = figure.links[candidate.a].name
            if name in loads and candidate.b < 0:
                loads[name] += float(force @ -np.asarray(figure.gravity))
        best, now = max(loads, key=lambda link: loads[link]), None if self.rooted is None else self.rooted.link
        if best != now and loads[best] > LOAD_RATIO * (loads[now] if now else 0.0):
            self.rooted = self._root(best)
            self.switches.append(NewRoot(float(time), best))

    def _root(self, link: str) -> Rooted:
        """Return the figure with this root link, with its kernel compiled on first use."""
        if link not in self.made:
            rooted = Rooted(self.given.figure, link)
            program = self.given.program
            own = replace(program, problem=replace(program.problem, rooted=rooted))
            kernel = compiled(own, self.options.target, self.options.precision, self.options.opt)
            self.made[link] = rooted, kernel
        return self.made[link][0]

    def _kernel(self, rooted: Rooted):
        """Return the kernel for a root."""
        return self.made[rooted.link][1]


def _links(figure, root) -> tuple[str, ...]:
    """Return the links that may become the root."""
    names = [link.name for link in figure.links]
    if root == "stance foot":
        found = tuple(name for name in names if "foot" in name)
        if not found:
            raise InputError(f"No link of figure '{figure.name}' has 'foot' in its name. Give root=[names of links].")
        return found
    found = (root,) if isinstance(root, str) or not np.iterable(root) else tuple(root)
    for name in found:
        if name not in names:
            raise InputError(f"root names '{name}', but figure '{figure.name}' has no such link."
                            f"{did_you_mean(str(name), names)} Give 'stance foot', or names of links.")  # fmt: skip
    return found
