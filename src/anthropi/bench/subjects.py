"""What is measured: our kernels, the arrays they take, and what of their results a peer's are compared with."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from anthropi import api
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.compile import Kernel, build
from anthropi.simulation.integrators import semi_implicit_euler
from anthropi.tape import record

__all__ = ["DT", "SUBJECTS", "Subject"]

DT = 1e-3  # s, of the step that is measured


class Subject(NamedTuple):
    """One row of the table.

    kernel : figure → our kernel. compared : figure, our results of one state → what is laid beside the peer's.
    there : whether this version can do it at all.
    """

    name: str
    title: str
    kernel: Callable[..., Kernel]
    compared: Callable[..., list]
    there: Callable[[], bool] = lambda: True


def _as_they_are(figure, results) -> list:
    return list(results)


def derivatives(figure) -> Kernel:
    """∂u'/∂(q, u, τ) in the tangent space: three matrices (nu, nu)."""
    return api.derivative(api.direct_dynamics, figure, wrt=("q", "u", "tau"))


def _square(figure, results) -> list:
    """The matrices alone, if the accelerations come with them."""
    return [r for r in results if r.shape == (figure.nu, figure.nu)]


def step(figure) -> Kernel:
    """(q, u, τ) → (q⁺, u⁺) by semi-implicit Euler."""

    def one(q, u, tau):
        return semi_implicit_euler(figure, lambda q, u: direct_dynamics(figure, q, u, tau), q, u, DT)

    return build(record(one, q=np.zeros(figure.nq), u=np.zeros(figure.nu), tau=np.zeros(figure.nu)))


def _poses(figure, results) -> list:
    """u⁺, and what q⁺ means: where every link is, and its attitude."""
    q, u = results
    k = kinematics(figure, q)
    return [u, k.position, k.rotation]


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject("direct dynamics", "u' of q, u, τ", lambda f: api.compile(api.direct_dynamics, f), _as_they_are),
        Subject("inverse dynamics", "τ of q, u, u'", lambda f: api.compile(api.inverse_dynamics, f), _as_they_are),
        Subject("mass matrix", "M of q", lambda f: api.compile(api.mass_matrix, f), _as_they_are),
        Subject("derivatives of direct dynamics", "∂u'/∂(q, u, τ)", derivatives, _square,
                lambda: hasattr(api, "derivative")),
        Subject("step", f"{1e3 * DT:g} ms, no contact", step, _poses),
    )
}  # fmt: skip
