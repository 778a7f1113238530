"""Six legs that walk in alternating tripods, in pure physics: `Roach`, a controller of `ap.sample("roach")`.

`legs.py` bends a leg of three hinges, `feet.py` plans where feet go, `roach.py` is the law, `walk.py` gives orders,
`measures.py` says how it went.
"""

from anthropi.gait.roach.measures import Measures, headings, measure
from anthropi.gait.roach.roach import Roach
from anthropi.gait.roach.walk import roach_walk

__all__ = ["Measures", "Roach", "headings", "measure", "roach_walk"]
