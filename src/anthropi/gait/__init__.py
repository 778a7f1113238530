"""Gait: plans, determinants, reference gaits, hybrid inverse and direct dynamics, walkers, styles and reports."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anthropi.gait.hidds.ground_force_estimate import EstimateSettings, estimate_ground_forces
    from anthropi.gait.hidds.refinement import Profile
    from anthropi.gait.plan.determinants import Determinant, Determinants
    from anthropi.gait.plan.gait_plan import GaitPlan
    from anthropi.gait.plan.phases import FootEvent
    from anthropi.gait.plan.schedule import Schedule
    from anthropi.gait.reference.gait_angles import gait_angles, posture
    from anthropi.gait.reference.reference_gait import reference_gait
    from anthropi.gait.report import GaitReport, gait_report
    from anthropi.gait.report.plausibility import foot_lines
    from anthropi.gait.report.push_map import push_map
    from anthropi.gait.report.walk_page import walk_page
    from anthropi.gait.tracking import TrackingSettings, track
    from anthropi.gait.walker.external_aid import Aid

__all__ = [
    "Aid",
    "Determinant",
    "Determinants",
    "EstimateSettings",
    "FootEvent",
    "GaitPlan",
    "GaitReport",
    "Profile",
    "Schedule",
    "TrackingSettings",
    "estimate_ground_forces",
    "foot_lines",
    "gait_angles",
    "gait_report",
    "posture",
    "push_map",
    "reference_gait",
    "track",
    "walk_page",
]

_LATE = {  # {name: its module}
    "EstimateSettings": "anthropi.gait.hidds.ground_force_estimate",
    "estimate_ground_forces": "anthropi.gait.hidds.ground_force_estimate",
    "Profile": "anthropi.gait.hidds.refinement",
    "Determinant": "anthropi.gait.plan.determinants",
    "Determinants": "anthropi.gait.plan.determinants",
    "GaitPlan": "anthropi.gait.plan.gait_plan",
    "FootEvent": "anthropi.gait.plan.phases",
    "Schedule": "anthropi.gait.plan.schedule",
    "gait_angles": "anthropi.gait.reference.gait_angles",
    "posture": "anthropi.gait.reference.gait_angles",
    "reference_gait": "anthropi.gait.reference.reference_gait",
    "GaitReport": "anthropi.gait.report",
    "gait_report": "anthropi.gait.report",
    "foot_lines": "anthropi.gait.report.plausibility",
    "push_map": "anthropi.gait.report.push_map",
    "walk_page": "anthropi.gait.report.walk_page",
    "TrackingSettings": "anthropi.gait.tracking",
    "track": "anthropi.gait.tracking",
    "Aid": "anthropi.gait.walker.external_aid",
}


def __getattr__(name: str) -> Any:
    """Load a name on first use, because its module is slow to import."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LATE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
