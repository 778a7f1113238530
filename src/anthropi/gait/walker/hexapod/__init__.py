"""Six legs that walk in alternating tripods, in pure physics: `Roach`, a controller of `ap.sample("roach")`.

`legs.py` bends a leg of three hinges, `legs.py` plans where feet go, `roach.py` is the law, `roach.py` gives orders,
`roach.py` says how it went.
"""

from anthropi.gait.walker.hexapod.roach import Measures, Roach, headings, measure, roach_walk

__all__ = ["Measures", "Roach", "headings", "measure", "roach_walk"]
