"""The high level: everyday words that set the middle level's parameters (thesis 9.1).

`style.py` is the record of a style, `style.py` the styles by their words, `styled_walker.py` what they change in a
walker; `tokens.py`, `grammar.py` and `tokens.py` read sentences, `script.py` and `defaults.py` make a plan of
`plan.py`; `explain.py` tells what a word sets, `script.py` feeds a session; `classification.py` tells how somebody
walks in numbers, `classification.py` in which style, `style_walks.py` walks many styles at once.
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
