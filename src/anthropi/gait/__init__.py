"""How figures walk: the plan of a gait, its determinants, its reference, hybrid dynamics, reports."""

from anthropi.gait.angles import gait_angles, posture
from anthropi.gait.determinants import Determinant, Determinants
from anthropi.gait.feet import foot_lines
from anthropi.gait.phases import FootEvent
from anthropi.gait.plan import GaitPlan
from anthropi.gait.reference import reference_gait
from anthropi.gait.report import GaitReport, gait_report
from anthropi.gait.schedule import Schedule

__all__ = [
    "Determinant",
    "Determinants",
    "FootEvent",
    "GaitPlan",
    "GaitReport",
    "Schedule",
    "foot_lines",
    "gait_angles",
    "gait_report",
    "posture",
    "reference_gait",
]
