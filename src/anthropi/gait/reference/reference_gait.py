"""Kinematic reference of walking and running at a speed: norms of people, with feet that stand on the ground.

A plan gives the times and lengths of the steps. The curves over the cycle come from the norms at its speed or, for
running, from key angles (`curves.py`), and the determinants change them. `consistency.py` then changes them as little
as ground contact requires. The right side is the mirror image of the left, half a cycle later. Trunk, head and arms
follow the legs (`upper_body.py`). All curves are periodic splines of the phase p = t / t_cycle, so that

    q(t + t_cycle) = q(t) except for the stride,     u = dq/dt;  q, u and the acceleration are continuous           (1)

The functions work on plain floats only and cannot be recorded on a tape.
"""

from dataclasses import replace

import numpy as np

from anthropi.compiler import build
from anthropi.entry import centre_of_mass
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.plan.determinants import Determinants
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.plan.upper_body import UpperBody, upper_body
from anthropi.gait.reference.consistency import Cycle, DesiredCycle, consistent, fitted, phases
from anthropi.gait.reference.curves import GaitCurves, in_stance, run_curves, walk_curves
from anthropi.gait.reference.gait_angles import posture
from anthropi.gait.reference.leg_chain import COORDINATES, Footing, LegChain, leg_chain
from anthropi.gait.reference.norms import REACH, adult_step, dimensionless
from anthropi.motion import Motion
from anthropi.tape import record

__all__ = ["TIMINGS", "reference_cycle", "reference_gait", "reference_plan"]

DEFAULT_SPEED = {"walk": 1.25, "run": 3.0}  # [m/s]
TIMINGS = ("adults", "inman")
REFERENCE_LEG = 0.917  # [m], leg of a body of 1.75 m, for which lengths and weights are given
DEGREE = 180.0 / np.pi  # [1/rad], a weight of 1 per degree
WEIGHTS = {"pelvis_rotation": 2.0, "toe_flexion": 0.3}  # others 1; ground contact reduces pelvis rotation most
CHANGED_WEIGHT = 3.0  # factor of the weight if a determinant was changed
POSITION_WEIGHT = (1.0, 150.0, 1.0)  # [1/m] of the pelvis: forward, lateral, up
SMOOTH = {"walk": (3000.0, 3000.0, 3000.0, 1.0), "run": (3000.0, 3000.0, 300.0, 1.0)}  # λ [1/m] of the position, [1/°]
HALF_WIDTH, WIDTH_WEIGHT = {"walk": 0.06, "run": 0.02}, 200.0  # [m] from the middle to an ankle, [1/m]
CLEARANCE = {"walk": 0.012, "run": 0.02}  # [m]
PHASES = {"walk": 96, "run": 132}  # number of phases at which a cycle is solved, multiples of 12
LIFT_WEIGHT = 3.0  # [s²/m] of the upward acceleration in running
STYLE = {  # posture of trunk and arms
    "walk": UpperBody(),
    "run": UpperBody(arm=0.5, arm_offset=-0.3, elbow=1.5, elbow_gain=0.3, lean=0.12),  # [rad]
}
DIFFERENCE_STEP = 1e-5  # [s], step of central differences for u


