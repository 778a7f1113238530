"""A simulation whose root changes on the way: the foot that carries is the root (thesis 7, 9.4.2). Floats only.

Each root has a kernel of its own. At every frame it is seen which of the links carries most; if that is another one by
half as much again, the state is told from it. Frames are kept in the figure's own coordinates.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.motion.events import known
from anthropi.simulation.methods import METHODS, Tableau
from anthropi.simulation.rooted import Rooted
from anthropi.simulation.simulate import Run
from anthropi.simulation.time_loop import compiled

__all__ = ["NewRoot", "RootedRun"]

MORE = 1.5  # times the load of the root that another link must carry to become it


@known
class NewRoot(NamedTuple):
    """The root changed: when [s], and to which link."""

    time: float
    link: str


class RootedRun(Run):
    """Frame by frame, each from the root that carries."""

    def __init__(self, given, options):
        problem = given.program.problem
        rule = METHODS[problem.method]
        if given.batch is not None or given.rows or given.program.slots or given.figure.loops or problem.prescribed:
            raise InputError("root= is for one rollout of a figure without loops, moved by forces alone: no batch, no "
                            "rows of forces, no parameters of the figure, nothing prescribed.")  # fmt: skip
        if not isinstance(rule, Tableau):
            raise InputError(f"root= takes forces as they are at an instant; '{rule.name}' takes them implicitly. "
                            "Take a Runge–Kutta method, as rk4.")  # fmt: skip
        if problem.contact is None or "contact" not in given.program.record:
            raise InputError("root= asks which link carries: give a scene with contact, and record it.")
        self.roots, self.made = _links(given.figure, options.root), {}
        super().__init__(given, options, frames=1)
        self.first_kernel = self.kernel
        self.rooted: Rooted | None = None
        self.switches: list[NewRoot] = []

    def all(self):
        """Every frame, the events with them."""
        motion = super().all()
        return replace(motion, events=tuple(sorted((*motion.events, *self.switches), key=lambda e: e.time)))

    def piece(self, state, done, until, first_count=0.0):
        """One frame from the root that carries."""
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
        self._choose(self.given.program.means.unpack(found["means"][-1])["contact"],
                     self.given.times[until // self.given.every])  # fmt: skip
        return after

    def finish(self, state, first_count) -> None:
        """The last frame's means, with the first kernel: they are of the figure's own coordinates."""
        self.kernel = self.first_kernel
        super().finish(state, first_count)

    def _choose(self, forces, time) -> None:
        """Who carries most now?"""
        scene, figure = self.given.program.problem.scene, self.given.figure
        loads = dict.fromkeys(self.roots, 0.0)
        for candidate, force in zip(scene.candidates, forces, strict=True):
            name = figure.links[candidate.a].name
            if name in loads and candidate.b < 0:
                loads[name] += float(force @ -np.asarray(figure.gravity))
        best, now = max(loads, key=lambda link: loads[link]), None if self.rooted is None else self.rooted.link
        if best != now and loads[best] > MORE * (loads[now] if now else 0.0):
            self.rooted = self._root(best)
            self.switches.append(NewRoot(float(time), best))

    def _root(self, link: str) -> Rooted:
        if link not in self.made:
            rooted = Rooted(self.given.figure, link)
            program = self.given.program
            own = replace(program, problem=replace(program.problem, rooted=rooted))
            kernel = compiled(own, self.options.target, self.options.precision, self.options.opt)
            self.made[link] = rooted, kernel
        return self.made[link][0]

    def _kernel(self, rooted: Rooted):
        return self.made[rooted.link][1]


def _links(figure, root) -> tuple[str, ...]:
    """The links that may become the root."""
    names = [link.name for link in figure.links]
    if root == "stance foot":
        found = tuple(name for name in names if "foot" in name)
        if not found:
            raise InputError(f"No link of figure '{figure.name}' is called a foot. Give root=[names of links].")
        return found
    found = (root,) if isinstance(root, str) or not np.iterable(root) else tuple(root)
    for name in found:
        if name not in names:
            raise InputError(f"root: no link '{name}' in figure '{figure.name}'.{did_you_mean(str(name), names)} Give "
                            "'stance foot', or names of links.")  # fmt: skip
    return found
