"""Golden cases of gait: plans, reference gaits, HIDDS, the walker and its styles, running, performed pieces.

A rollout of the walker keeps its states and joint forces; contact forces have cases of their own. Cases that go through
NumPy's linear algebra or elementary functions on floats are rounded.
"""

from functools import cache, partial

import numpy as np

from golden.cases import DIGITS, FITTED, case
from golden.figures import figure
from golden.motions import step
from golden.names import (
    STYLES,
    Command,
    Determinants,
    GaitPlan,
    PointWalker,
    WalkingSession,
    ap,
    arm_motion,
    command_session,
    follow,
    gait_report,
    hidds,
    load_walker,
    plan_of_words,
    random_course,
    reference_gait,
    refine,
    roach_walk,
    styled_walker,
)

MODES = ("computed torque", "current state", "open loop")


# plans and references


@case("gait/plan/by_speed")
def plan():
    made = [GaitPlan(velocity=v, kind=kind) for v, kind in ((0.9, "walk"), (1.3, "walk"), (3.0, "run"))]
    return [(p.velocity, p.step_length, p.step_frequency) for p in made]


@case("gait/reference/walk", DIGITS)
def reference_walk():
    found = reference_gait(figure("human"), speed=1.25, steps=2, rate=50)
    return found.q, found.u


@case("gait/reference/run", DIGITS)
def reference_run():
    found = reference_gait(figure("human"), speed=3.0, kind="run", steps=2, rate=50)
    return found.q, found.u


@case("gait/determinants", DIGITS)
def determinants():
    made, plan, phase = Determinants(), GaitPlan(step_frequency=100), np.linspace(0.0, 1.0, 21)
    of_plan = (made.knee_at, made.foot_pitch_at, made.lateral_at)
    return made.pelvic_rotation_at(phase), made.pelvic_tilt_at(phase), [curve(phase, plan) for curve in of_plan]


# inverse then direct dynamics


def followed(mode: str, **options):
    found = hidds(arm_motion(0.2), mode, opt="now", **options)
    return found.q, found.u, found.tau, found.udot, found.channels["error"], found.channels["residual"]


for mode in MODES:
    case(f"hidds/arm/{mode.replace(' ', '_')}", DIGITS)(partial(followed, mode))
for root in ("forced", "driven"):
    case(f"hidds/arm/root_{root}", DIGITS)(partial(followed, "computed torque", root=root))
case("hidds/arm/driven_and_frozen", DIGITS)(
    partial(followed, "open loop", driven=["elbow"], frozen=["flange"], method="rk4")
)


@case("hidds/human/step_on_a_frozen_foot", DIGITS)
def stepped():
    free = step()
    rooted, q, _ = figure("human").reroot("l_foot", free.q, free.u)
    found = hidds(ap.Motion(rooted, free.time, q), frozen=["root"], dt=1.0 / 40.0, opt="now")
    return found.q, found.u, found.tau


@case("hidds/arm/refined", DIGITS)
def refined():
    found = refine(arm_motion(0.1), iterations=2, opt="now")
    return found.tau, found.gain, found.change


@case("hidds/human/walk", DIGITS)
def hidds_walk():
    """The walk of the thesis, a step of it."""
    found = ap.walk(ap.human(detail="thesis42"), 1, step_frequency=100, method="hidds", dt=5e-3)
    return found.q, found.u, found.tau


# the walker


def styled(walker: str, style: str):
    """A set of parameters in a style, rounded: styles are fitted by NumPy, whose last bits differ between CPUs."""
    found = styled_walker(load_walker(walker))(STYLES[style])
    return found._replace(parameters={name: np.round(x, 9) for name, x in found.parameters.items()})


@cache
def session(
    walker: str = "natural", style: str = "natural", speed: float = 1.3, start: str = "walk", pushed=(0.0, 0.0)
):
    """A third of a second of a walking session with a push in the middle."""
    made = WalkingSession(figure("human"), styled(walker, style), start, opt="now")
    command_session(made, Command(speed=speed))
    made.run(0.15)
    made.run(0.05, push=pushed)
    command_session(made, Command(speed=speed, heading=0.3))
    made.run(0.15)
    return made


def walked(**options):
    made = session(**options)
    return made.q, made.u, made.time, made.motion().q, made.motion().u, made.motion().tau


SESSIONS = {
    "natural": {},
    "pushed": {"pushed": (30.0, 80.0)},
    "from_standing": {"start": "stand"},
    "run": {"walker": "run", "speed": 3.0},
    "rough": {"walker": "rough"},
    "tired": {"style": "tired", "speed": 1.0},
    "limping": {"style": "limping", "speed": 0.9},
}
for name, options in SESSIONS.items():
    case(f"walker/session/{name}")(partial(walked, **options))
for name in ("natural", "run"):
    case(f"contact_channel/walker/{name}")(lambda own=name: session(**SESSIONS[own]).motion().channels["contact"])
for name in STYLES:
    case(f"walker/style/{name}", DIGITS)(
        lambda own=name: dict(sorted(styled_walker(load_walker())(STYLES[own]).parameters.items()))
    )


@case("walker/walk/one_step")
def walk():
    found = ap.walk(figure("human"), 1, speed=1.3)
    return found.time, found.q, found.u, found.tau


@case("contact_channel/gait_report", FITTED)
def report():
    """Rows of the report of four steps, which read the contact forces."""
    found = gait_report(ap.walk(figure("human"), 6, speed=1.3), from_time=0.5)
    return [list(row.values.values()) for row in found.rows]


# words, navigation, six legs


@case("words/script")
def words():
    """The orders of a script: time, duration, speed, heading and time of change of each."""
    made = plan_of_words(
        "stand 2 s; walk at 0.8 m/s for 8 s; turn left 90 degrees; walk very tired for 8 s; stop in 1 s"
    )
    return [(order.time, order.duration, order.speed, order.heading, order.over) for order in made]


@case("navigation/course_without_physics", FITTED)
def course():
    """The way of a point that walks to a goal among obstacles, one of which moves."""
    found = random_course(100)
    log = follow(PointWalker(found.start, seed=1100), found.goal, found.outlines)
    return [(command.speed, command.heading) for command in log.commands], log.left, log.smallest


@case("roach/walk", DIGITS)
def roach():
    found = roach_walk(ap.Scene(figure("roach"), features="feet"), [(0.05, 0.3, 0.0), (0.05, 0.2, 0.5)], opt="now")
    return found.q, found.u


# performed pieces


@case("performer/jump")
def jump():
    found = ap.perform(figure("human"), "jump", duration=0.2, every=20, record=("tau",), opt="now")
    return found.q, found.u, found.tau


@case("performer/stand")
def stand():
    found = ap.perform(figure("human"), "stand", duration=0.1, every=20, heading=0.4, record=("tau",), opt="now")
    return found.q, found.u, found.tau
