"""Dynamics for articulated figures.

An algorithm is a plain Python function on arrays; run on recording scalars it leaves a tape; a tape compiles to a
kernel. The names below load on first use, so importing this package costs next to nothing and changes nothing.
"""

from importlib import import_module as _load
from typing import Any as _Any

import anthropi.compiler as _kernels  # first, so that the function below keeps the name from the folder

__version__ = "0.1.0"

_OBJECTS = {  # public name: the module that defines it
    "Aid": "anthropi.gait.walker.external_aid",
    "AnthropiError": "anthropi.errors",
    "Assembly": "anthropi.constraints.assembly",
    "Body": "anthropi.constraints.assembly",
    "Command": "anthropi.gait.walker",
    "Determinants": "anthropi.gait.plan.determinants",
    "Figure": "anthropi.figure",
    "GaitPlan": "anthropi.gait.plan.gait_plan",
    "Kernel": "anthropi.compiler",
    "Keyframes": "anthropi.motion",
    "Loop": "anthropi.figure",
    "Motion": "anthropi.motion",
    "Profile": "anthropi.gait.hidds.refinement",
    "Scalar": "anthropi.tape",
    "Scene": "anthropi.contact.scene",
    "WalkingSession": "anthropi.gait.walker",
    "Simulation": "anthropi.simulation.simulation",
    "State": "anthropi.motion.state",
    "Tape": "anthropi.tape",
    "figure_from_parts": "anthropi.figure",
    "bias_forces": "anthropi.entry",
    "build": "anthropi.compiler",
    "centre_of_mass": "anthropi.entry",
    "centre_of_mass_jacobian": "anthropi.entry",
    "centroidal_momentum_matrix": "anthropi.entry",
    "centroidal_momentum_rate": "anthropi.entry",
    "close_loops": "anthropi.entry.loops",
    "derivative": "anthropi.entry",
    "direct_dynamics": "anthropi.entry",
    "directional": "anthropi.entry",
    "energy_audit": "anthropi.simulation.audit",
    "exponential_forces": "anthropi.entry",
    "exponential_rates": "anthropi.entry",
    "external_forces": "anthropi.entry",
    "forces_from_exponential": "anthropi.entry",
    "gait_report": "anthropi.gait.report",
    "gravity_forces": "anthropi.entry",
    "hessian": "anthropi.entry",
    "hidds": "anthropi.gait.hidds",
    "human": "anthropi.figure.human.build",
    "hybrid_dynamics": "anthropi.entry",
    "inverse_dynamics": "anthropi.entry",
    "inverse_kinematics": "anthropi.constraints",
    "inverse_mass_matrix": "anthropi.entry",
    "inverse_motion": "anthropi.gait.hidds",
    "jacobian": "anthropi.entry",
    "jacobian_bias": "anthropi.entry",
    "jacobian_rate": "anthropi.entry",
    "kinematics": "anthropi.entry",
    "kinetic_energy": "anthropi.entry",
    "load": "anthropi.formats",
    "load_motion": "anthropi.formats.motions.native",
    "loop_course": "anthropi.entry.loops",
    "loop_dynamics": "anthropi.entry.loops",
    "loop_errors": "anthropi.entry.loops",
    "loop_hybrid_dynamics": "anthropi.entry.loops",
    "loop_impulses": "anthropi.entry.loops",
    "loop_inverse_dynamics": "anthropi.entry.loops",
    "loop_of": "anthropi.entry.loops",
    "mass_matrix": "anthropi.entry",
    "momentum": "anthropi.entry",
    "momentum_rate": "anthropi.entry",
    "newton_euler": "anthropi.entry",
    "passive_forces": "anthropi.entry",
    "perform": "anthropi.gait.walker.performer",
    "potential_energy": "anthropi.entry",
    "power_balance": "anthropi.entry",
    "push_map": "anthropi.gait.report.push_map",
    "record": "anthropi.tape",
    "reference_gait": "anthropi.gait.reference.reference_gait",
    "refine": "anthropi.gait.hidds.refinement",
    "relative_jacobian": "anthropi.entry",
    "repeat": "anthropi.tape",
    "retarget": "anthropi.motion.retargeting",
    "sample": "anthropi.figure.samples",
    "save": "anthropi.formats",
    "simulate": "anthropi.simulation.simulate",
    "spatial_jacobian": "anthropi.entry",
    "standing": "anthropi.figure.human.build",
    "velocities_from_exponential": "anthropi.entry",
    "velocity_forces": "anthropi.entry",
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
    "mates": "anthropi.constraints.mates",
    "motion": "anthropi.motion",
    "rotation": "anthropi.algebra.rotation",
    "scalar": "anthropi.algebra.scalar",
    "spatial": "anthropi.algebra.spatial",
    "targets": "anthropi.constraints.targets",
}

__all__ = sorted([*_OBJECTS, *_MODULES, "compile"])
del _kernels


def compile(function, figure, inputs=None, parameters=(), target="cpu", precision="float64", opt=2, **options):
    """The kernel of an algorithm for a figure: `anthropi.entry.compile`."""
    from anthropi.entry import compile as make

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
