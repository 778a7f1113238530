"""Styles and scripts: everyday words that set the parameters and commands of a walker.

- `style.py`: styles as numbers, by name. `styled_walker.py`: applies a style to the parameters of a walker.
- `tokens.py`, `grammar.py`: read sentences. `defaults.py`: fills in what a sentence does not give.
- `plan.py`: the resulting plan. `script.py`: makes plans from scripts and executes them.
- `explain.py`: prints the numbers that a word sets.
- `classification.py`: measures a walk and finds its style.
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
