"""Dynamics for articulated figures.

An algorithm is a plain Python function on arrays. Called with recording scalars, it is recorded on a tape, and a tape
is compiled to a kernel. The names below are loaded on first use, so importing this package is fast and has no side
effects.
"""

from importlib import import_module as _load
from typing import Any as _Any

__version__ = "0.2.0"

_OBJECTS = {  # {public name: the module that defines it}
    "AnthropiError": "anthropi.errors",
    "Assembly": "anthropi.constraints.assembly",
    "Body": "anthropi.constraints.assembly",
    "Command": "anthropi.gait.walker",
    "Drive": "anthropi.simulation.drive",
    "Figure": "anthropi.figure",
    "Kernel": "anthropi.compiler",
    "Keyframes": "anthropi.motion",
    "Link": "anthropi.figure",
    "Loop": "anthropi.figure",
    "Marker": "anthropi.figure",
    "Motion": "anthropi.motion",
    "Rotation": "anthropi.algebra.orientation.rotation",
    "Scalar": "anthropi.tape",
    "Scene": "anthropi.contact.scene",
    "Shape": "anthropi.figure",
    "Simulation": "anthropi.simulation.simulation",
    "SimulationOptions": "anthropi.simulation.options",
    "State": "anthropi.motion.state",
    "Tape": "anthropi.tape",
    "Transform": "anthropi.algebra.orientation.transform",
    "WalkingSession": "anthropi.gait.walker",
    "build": "anthropi.compiler",
    "centre_of_mass": "anthropi.entry",
    "derivative": "anthropi.entry",
    "direct_dynamics": "anthropi.entry",
    "figure_from_parts": "anthropi.figure",
    "gait_report": "anthropi.gait.report",
    "hidds": "anthropi.gait.hidds",
    "human": "anthropi.figure.human.build",
    "humans": "anthropi.figure.human.population",
    "hybrid_dynamics": "anthropi.entry",
    "inverse_dynamics": "anthropi.entry",
    "inverse_kinematics": "anthropi.constraints",
    "inverse_motion": "anthropi.gait.hidds",
    "jacobian": "anthropi.entry",
    "kinematics": "anthropi.entry",
    "live_page": "anthropi.formats.pages.live_page",
    "load": "anthropi.formats",
    "load_motion": "anthropi.formats",
    "mass_matrix": "anthropi.entry",
    "perform": "anthropi.gait.walker.performer",
    "record": "anthropi.tape",
    "refine": "anthropi.gait.hidds.refinement",
    "repeat": "anthropi.tape",
    "rollout_gradient": "anthropi.simulation.rollout_gradient",
    "sample": "anthropi.figure.samples",
    "save": "anthropi.formats",
    "simulate": "anthropi.simulation.simulate",
    "standing": "anthropi.figure.human.build",
    "walk": "anthropi.gait.walking",
}
_MODULES = {  # {public namespace: its module}
    "actuators": "anthropi.simulation.actuators",
    "constraints": "anthropi.constraints",
    "contact": "anthropi.contact",
    "controllers": "anthropi.simulation.controllers",
    "dynamics": "anthropi.entry",
    "gait": "anthropi.gait",
    "gym": "anthropi.interop.gym",
    "jax": "anthropi.interop.jax",
    "joints": "anthropi.figure.joints",
    "limits": "anthropi.contact.limits",
    "linear": "anthropi.algebra.linear",
    "loops": "anthropi.entry.loops",
    "mates": "anthropi.constraints.mates",
    "motion": "anthropi.motion",
    "rotation": "anthropi.algebra.orientation.functions",
    "scalar": "anthropi.algebra.scalar",
    "sensors": "anthropi.simulation.sensors",
    "spatial": "anthropi.algebra.spatial",
    "study": "anthropi.study",
    "targets": "anthropi.constraints.targets",
    "torch": "anthropi.interop.torch",
}
_MOVED = {  # {name at the root in an earlier version: the namespace that contains it now}
    "Aid": "gait",
    "Determinants": "gait",
    "GaitPlan": "gait",
    "Profile": "gait",
    "bias_forces": "dynamics",
    "centre_of_mass_jacobian": "dynamics",
    "centroidal_momentum_matrix": "dynamics",
    "centroidal_momentum_rate": "dynamics",
    "close_loops": "loops",
    "directional": "dynamics",
    "exponential_forces": "dynamics",
    "exponential_rates": "dynamics",
    "external_forces": "dynamics",
    "forces_from_exponential": "dynamics",
    "gravity_forces": "dynamics",
    "hessian": "dynamics",
    "inverse_mass_matrix": "dynamics",
    "jacobian_bias": "dynamics",
    "jacobian_rate": "dynamics",
    "kinetic_energy": "dynamics",
    "loop_course": "loops",
    "loop_dynamics": "loops",
    "loop_errors": "loops",
    "loop_hybrid_dynamics": "loops",
    "loop_impulses": "loops",
    "loop_inverse_dynamics": "loops",
    "loop_of": "loops",
    "momentum": "dynamics",
    "momentum_rate": "dynamics",
    "newton_euler": "dynamics",
    "passive_forces": "dynamics",
    "potential_energy": "dynamics",
    "power_balance": "dynamics",
    "push_map": "gait",
    "reference_gait": "gait",
    "relative_jacobian": "dynamics",
    "retarget": "motion",
    "spatial_jacobian": "dynamics",
    "velocities_from_exponential": "dynamics",
    "velocity_forces": "dynamics",
    "Session": "WalkingSession",
    "assemble": "figure_from_parts",
}

__all__ = sorted([*_OBJECTS, *_MODULES, "compile"])


def compile(function, figure, inputs=None, parameters=(), target="cpu", precision="float64", opt=2, **options):
    """Compile an algorithm for a figure and return the kernel; see `anthropi.entry.compile`."""
    from anthropi.entry import compile as make

    return make(function, figure, inputs, parameters, target, precision, opt, **options)


def __getattr__(name: str) -> _Any:
    """Load a public name on first use (PEP 562) and store it in the module for later look-ups."""
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
    """Return the error message for an unknown name, with the name probably meant and all public names."""
    from anthropi.errors import did_you_mean
    from anthropi.peer_names import hint_for

    if name in _MOVED:
        now = _MOVED[name]
        return f"anthropi has no public name '{name}'. It is now ap.{now if now in _OBJECTS else f'{now}.{name}'}."
    hint = hint_for(name) or did_you_mean(name, __all__)
    return f"anthropi has no public name '{name}'.{hint} Public names: {', '.join(__all__)}."
