"""The report of a walk: tables and curves of spec/gait.md 2.4 beside what real adults score."""

from anthropi.gait.report.record import GaitRecord
from anthropi.gait.report.report import CurveBand, GaitReport, gait_report
from anthropi.gait.report.rows import Criterion, Row
from anthropi.gait.report.scores import CurveScore, score

__all__ = ["Criterion", "CurveBand", "CurveScore", "GaitRecord", "GaitReport", "Row", "gait_report", "score"]
