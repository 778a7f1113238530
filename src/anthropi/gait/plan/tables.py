"""Gait plans and determinants as text: one line, or a table with units. Works on plain floats only."""

import math
from typing import Any

__all__ = ["determinants_table", "plan_row", "plan_table"]

SOURCES = {
    "walk": {"velocity": "9.1", "step_length": "9.2", "step_frequency": "9.3", "cycle": "9.4", "step": "9.4",
             "stance": "9.5", "swing": "9.6", "double_support": "9.7"},
    "run": {"velocity": "9.1", "step_length": "9.1", "step_frequency": "running (1)", "cycle": "9.4", "step": "9.4",
            "stance": "running (2)"},
}  # fmt: skip
ROWS = (  # words, attribute, unit, format
    ("stature", "height", "m", ".3f"),
    ("velocity", "velocity", "m/s", ".3f"),
    ("step length", "step_length", "m", ".3f"),
    ("step frequency", "step_frequency", "steps/min", ".1f"),
    ("cycle", "cycle", "s", ".3f"),
    ("step", "step", "s", ".3f"),
    ("stance", "stance", "s", ".3f"),
    ("swing", "swing", "s", ".3f"),
    ("double support", "double_support", "s", ".3f"),
    ("flight", "flight", "s", ".3f"),
    ("stance fraction", "stance_fraction", "%", ".1f"),
)


def plan_table(plan: Any) -> str:
    """Return a gait plan as a text table: name, value, unit and equation of each number."""
    lines = [f"{plan.kind}: gait plan"]
    for words, name, unit, form in ROWS:
        value = getattr(plan, name) * (100.0 if unit == "%" else 1.0)
        lines.append(f"  {words:<20}{value:>9{form}} {unit:<10}{_source(plan, name)}".rstrip())
    return "\n".join(lines)


def plan_row(plan: Any) -> str:
    """Return a gait plan as one line of text."""
    stance = f"{100.0 * plan.stance_fraction:.1f} % stance"
    rest = f"flight {plan.flight:.3f} s" if plan.kind == "run" else f"double support {plan.double_support:.3f} s"
    return (
        f"GaitPlan({plan.kind} of {plan.height:.3g} m: {plan.velocity:.3g} m/s, steps of {plan.step_length:.3g} m, "
        f"{plan.step_frequency:.4g} steps/min; cycle {plan.cycle:.3f} s, {rest}, {stance})"
    )


def determinants_table(determinants: Any) -> str:
    """Return the determinants as a text table: amplitude, limits and timing of each, or "off"."""
    lines = [f"determinants, {determinants.form}: {'amplitude':>13} {'limits':>14} {'timing':>14}"]
    for name in ("pelvic_rotation", "pelvic_tilt", "stance_knee", "foot_ankle", "swing_knee", "lateral"):
        own = determinants[name]
        unit, size = ("cm", 100.0) if name == "lateral" else ("deg", math.degrees(1.0))
        limits = f"{size * own.lower:.1f} … {size * own.upper:.1f}"
        numbers = f"{size * own.amplitude:>8.1f} {unit:<4}{limits:>14}{100.0 * own.timing:>9.1f} % of the cycle"
        lines.append(f"  {name.replace('_', ' '):<20}{numbers if own.on else '     off'}")
    return "\n".join(lines)


def _source(plan, name: str) -> str:
    """Return "given", or the equation by which a number of the plan was computed."""
    if name in plan.given:
        return "given"
    if name == "step_length" and "velocity" in plan.given:
        return "by 9.1"
    if name == "step_frequency" and len(plan.given) == 2:
        return "by 9.1"
    if name == "step_frequency" and plan.kind == "walk" and plan.given == ("step_length",):
        return "by 9.2"
    if name == "velocity" and plan.kind == "run" and len(plan.given) == 1:
        return "by running (1)"
    found = SOURCES[plan.kind].get(name)
    return f"by {found}" if found else ""
