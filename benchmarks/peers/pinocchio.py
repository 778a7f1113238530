"""A figure in Pinocchio: its calls, and its results in our coordinates.

Pinocchio's free joint has its velocity in the child frame: ν = B u with B = Cᵀ on the linear rows of free joints, one
elsewhere (orthogonal, so forces go the same way). With b = B' u, which is -ω × ν there,

    u' = Bᵀ (a - b),   τ = Bᵀ τ',   M = Bᵀ M' B                                (1)
    ∂(B x)/∂q = [(B x)_linear]× on the turns, call it G(x)                     (2)
    ∂u'/∂q = Bᵀ (A_q B + A_ν G(u) + A_τ G(τ) - ∂b/∂q - G(u' in child frames))  (3)
    ∂u'/∂u = Bᵀ (A_ν B - ∂b/∂u),   ∂u'/∂τ = Bᵀ A_τ B                           (4)
"""

from functools import partial
from typing import Any

import numpy as np

from anthropi.algebra.rotation import matrix_from_quaternion, quaternion_from_rotation_vector
from anthropi.algebra.spatial import Transform, identity, skew
from anthropi.errors import InputError
from anthropi.figure import Joint

__all__ = ["PinocchioPeer"]

KINDS = ("free", "ball", "exponential", "revolute", "prismatic", "helical")


