"""Figures whose joints have springs, dampers and rotors, and every algorithm of forces with a call of it."""

import numpy as np

from anthropi.algorithms import (
    bias_forces,
    energy,
    equations_of_motion,
    exponential,
    joint_reactions,
    momentum,
    momentum_derivatives,
    regressors,
)
from oracle.figures import FAMILIES, figure, rng_of, state

SEEDS = range(6)


def acting(seed: int, links=7, families=FAMILIES, in_turn=False):
    """A random figure with something acting in every joint, and a state with forces of all sorts.

    Returns the figure and {name: array} of q, u, udot, tau, f_ext, rates, forces.
    """
    fig, rng = figure(seed, links, families, in_turn), rng_of("acting", seed)
    joints = [j.changed(stiffness=rng.uniform(0, 5, j.nu), damping=rng.uniform(0, 2, j.nu),
                        armature=rng.uniform(0, 0.3, j.nu), rest=rng.uniform(-0.2, 0.2, j.nu))
              for j in fig.joints]  # fmt: skip
    fig = fig.changed(joints=joints)
    q, u, udot = state(fig, seed)
    tau, rates, forces = rng.normal(size=(3, fig.nu))
    given = {"q": q, "u": u, "udot": udot, "tau": tau, "f_ext": rng.normal(size=(fig.n, 6)), "rates": rates}
    return fig, given | {"forces": forces}


ALGORITHMS = {
    f.__name__: f
    for f in (
        bias_forces.bias_forces, bias_forces.velocity_forces, bias_forces.gravity_forces, bias_forces.passive_forces,
        bias_forces.external_forces, equations_of_motion.newton_euler, exponential.exponential_rates,
        exponential.velocities_from_exponential, exponential.exponential_forces, exponential.forces_from_exponential,
        exponential.nearest_chart, exponential.exponential_change, momentum.momentum_rate,
        momentum.total_wrench, energy.power_balance, joint_reactions.joint_reactions,
        momentum_derivatives.momentum_derivatives, regressors.inverse_dynamics_regressor,
        regressors.kinetic_energy_regressor, regressors.potential_energy_regressor, regressors.momentum_regressor,
    )
}  # fmt: skip


def everything(fig):
    """A function of all arrays that returns what all algorithms do, by name."""

    def function(**given):
        results = {}
        for name, algorithm in ALGORITHMS.items():
            found = algorithm(fig, **{n: given[n] for n in algorithm.shapes})
            parts = found if isinstance(found, tuple) else (found,)
            results[name] = np.concatenate([np.ravel(x) for x in parts])
        return results

    return function