def reference_gait(
    figure: Figure,
    plan: GaitPlan | None = None,
    *,
    speed: float | None = None,
    kind: str = "walk",
    steps: int = 4,
    rate: float = 100.0,
    determinants: Determinants | None = None,
    feet: bool = True,
    timing: str = "adults",
    smooth: float = 1.0,
    style: UpperBody | None = None,
) -> Motion:
    """Compute a reference gait along x.

    It starts at a left foot strike, with the footprint below the left ankle at the origin.

    Parameters
    ----------
    figure : `ap.human` with feet and toes.
    plan : times and lengths of the steps. If None, speed, kind and timing define them.
    speed : [m/s].
    kind : "walk" (0.4-2.2 m/s for an adult) or "run" (2-5 m/s).
    timing : step lengths of walking, "adults" (a fit to 51 adults) or "inman" (docs/equations/thesis.md (9.2)). Steps
        of running follow `gait/plan/gait_plan.py`.
    steps : number of steps.
    rate : smallest number of frames per second. The last frame is the last foot strike.
    determinants : a `Determinants`, to make determinants larger, smaller or off.
    feet : if False, the desired curves are not corrected for ground contact; the lowest sole is put on the ground.
    smooth : factor of the smoothness of corrections. With 3, forces are close to those of people and angles are 0.3°
        further from the norms.
    style : an `UpperBody`, posture of trunk and arms.

    Returns
    -------
    A motion with `FootEvent`s, and the plan in its metadata.
    """
    if plan is None:
        plan = reference_plan(figure, DEFAULT_SPEED.get(kind, 1.0) if speed is None else speed, kind, timing)
    elif speed is not None:
        raise InputError(
            "reference_gait got both a plan and a speed. Give one of them, or use plan.changed(velocity=…)."
        )
    for name, value in (("rate", rate), ("smooth", smooth)):
        if not (isinstance(value, (int, float)) and 0.0 < value < np.inf):
            raise InputError(f"reference_gait got {name}={value!r}. Give a finite number above 0.")
    events = plan.events(steps)
    style = STYLE[plan.kind] if style is None else style
    cycle = reference_cycle(figure, plan, determinants, feet, style, smooth)
    frames = max(2, int(np.ceil(steps * plan.step * rate - 1e-9)) + 1)
    time = np.linspace(0.0, steps * plan.step, frames)
    at = _postures(figure, cycle, plan, style)
    about = {
        "method": "reference gait",
        "gait": plan.kind,
        "velocity": plan.velocity,
        "step_length": plan.step_length,
        "step_frequency": plan.step_frequency,
        "stance_fraction": plan.stance_fraction,
        "step_width": 2.0 * cycle.half_width,
    }
    return Motion(figure, time, at(time), _velocities(figure, at, time), events=events, metadata=about)


def reference_plan(figure: Figure, speed: float, kind: str = "walk", timing: str = "adults") -> GaitPlan:
    """Return the gait plan of a reference gait at a speed [m/s].

    kind : "walk" or "run". timing : step lengths of walking, "adults" or "inman".
    """
    if timing not in TIMINGS:
        hint = did_you_mean(str(timing), TIMINGS)
        raise InputError(f"Unknown timing={timing!r}.{hint} Choose one of: {', '.join(TIMINGS)}.")
    if not (isinstance(speed, (int, float)) and 0.0 < speed < np.inf):
        raise InputError(f"reference_gait got speed={speed!r}. Give a number above 0 [m/s].")
    if kind == "walk" and timing == "adults":
        length = adult_step(speed, leg_chain(figure).leg).step_length
        return GaitPlan.of(figure, velocity=speed, step_length=length)
    return GaitPlan.of(figure, velocity=speed, kind=kind)


def reference_cycle(
    figure: Figure,
    plan: GaitPlan,
    determinants: Determinants | None = None,
    feet: bool = True,
    style: UpperBody | None = None,
    smooth: float = 1.0,
) -> Cycle:
    """Compute one cycle of pelvis and left leg, consistent with ground contact if `feet` is True.

    The lateral determinant applies to the centre of mass, whose offset from the pelvis is known only after the cycle
    has been solved. Therefore the cycle is solved twice.
    """
    own, chain, at = (
        Determinants() if determinants is None else determinants,
        leg_chain(figure),
        phases(PHASES[plan.kind]),
    )
    if plan.kind == "run":
        curves = run_curves(at, plan, own)
    else:
        curves = walk_curves(at, plan, _walking(plan, chain), own)
    desired = _desired(curves, chain, plan)
    desired = replace(desired, smooth=smooth * desired.smooth)
    if not feet:
        return _without_ground(chain, desired)
    footing = Footing(curves.flat, curves.rise, plan.stance_fraction, CLEARANCE[plan.kind] * chain.leg / REFERENCE_LEG)
    cycle = consistent(chain, footing, desired)
    q = _postures(figure, cycle, plan, STYLE[plan.kind] if style is None else style)(at * plan.cycle)
    theta = desired.theta.copy()
    theta[:, 1] -= centre_of_mass(figure, q)[0][:, 1] - q[:, 1]
    return consistent(chain, footing, replace(desired, theta=theta), cycle)


