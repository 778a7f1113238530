"""Golden cases of figures with closed loops: dynamics, closing, projection while they move."""

from functools import cache, partial
from pathlib import Path

import numpy as np

from golden.algorithms import counted
from golden.cases import case
from golden.names import (
    Convex,
    Loop,
    ap,
    close_loops,
    loop_course,
    loop_dynamics,
    loop_errors,
    loop_hybrid_dynamics,
    loop_impulses,
    loop_inverse_dynamics,
    scalar,
    spatial,
)

FILES = Path(__file__).resolve().parents[1] / "files" / "v0_1"
MECHANISMS = ("four_bar", "slider_crank", "bennett", "stewart")
ALGORITHMS = {
    "dynamics": (loop_dynamics, {}),
    "inverse_dynamics": (loop_inverse_dynamics, {}),
    "hybrid_dynamics": (loop_hybrid_dynamics, {"prescribed": 1}),
    "errors": (loop_errors, {}),
}
CONTACTS = {"compliant": ap.contact.Compliant, "impulsive": ap.contact.Impulsive, "convex": Convex}
FIRST = np.eye(1, 60)[0]  # the first degree of freedom


@cache
def mechanism(name: str):
    """A sample; the platform from a file, since NumPy computes the directions of its legs."""
    return ap.load(FILES / "stewart.toml") if name == "stewart" else ap.sample(name)


def moving(name: str):
    """A closed state: figure, q, u, tau, udot."""
    own = mechanism(name)
    rng = np.random.default_rng(3)
    rate, tau, udot = rng.uniform(-1.0, 1.0, (3, own.nu))
    q, u = close_loops(own, own.neutral(), rate)
    return own, {"q": q, "u": u, "tau": tau, "udot": udot}


def evaluate(name: str, algorithm, options):
    own, given = moving(name)
    if options:
        options = {"prescribed": (own.joints[0].name,)}
    if algorithm is loop_errors:  # of a state that is not closed
        given["q"] = own.integrate(given["q"], 0.1 * given["udot"])
    return counted(ap.compile(algorithm, own, opt="now", **options), given)


def close(name: str):
    """The nearest closed state to one that is off by a tenth."""
    own, given = moving(name)
    return close_loops(own, own.integrate(given["q"], 0.1 * given["udot"]), given["u"])


def impulse(name: str):
    own, given = moving(name)
    return loop_impulses(own, given["q"], given["u"], given["tau"])


def swing(name: str):
    own, given = moving(name)
    motion = ap.simulate(own, given["q"], given["u"], steps=20, dt=1e-3, every=5, loop_forces=True, opt="now")
    return motion.q, motion.u, {n: x for n, x in motion.channels.items() if n.endswith(".force")}


def touch(name: str, contact):
    """The crank of the four-bar hits a floor under it; the platform moves above one."""
    own = mechanism(name)
    floor = ap.contact.Plane((0.0, 0.0, -0.12 if name == "four_bar" else -1.0))
    q, u = close_loops(own, own.integrate(own.neutral(), -0.4 * FIRST[: own.nu]), -8.0 * FIRST[: own.nu])
    scene, steps = ap.Scene(own, ground=floor, contact=contact()), 60 if name == "four_bar" else 20
    motion = ap.simulate(scene, q, u, steps=steps, dt=1e-3, every=20, opt="now")
    return motion.q, motion.u


for name in MECHANISMS:
    for what, (algorithm, options) in ALGORITHMS.items():
        case(f"loops/{name}/{what}")(partial(evaluate, name, algorithm, options))
    case(f"loops/{name}/close")(partial(close, name))
    case(f"loops/{name}/impulse")(partial(impulse, name))
    case(f"loops/{name}/simulate")(partial(swing, name))
for name in ("four_bar", "stewart"):
    for what, contact in CONTACTS.items() if name == "four_bar" else list(CONTACTS.items())[:2]:
        case(f"loops/{name}/simulate_{what}_contact")(partial(touch, name, contact))


@case("loops/chain/led_along_a_path")
def led():
    """A chain on a free root whose first point follows a path."""
    chain = ap.sample("chain", links=3, joint="ball")
    chain = chain.changed(joints=[ap.joints.Free(name="root"), *chain.joints[1:]])
    place = spatial.identity()
    own = chain.changed(loops=[Loop("nail", "point", "", place, "link_0", place)])

    def path(t):
        return np.array([0.2 * scalar.sin(2.0 * t), 0.1 * scalar.cos(3.0 * t), 0.05 * scalar.sin(5.0 * t)])

    course = loop_course(own, {"nail": path}, 0.0)
    q, u = close_loops(own, own.neutral(), np.zeros(own.nu), course)
    found = ap.simulate(own, q, u, steps=20, dt=1e-3, every=10, loops={"nail": path}, loop_forces=True, opt="now")
    return found.q, found.u, found.channels["nail.force"]
