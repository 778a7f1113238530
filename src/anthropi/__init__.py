"""Dynamics for articulated figures.

An algorithm is a plain Python function on arrays; run on recording scalars it leaves a tape; a tape compiles to a
kernel. The names below load on first use, so importing this package costs next to nothing and changes nothing.
"""

from importlib import import_module as _load
from typing import Any as _Any

import anthropi.compile as _kernels  # first, so that the function below keeps the name from the folder

__version__ = "0.1.0"

_OBJECTS = {  # public name: the module that defines it
    "Aid": "anthropi.gait.walking",
    "AnthropiError": "anthropi.errors",
    "Assembly": "anthropi.constraints.assembly",
    "Body": "anthropi.constraints.assembly",
    "Command": "anthropi.gait.walker",
    "Determinants": "anthropi.gait.determinants",
    "Figure": "anthropi.figure",
    "GaitPlan": "anthropi.gait.plan",
    "Kernel": "anthropi.compile",
    "Keyframes": "anthropi.motion",
    "Loop": "anthropi.figure",
    "Motion": "anthropi.motion",
    "Profile": "anthropi.gait.profile",
    "Scalar": "anthropi.tape",
    "Scene": "anthropi.contact.scene",
    "Session": "anthropi.gait.walker",
    "Simulation": "anthropi.simulation.simulation",
    "State": "anthropi.motion.state",
    "Tape": "anthropi.tape",
    "assemble": "anthropi.figure",
    "bias_forces": "anthropi.api",
    "build": "anthropi.compile",
    "centre_of_mass": "anthropi.api",
    "centre_of_mass_jacobian": "anthropi.api",
    "centroidal_momentum_matrix": "anthropi.api",
    "centroidal_momentum_rate": "anthropi.api",
    "close_loops": "anthropi.api.loops",
    "derivative": "anthropi.api",
    "direct_dynamics": "anthropi.api",
    "directional": "anthropi.api",
    "energy_audit": "anthropi.simulation.audit",
    "exponential_forces": "anthropi.api",
    "exponential_rates": "anthropi.api",
    "external_forces": "anthropi.api",
    "forces_from_exponential": "anthropi.api",
    "gait_report": "anthropi.gait.report",
    "gravity_forces": "anthropi.api",
    "hessian": "anthropi.api",
    "hidds": "anthropi.gait.hidds",
    "human": "anthropi.figure.human",
    "hybrid_dynamics": "anthropi.api",
    "inverse_dynamics": "anthropi.api",
    "inverse_kinematics": "anthropi.constraints",
    "inverse_mass_matrix": "anthropi.api",
    "inverse_motion": "anthropi.gait.hidds",
    "jacobian": "anthropi.api",
    "jacobian_bias": "anthropi.api",
    "jacobian_rate": "anthropi.api",
    "kinematics": "anthropi.api",
    "kinetic_energy": "anthropi.api",
    "load": "anthropi.formats",
    "load_motion": "anthropi.formats.motion_file",
    "loop_course": "anthropi.api.loops",
    "loop_dynamics": "anthropi.api.loops",
    "loop_errors": "anthropi.api.loops",
    "loop_hybrid_dynamics": "anthropi.api.loops",
    "loop_impulses": "anthropi.api.loops",
    "loop_inverse_dynamics": "anthropi.api.loops",
    "loop_of": "anthropi.api.loops",
    "mass_matrix": "anthropi.api",
    "momentum": "anthropi.api",
    "momentum_rate": "anthropi.api",
    "newton_euler": "anthropi.api",
    "passive_forces": "anthropi.api",
    "perform": "anthropi.gait.performer",
    "potential_energy": "anthropi.api",
    "power_balance": "anthropi.api",
    "push_map": "anthropi.gait.push_map",
    "record": "anthropi.tape",
    "reference_gait": "anthropi.gait.reference",
    "refine": "anthropi.gait.refinement",
    "relative_jacobian": "anthropi.api",
    "repeat": "anthropi.tape",
    "retarget": "anthropi.motion.retargeting",
    "sample": "anthropi.figure.samples",
    "save": "anthropi.formats",
    "simulate": "anthropi.simulation.simulate",
    "spatial_jacobian": "anthropi.api",
    "standing": "anthropi.figure.human",
    "velocities_from_exponential": "anthropi.api",
    "velocity_forces": "anthropi.api",
    "walk": "anthropi.gait.walking",
}
_MODULES = {  # public name: the module it stands for
    "constraints": "anthropi.constraints",
    "contact": "anthropi.contact",
    "controllers": "anthropi.simulation.controllers",
    "gait": "anthropi.gait",
    "joints": "anthropi.figure.joints",
    "limits": "anthropi.contact.limits",
    "linear": "anthropi.algebra.linear",
    "mates": "anthropi.constraints.assembled",
    "motion": "anthropi.motion",
    "rotation": "anthropi.algebra.rotation",
    "scalar": "anthropi.algebra.scalar",
    "spatial": "anthropi.algebra.spatial",
    "targets": "anthropi.constraints.targets",
}

__all__ = sorted([*_OBJECTS, *_MODULES, "compile"])
del _kernels


def compile(function, figure, inputs=None, parameters=(), target="cpu", precision="float64", opt=2, **options):
    """The kernel of an algorithm for a figure: `anthropi.api.compile`."""
    from anthropi.api import compile as make

    return make(function, figure, inputs, parameters, target, precision, opt, **options)


def __getattr__(name: str) -> _Any:
    """Load a public name on first use (PEP 562); the next look-up finds it in the module."""
    if name in _OBJECTS:
        value = getattr(_load(_OBJECTS[name]), name)
    elif name in _MODULES:
        value = _load(_MODULES[name])
    else:
        raise AttributeError(_unknown(name), name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _unknown(name: str) -> str:
    """Say which public names there are, and which one was probably meant."""
    from anthropi.errors import did_you_mean

    hint = did_you_mean(name, __all__)
    return f"anthropi has no public name '{name}'.{hint} Public names: {', '.join(__all__)}."