class PinocchioPeer:
    """The figure as Pinocchio holds it. `calls` are to be timed, `result` is to be compared."""

    name, module, package = "Pinocchio", "pinocchio", "pin"
    subjects = ("direct dynamics", "inverse dynamics", "mass matrix", "derivatives of direct dynamics")

    def __init__(self, figure, dt: float):
        import pinocchio as pin

        self.pin, self.figure, self.version = pin, figure, pin.__version__
        self.model: Any = pin.Model()
        self.parts: list[Joint] = []
        self.model.gravity.linear = np.asarray(figure.gravity, float)
        at: dict[int, tuple] = {-1: (0, identity())}
        for i, parent, joint in figure.outward():
            number, place = at[parent]
            for step, part in _simple(joint, figure):
                place = place @ step
                if part is not None:
                    kind = self._joint(part)
                    number = self.model.addJoint(number, kind, self._place(place), f"{i}.{len(self.parts)}")
                    place = identity()
                    self.parts.append(part)
            at[i] = number, place
            link = figure.links[i]
            body = pin.Inertia(float(link.mass), np.asarray(link.centre), np.asarray(link.tensor))
            self.model.appendBodyToJoint(number, body, self._place(place))
        self.data = self.model.createData()

    def _place(self, place: Transform):
        return self.pin.SE3(np.asarray(place.rotation, float), np.asarray(place.origin, float))

    def _joint(self, part):
        if part.kind in ("free", "ball", "exponential"):
            return self.pin.JointModelFreeFlyer() if part.kind == "free" else self.pin.JointModelSpherical()
        axis, letters = np.asarray(part.axis, float), {"revolute": "R", "prismatic": "P", "helical": "H"}
        for k, letter in enumerate("XYZ"):
            if axis.tolist() == np.eye(3)[k].tolist():  # its quicker joints, along a coordinate axis
                made = getattr(self.pin, f"JointModel{letters[part.kind]}{letter}")
                return made(float(part.pitch)) if part.kind == "helical" else made()
        if part.kind == "helical":
            return self.pin.JointModelHelicalUnaligned(axis, float(part.pitch))
        name = "Revolute" if part.kind == "revolute" else "Prismatic"
        return getattr(self.pin, f"JointModel{name}Unaligned")(axis)

    # states

    def coordinates(self, q) -> np.ndarray:
        """q with the scalar of every quaternion last."""
        found, at = [], 0
        for part in self.parts:
            own = q[at : at + part.nq]
            at += part.nq
            if part.kind == "exponential":
                own = quaternion_from_rotation_vector(own)
            turns = part.kind in ("free", "ball", "exponential")
            found.append(np.concatenate([own[:-4], np.roll(own[-4:], -1)]) if turns else own)
        return np.concatenate(found)

    def _free(self, q):
        """(place in u, C) of every free joint."""
        at_q = at_u = 0
        for part in self.parts:
            if part.kind == "free":
                yield at_u, matrix_from_quaternion(q[at_q + 3 : at_q + 7])
            at_q, at_u = at_q + part.nq, at_u + part.nu

    def _turn(self, q) -> np.ndarray:
        """B (nu, nu)"""
        B = np.eye(self.figure.nu)
        for k, C in self._free(q):
            B[k : k + 3, k : k + 3] = C.T
        return B

    def _drift(self, q, u) -> np.ndarray:
        """b = B' u"""
        b, v = np.zeros(self.figure.nu), self._turn(q) @ u
        for k, _ in self._free(q):
            b[k : k + 3] = -np.cross(u[k + 3 : k + 6], v[k : k + 3])
        return b

    def _along(self, state: dict) -> tuple:
        """What Pinocchio's functions take: q, ν, a, τ'."""
        q, u, B = state["q"], state["u"], self._turn(state["q"])
        a = B @ state["udot"] + self._drift(q, u)
        return self.coordinates(q), B @ u, a, B @ state["tau"]

    # calls

    def calls(self, subject: str, state: dict) -> dict:
        """Ways to do it once, by name; the quickest counts."""
        pin, model, data = self.pin, self.model, self.data
        q, v, a, tau = self._along(state)
        conventions = {"in links": pin.Convention.LOCAL, "in the world": pin.Convention.WORLD}
        if subject == "direct dynamics":
            return {n: partial(pin.aba, model, data, q, v, tau, c) for n, c in conventions.items()}
        if subject == "inverse dynamics":
            return {"": partial(pin.rnea, model, data, q, v, a)}
        if subject == "mass matrix":
            return {n: partial(pin.crba, model, data, q, c) for n, c in conventions.items()}
        return {"": partial(pin.computeABADerivatives, model, data, q, v, tau)}

    def batch(self, subject: str, states: dict, count: int, threads: int = 1):
        """Its own way to do `count` states in one call on `threads` cores, or None."""
        name = {"direct dynamics": "abaInParallel", "inverse dynamics": "rneaInParallel"}.get(subject, "")
        if not hasattr(self.pin, name):  # it is there where Pinocchio was built with OpenMP
            return None
        rows = [self._along({n: x[k] for n, x in states.items()}) for k in range(count)]
        q, v, a, tau = (np.asfortranarray(np.stack(x, axis=1)) for x in zip(*rows, strict=True))
        last = tau if subject == "direct dynamics" else a
        pool, out = self.pin.ModelPool(self.model, threads), np.zeros_like(v, order="F")
        return partial(getattr(self.pin, name), threads, pool, q, v, last, out)

    def result(self, subject: str, state: dict) -> list[np.ndarray]:
        """What it finds, in our coordinates."""
        q, B, b = state["q"], self._turn(state["q"]), self._drift(state["q"], state["u"])
        found: Any = next(iter(self.calls(subject, state).values()))()
        if subject == "direct dynamics":
            return [B.T @ (found - b)]  # (1)
        if subject == "inverse dynamics":
            return [B.T @ found]
        if subject == "mass matrix":
            return [B.T @ _symmetric(found) @ B]
        A_q, A_v, A_tau = found[0], found[1], _symmetric(found[2])
        u, tau, nu = state["u"], state["tau"], self.figure.nu
        body = self.result("direct dynamics", state)[0]
        b_q, b_u, G_u, G_tau, G_body = (np.zeros((nu, nu)) for _ in range(5))
        for k, C in self._free(q):
            line, turn = slice(k, k + 3), slice(k + 3, k + 6)
            w, v = skew(u[turn]), skew(C.T @ u[line])
            G_u[line, turn], G_tau[line, turn], G_body[line, turn] = v, skew(C.T @ tau[line]), skew(C.T @ body[line])
            b_q[line, turn], b_u[line, line], b_u[line, turn] = -w @ v, -w @ C.T, v
        in_q = B.T @ (A_q @ B + A_v @ G_u + A_tau @ G_tau - b_q - G_body)  # (3)
        return [in_q, B.T @ (A_v @ B - b_u), B.T @ A_tau @ B]  # (4)


def _simple(joint, figure) -> list[tuple]:
    """A joint as [(placement, joint Pinocchio knows, or None)]."""
    if joint.kind in KINDS:
        return [(joint.placement, joint)]
    if joint.nu == 0:
        return [(joint.placement @ joint.transform(np.zeros(0)), None)]
    pieces = joint.parts_in_sequence()
    if not pieces:
        raise InputError(f"Joint '{joint.name}' of figure '{figure.name}' is {joint.kind}, which is not converted for "
                         f"Pinocchio. Known: {', '.join(KINDS)}, and what is made of them.")  # fmt: skip
    return [(joint.placement, None), *(step for piece in pieces for step in _simple(piece, figure))]


def _symmetric(M) -> np.ndarray:
    """A matrix of which the upper triangle is filled."""
    upper = np.triu(np.asarray(M))
    return upper + np.triu(upper, 1).T
