"""Write live pages of ten scenes and an index of them to out/gallery: `make gallery`."""

import html
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.progress import track

import anthropi as ap
from anthropi.formats.scripts import read
from anthropi.gait.walker.hexapod import Roach

ROOT = Path(__file__).parents[1]
PENDULUMS = 24


def walker(height: float, mass: float, sex: str, walker: str = "natural") -> ap.WalkingSession:
    return ap.WalkingSession(ap.human(height, mass, sex), walker, start="walk")


def script(name: str) -> ap.Simulation:
    return read(ROOT / "examples" / "scripts" / f"{name}.toml").simulation()


def pendulums() -> ap.Simulation:
    """Return double pendulums that start a hundredth of a degree apart."""
    figure = ap.sample("double_pendulum")
    q = np.tile(figure.neutral(), (PENDULUMS, 1))
    q[:, 0] = 2.4 + np.deg2rad(0.01) * np.arange(PENDULUMS)
    sim = ap.Simulation(figure, batch=PENDULUMS)
    sim.reset(q)
    return sim


def mechanism(name: str, **speeds: float) -> ap.Simulation:
    """Return a sample figure with given velocities of some degrees of freedom."""
    figure = ap.sample(name)
    sim = ap.Simulation(figure)
    u = np.zeros(figure.nu)
    for dof, speed in speeds.items():
        u[figure.dof_indices([dof])[0]] = speed
    sim.reset(figure.neutral(), u)
    return sim


def roach() -> ap.Simulation:
    figure = ap.sample("roach")
    controller = Roach(figure)
    sim = ap.Simulation(ap.Scene(figure), controller)
    sim.reset(controller.start())
    return sim


SCENES: dict[str, tuple[str, Callable[[], object]]] = {
    "walk": ("A person walks. Push it, change its speed and style.", lambda: walker(1.75, 75.0, "m")),
    "woman": ("A smaller person walks with the same controller.", lambda: walker(1.62, 58.0, "f")),
    "run": ("A person runs.", lambda: walker(1.75, 75.0, "m", "run")),
    "roach": ("A six-legged robot walks in tripods.", roach),
    "falling_human": ("A limp body falls. Lift it.", lambda: script("falling_human")),
    "dominoes": ("Dominoes fall.", lambda: script("dominoes")),
    "boxes": ("Boxes slide and tumble.", lambda: script("boxes")),
    "pendulums": (f"{PENDULUMS} double pendulums that start 0.01° apart.", pendulums),
    "four_bar": ("A four-bar linkage: a closed loop.", lambda: mechanism("four_bar")),
    "stewart": ("A Stewart platform: six closed loops.", lambda: mechanism("stewart")),
}


def main() -> int:
    folder = ROOT / "out" / "gallery"
    rows = []
    for name, (words, make) in track(SCENES.items(), "live pages"):
        file = ap.live_page(make(), folder / f"{name}.html", title=name.replace("_", " "), caption=words)
        size = file.stat().st_size / 1e6
        rows.append(f'<li><a href="{name}.html">{html.escape(words)}</a> <small>{size:.1f} MB</small></li>')
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>AnthroPI: live pages</title>'
    style = "<style>body{font:16px/1.6 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>"
    text = "<h1>Live pages</h1><p>Each page simulates its scene in your browser.</p>"
    (folder / "index.html").write_text(f"{head}{style}{text}<ul>{''.join(rows)}</ul></html>", encoding="utf-8")
    print(f"Open this file in a browser:\n  {folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