def _walking(plan: GaitPlan, chain: LegChain) -> float:
    """Return the dimensionless speed of a plan; raise InputError if the norms of walking do not cover it."""
    speed = dimensionless(plan.velocity, chain.leg)
    if not REACH[0] <= speed <= REACH[1]:
        low, high = (v * plan.velocity / speed for v in REACH)
        raise InputError(
            f"reference_gait got {plan.velocity:.3g} m/s. The norms of walking cover {low:.2g} to {high:.2g} m/s for "
            f"legs of {chain.leg:.2f} m. Give a speed in this range, or kind='run'."
        )
    return speed


def _desired(curves: GaitCurves, chain: LegChain, plan: GaitPlan) -> DesiredCycle:
    """Return the desired curves, weights and bounds for `consistent`."""
    size, stride, n = chain.leg / REFERENCE_LEG, plan.velocity * plan.cycle, len(curves.lateral)
    ahead = np.full(n, -0.47 * plan.stance_fraction * stride)  # the pelvis is above the ankle in mid-stance
    up = np.full(n, 0.985 * chain.leg)
    theta = np.stack([ahead, curves.lateral, up, *(curves.angles[n] for n in COORDINATES[3:])], axis=1)
    weight = np.array([*POSITION_WEIGHT, *(DEGREE * WEIGHTS.get(n, 1.0) for n in COORDINATES[3:])])
    weight[:3] /= size
    for name in curves.bound:
        weight[COORDINATES.index(name)] *= CHANGED_WEIGHT
    smooth = np.array([*(x / size for x in SMOOTH[plan.kind][:3]), *(SMOOTH[plan.kind][3] * DEGREE,) * 10])
    progression_weight = (
        np.full(n, DEGREE) if plan.kind == "walk" else DEGREE * in_stance(phases(n), plan.stance_fraction)
    )
    lower, upper = np.full(13, -np.inf), np.full(13, np.inf)
    lower[9], upper[10], lower[12], upper[12] = np.radians([0.0, 25.0, -65.0, 40.0])
    return DesiredCycle(
        theta,
        weight,
        smooth,
        curves.progression,
        progression_weight,
        HALF_WIDTH[plan.kind] * size,
        WIDTH_WEIGHT / size,
        stride,
        lift=curves.lift,
        lift_weight=LIFT_WEIGHT / plan.cycle**2,
        lower=lower,
        upper=upper,
    )


def _without_ground(chain: LegChain, desired: DesiredCycle) -> Cycle:
    """Return the desired curves, with the pelvis at the height that puts the lower foot on the ground."""
    theta = desired.theta.copy()
    low = chain.points_at(theta).place[:, :6, 2].min(1)
    n = len(theta)
    theta[:, 2] -= np.minimum(low, np.roll(low, n // 2))
    controls = np.stack([fitted(phases(n), theta[:, k], n // 2) for k in range(13)], axis=1)
    return Cycle(controls, desired.half_width, 0.0, 0, 0.0, np.zeros(0))


def _postures(figure: Figure, cycle: Cycle, plan: GaitPlan, style: UpperBody):
    """Return a function that maps times t (frames,) [s] to configurations q (frames, nq)."""
    upper = build(record(lambda q: upper_body(figure, q, style), q=figure.neutral()), opt=0)

    def at(t):
        p = t / plan.cycle
        left, right = cycle.at(p), cycle.at(p + 0.5)
        angles = {name: left[:, k] for k, name in enumerate(COORDINATES) if name.startswith("pelvis")}
        for side, theta in (("l", left), ("r", right)):
            angles |= {f"{side}_{name}": theta[:, k] for k, name in enumerate(COORDINATES) if k >= 6}
        place = left[:, :3] + np.stack([plan.velocity * t, 0.0 * t, 0.0 * t], axis=1)
        return upper(posture(figure, angles, position=place))

    return at


def _velocities(figure: Figure, at, time) -> np.ndarray:
    """Compute the velocities u (frames, nu) of a path q = at(t) by central differences (1)."""
    difference = build(record(lambda a, b: figure.difference(a, b), a=figure.neutral(), b=figure.neutral()), opt=0)
    return difference(at(time - DIFFERENCE_STEP), at(time + DIFFERENCE_STEP)) / (2.0 * DIFFERENCE_STEP)
