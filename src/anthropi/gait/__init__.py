"""Gait: plans, determinants, reference gaits, hybrid inverse and direct dynamics, walkers, styles and reports."""

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
