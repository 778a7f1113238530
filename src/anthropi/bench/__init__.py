"""How fast are we, and what does it cost? Timings beside the installed peers, and operation counts."""

from anthropi.bench.report import SUBJECTS, Report, Row, measure

__all__ = ["SUBJECTS", "Report", "Row", "measure"]
