"""Golden cases of the algorithms on six figures: results and operation counts of compiled kernels."""

from functools import partial

from golden.cases import Counted, case
from golden.figures import FIGURES, figure, state
from golden.names import (
    ap,
    bias_forces,
    centre_of_mass_jacobian,
    centroidal_momentum_matrix,
    centroidal_momentum_rate,
    directional,
    exponential_forces,
    exponential_rates,
    external_forces,
    forces_from_exponential,
    gravity_forces,
    hessian,
    inverse_mass_matrix,
    jacobian,
    jacobian_bias,
    jacobian_rate,
    kinetic_energy,
    momentum,
    momentum_rate,
    newton_euler,
    passive_forces,
    potential_energy,
    power_balance,
    spatial_jacobian,
    velocities_from_exponential,
    velocity_forces,
)

DYNAMICS = {  # name: (algorithm, inputs)
    "direct_dynamics": (ap.direct_dynamics, ("q", "u", "tau")),
    "direct_dynamics_pushed": (ap.direct_dynamics, ("q", "u", "tau", "f_ext")),
    "inverse_dynamics": (ap.inverse_dynamics, ("q", "u", "udot")),
    "inverse_dynamics_pushed": (ap.inverse_dynamics, ("q", "u", "udot", "f_ext")),
    "hybrid_dynamics": (ap.hybrid_dynamics, ("q", "u", "tau", "udot")),
    "mass_matrix": (ap.mass_matrix, ("q",)),
    "inverse_mass_matrix": (inverse_mass_matrix, ("q",)),
    "kinematics_of_poses": (ap.kinematics, ("q",)),
    "kinematics": (ap.kinematics, ("q", "u", "udot")),
    "momentum": (momentum, ("q", "u")),
    "momentum_rate": (momentum_rate, ("q", "u", "udot")),
    "centre_of_mass_jacobian": (centre_of_mass_jacobian, ("q",)),
    "centroidal_momentum_matrix": (centroidal_momentum_matrix, ("q",)),
    "centroidal_momentum_rate": (centroidal_momentum_rate, None),
    "kinetic_energy": (kinetic_energy, ("q", "u")),
    "potential_energy": (potential_energy, ("q",)),
    "power_balance": (power_balance, None),
    "bias_forces": (bias_forces, ("q", "u")),
    "gravity_forces": (gravity_forces, ("q",)),
    "velocity_forces": (velocity_forces, ("q", "u")),
    "passive_forces": (passive_forces, ("q", "u")),
    "external_forces": (external_forces, ("q", "f_ext")),
    "newton_euler": (newton_euler, None),
    "jacobian": (jacobian, ("q",)),
    "spatial_jacobian": (spatial_jacobian, ("q",)),
    "jacobian_rate": (jacobian_rate, ("q", "u")),
    "jacobian_bias": (jacobian_bias, ("q", "u")),
}
OF_LINK = ("jacobian", "spatial_jacobian", "jacobian_rate", "jacobian_bias")  # of the last link
DERIVATIVES = {"direct_dynamics": ("q", "u", "tau"), "inverse_dynamics": ("q", "u", "udot")}
EXPONENTIAL = (exponential_rates, exponential_forces, velocities_from_exponential, forces_from_exponential)


def counted(kernel, given) -> Counted:
    """What a kernel returns for the inputs it asks for."""
    return Counted(kernel(*(given[slot.name] for slot in kernel.inputs)), kernel.operations)


def evaluate(name: str, algorithm, inputs, options) -> Counted:
    return counted(ap.compile(algorithm, figure(name), inputs, opt="now", **options(figure(name))), state(name))


def slopes(name: str, algorithm, wrt) -> Counted:
    return counted(ap.derivative(algorithm, figure(name), wrt=wrt, opt="now"), state(name))


def options_of(what: str, own) -> dict:
    """Options that are known when an algorithm is compiled."""
    if what == "hybrid_dynamics":
        return {"prescribed": tuple(joint.name for joint in own.joints[1::2] if joint.nu)}
    return {"link": own.links[-1].name} if what in OF_LINK else {}


for name in FIGURES:
    for what, (algorithm, inputs) in DYNAMICS.items():
        case(f"algorithms/{name}/{what}")(partial(evaluate, name, algorithm, inputs, partial(options_of, what)))
    for what, wrt in DERIVATIVES.items():
        case(f"algorithms/{name}/derivative_of_{what}")(partial(slopes, name, DYNAMICS[what][0], wrt))
for algorithm in EXPONENTIAL:
    case(f"algorithms/mixed/{algorithm.__name__}")(partial(evaluate, "mixed", algorithm, None, lambda own: {}))


@case("algorithms/arm/hessian")
def second_derivative():
    own = figure("arm")
    return counted(ap.compile(hessian, own, opt="now", link=own.links[-1].name), state("arm"))


@case("algorithms/arm/directional_derivative")
def along_a_direction():
    given = state("arm")
    along = {f"d_{n}": x[::-1].copy() for n, x in (("q", given["u"]), ("u", given["udot"]), ("tau", given["tau"]))}
    return counted(directional(ap.direct_dynamics, figure("arm"), order=2, opt="now"), given | along)


@case("algorithms/bench42/direct_dynamics_of_parameters")
def parameters():
    kernel = ap.compile(ap.direct_dynamics, figure("bench42"), parameters=("l_thigh.mass", "torso.mass"), opt="now")
    return counted(kernel, state("bench42") | {"parameters": [9.0, 28.0]})


@case("algorithms/bench42/batch")
def batch():
    """A batch runs in SIMD lanes, with the bits of single evaluations."""
    given = state("bench42")
    rows = [[given[n] * (1.0 if n == "q" else s) for s in (0.5, 1.0, 2.0)] for n in ("q", "u", "tau")]
    return ap.direct_dynamics(figure("bench42"), *rows)
