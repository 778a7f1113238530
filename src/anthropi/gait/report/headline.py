"""What came of a walk, in a few lines? The report's headline: for a terminal, after a walk was made. Floats only."""

import numpy as np

from anthropi.errors import AnthropiError
from anthropi.gait.report.report import GaitReport, gait_report
from anthropi.motion import Motion

__all__ = ["headline"]

ROWS = ("GPS", "speed", "step time", "step length", "double support", "positive joint work", "slip in stance")
RUN = ("speed", "step time", "step length", "foot off", "positive joint work", "slip in stance")
WIDE, NUMBER = 24, 16


def headline(motion: Motion, report: GaitReport | None = None, *, gait: bool = True,
             real_time: float | None = None) -> str:  # fmt: skip
    """Lines of text: falls, what holds it, GPS, speed, step time, work … beside what adults score.

    report : of the motion, made here if None; where it cannot be made (a turn, too few steps) a line says why.
    gait : False where it is no steady walk: no report. real_time : seconds of motion a second of one core.
    """
    about = motion.metadata.get("walk", {})
    lines = [_line("falls", "1" if about.get("fell") else "0", f"in {motion.time[-1] - motion.time[0]:.1f} s"),
             _line("at the root", *_root(motion)), _line("external aid", *_aid(motion))]  # fmt: skip
    why = ""
    try:
        report = report or (gait_report(motion) if gait else None)
    except AnthropiError as error:
        why = str(error)
    if report is None:
        way = np.linalg.norm(np.diff(motion.q[:, :2], axis=0), axis=1).sum()
        lines += [_line("way", f"{way:.1f} m", f"{about['steps']} steps" if "steps" in about else "")]
        lines += [_line("no gait report", "", why)] if why else []
    else:
        runs = about.get("kind") == "run"  # adults of the norm walk
        lines += [_row(report[name], not runs) for name in (RUN if runs else ROWS)]
        if about.get("speed") is not None:
            lines.insert(3, _line("speed told", f"{about['speed']:.2f} m/s", f"style: {about.get('style', 'natural')}"))
        lines.append(_line("gait report", f"{report.count('pass')} pass", f"{report.count('fail')} fail, "
                           f"{', '.join(f'{len(rows)} {side}' for side, rows in _sides(report))} strides"))  # fmt: skip
    if real_time is not None:
        lines.append(_line("real-time factor", f"{real_time:.0f}", "on one core, compiling apart"))
    return "\n".join(line.rstrip() for line in lines)


def _line(what: str, value: str, beside: str = "") -> str:
    return f"  {what:<{WIDE}}{value:<{NUMBER}}{beside}"


def _row(row, beside: bool) -> str:
    """A row of the report, the mean of both legs."""
    if not row.measured:
        return _line(row.name, "", row.verdict)
    mean = float(np.mean(list(row.values.values())))
    adults = row.criterion.adults.partition(" [")[0]  # where it is from is for the report
    return _line(row.name, f"{row.criterion.shown(mean)} {row.unit}", f"adults {adults}" if adults and beside else "")


def _root(motion: Motion) -> tuple[str, str]:
    if motion.tau is None:
        return "not recorded", ""
    most = float(np.abs(motion.tau[:, :6]).max())
    return ("no force", "") if most == 0.0 else (f"{most:.3g} N, N m", "the largest")


def _aid(motion: Motion) -> tuple[str, str]:
    if motion.metadata.get("aid"):
        most = float(np.linalg.norm(motion.channels["aid"], axis=-1).max())
        return f"{most:.1f} N m", "the largest; no longer physics alone"
    return "none", ""


def _sides(report: GaitReport):
    return ((name, report.walk.strides[side]) for side, name in (("l", "left"), ("r", "right")))
