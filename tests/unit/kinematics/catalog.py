"""Every algorithm of kinematics, momentum and energy with a call of it: what kernels and fronts are tested on."""

import numpy as np

from anthropi.algorithms import centroidal, energy, jacobians, kinematics, momentum

TARGETS = ("cpu", "replay", "wasm")
POINT = (0.1, -0.2, 0.3)


def options(fig, name: str) -> dict:
    """Options for a call on this figure."""
    last = fig.links[-1].name
    if name == "relative_jacobian":
        return dict(link=last, to=fig.links[-2].name, point=POINT)
    if name == "spatial_jacobian":
        return dict(link=last, frame="world")
    if name == "momentum":
        return dict(about="origin")
    if name in ("jacobian", "jacobian_rate", "jacobian_bias", "hessian"):
        return dict(link=last, point=POINT, frame="link")
    return {}


ALGORITHMS = {
    f.__name__: f
    for f in (
        kinematics.kinematics, jacobians.jacobian, jacobians.spatial_jacobian, jacobians.relative_jacobian,
        jacobians.jacobian_rate, jacobians.jacobian_bias, jacobians.hessian, momentum.centre_of_mass,
        momentum.momentum, centroidal.centre_of_mass_jacobian, centroidal.centroidal_momentum_matrix,
        centroidal.centroidal_momentum_rate, energy.kinetic_energy, energy.potential_energy,
    )
}  # fmt: skip


def everything(fig):
    """A function of q, u, udot that returns what all algorithms do, by name."""

    def function(q, u, udot):
        given = {"q": q, "u": u, "udot": udot}
        results = {}
        for name, algorithm in ALGORITHMS.items():
            arrays = {n: given[n] for n in algorithm.shapes}
            results[name] = np.ravel(_flat(algorithm(fig, **arrays, **options(fig, name))))
        return results

    return function


def _flat(value):
    return np.concatenate([np.ravel(x) for x in value]) if isinstance(value, tuple) else np.asarray(value)
