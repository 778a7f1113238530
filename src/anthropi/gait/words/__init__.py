"""The high level: everyday words that set the middle level's parameters (thesis 9.1).

`style.py` is the record of a style, `styles.py` the styles by their words, `styling.py` what they change in a walker;
`tokens.py`, `grammar.py` and `vocabulary.py` read sentences, `planning.py` and `filling.py` make a plan of `orders.py`;
`explaining.py` tells what a word sets, `performing.py` feeds a session; `measures.py` tells how somebody walks in
numbers, `classify.py` in which style, `style_walks.py` walks many styles at once.
"""

from anthropi.gait.words.classify import load_centroids
from anthropi.gait.words.explaining import explain
from anthropi.gait.words.filling import Now
from anthropi.gait.words.measures import MEASURES, measures
from anthropi.gait.words.orders import Order, Plan
from anthropi.gait.words.performing import now_of, perform
from anthropi.gait.words.planning import plan, read_script
from anthropi.gait.words.style import Style
from anthropi.gait.words.styles import STYLES, style_of
from anthropi.gait.words.styling import styled, styled_walker

__all__ = [
    "MEASURES",
    "STYLES",
    "Now",
    "Order",
    "Plan",
    "Style",
    "explain",
    "load_centroids",
    "measures",
    "now_of",
    "perform",
    "plan",
    "read_script",
    "style_of",
    "styled",
    "styled_walker",
]
