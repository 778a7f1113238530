"""Styles and scripts: everyday words that set the parameters and commands of a walker.

`style.py` holds the record of a style and the styles by name, `styled_walker.py` applies a style to the parameters of a
walker. `tokens.py` and `grammar.py` read sentences, `defaults.py` fills in what they leave open, `plan.py` is the
resulting plan, `script.py` makes and executes it, `explain.py` prints what a word sets. `classification.py` measures a
walk and finds its style.
"""

from anthropi.gait.styles.classification import MEASURES, load_centroids, measures
from anthropi.gait.styles.defaults import PlanStart
from anthropi.gait.styles.explain import explain
from anthropi.gait.styles.plan import Order, Plan
from anthropi.gait.styles.script import perform, plan, plan_start_of, read_script
from anthropi.gait.styles.style import STYLES, Style, style_of
from anthropi.gait.styles.styled_walker import styled, styled_walker

__all__ = [
    "MEASURES",
    "STYLES",
    "Order",
    "Plan",
    "PlanStart",
    "Style",
    "explain",
    "load_centroids",
    "measures",
    "perform",
    "plan",
    "plan_start_of",
    "read_script",
    "style_of",
    "styled",
    "styled_walker",
]
