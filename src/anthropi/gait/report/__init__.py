"""Gait reports: tables and curves of a walk compared with those of adults (docs/equations/gait.md, 2.4)."""

from anthropi.gait.report.criteria import Criterion, CurveScore, Row, score
from anthropi.gait.report.poincare import Poincare, poincare_multiplier
from anthropi.gait.report.record import GaitRecord
from anthropi.gait.report.recovery import recovery_steps
from anthropi.gait.report.report import CurveBand, GaitReport, gait_report, headline
from anthropi.gait.report.spatiotemporal import FootPlacement, foot_placement
from anthropi.gait.report.trends import SpeedTrends, Trend, speed_trends

__all__ = [
    "Criterion",
    "CurveBand",
    "CurveScore",
    "FootPlacement",
    "GaitRecord",
    "GaitReport",
    "Poincare",
    "Row",
    "SpeedTrends",
    "Trend",
    "foot_placement",
    "gait_report",
    "headline",
    "poincare_multiplier",
    "recovery_steps",
    "score",
    "speed_trends",
]
