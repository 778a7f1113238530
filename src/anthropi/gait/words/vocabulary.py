"""The words of scripts, but for styles: verbs, units, counts, sides. Another word for something is an entry here."""

import math

__all__ = ["COUNTS", "FILLERS", "GOING_ON", "RAMPS", "SIDES", "SPEEDS", "UNITS", "VERBS", "VERB_MEANS"]

VERBS = {  # word: what it asks for, and in which style
    "stand": ("stand", ""), "stay": ("stand", ""), "wait": ("stand", ""), "pause": ("stand", ""),
    "stop": ("stop", ""), "halt": ("stop", ""), "walk": ("walk", ""), "start": ("walk", ""),
    "march": ("walk", "marching"), "sneak": ("walk", "sneaking"), "limp": ("walk", "limping"),
    "run": ("run", ""), "jog": ("run", ""),
    "jump": ("jump", ""), "hop": ("jump", ""), "turn": ("turn", ""), "face": ("turn", ""), "go": ("go to", ""),
    "goto": ("go to", ""),
}  # fmt: skip
UNITS = {  # word: kind, size in SI
    "s": ("time", 1.0), "sec": ("time", 1.0), "second": ("time", 1.0), "seconds": ("time", 1.0),
    "ms": ("time", 1e-3), "min": ("time", 60.0), "minute": ("time", 60.0), "minutes": ("time", 60.0),
    "m/s": ("speed", 1.0), "km/h": ("speed", 1.0 / 3.6), "kmh": ("speed", 1.0 / 3.6), "mph": ("speed", 0.44704),
    "degrees": ("angle", math.pi / 180.0), "degree": ("angle", math.pi / 180.0), "deg": ("angle", math.pi / 180.0),
    "°": ("angle", math.pi / 180.0), "rad": ("angle", 1.0), "radians": ("angle", 1.0),
    "m": ("length", 1.0), "metres": ("length", 1.0), "meters": ("length", 1.0), "metre": ("length", 1.0),
    "meter": ("length", 1.0), "cm": ("length", 0.01), "steps": ("steps", 1.0), "step": ("steps", 1.0),
}  # fmt: skip
COUNTS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0,
          "nine": 9.0, "ten": 10.0, "twelve": 12.0, "twenty": 20.0}  # fmt: skip
SIDES = {"left": 1.0, "right": -1.0}
FILLERS = frozenset(("a", "an", "and", "the", "please", "now", "while", "walking"))
RAMPS, SPEEDS = ("in", "over", "within"), ("at", "with")
GOING_ON = {"faster": 1.25, "slower": 0.8}  # of the speed now

VERB_MEANS = {
    "stand": "stands still where it is",
    "stop": "ends walking within two steps, then stands",
    "walk": "walks; goes on as it did where nothing else is told",
    "run": "runs, with a flight phase",
    "jump": "jumps once, in place or forward, lands and stands",
    "turn": "turns its heading while it walks on; from standing it steps on the spot",
    "go to": "walks to a point (x, y) of the world and stands there",
}
