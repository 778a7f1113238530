"""Golden cases of inverse kinematics, assemblies, keyframes, retargeting and inverse dynamics of motions.

Those that go through NumPy's linear algebra or elementary functions on floats are rounded.
"""

import numpy as np

from golden.cases import DIGITS, FITTED, case
from golden.figures import block, figure, state
from golden.names import Assembly, Body, Transform, ap, arm_motion, figure_from_parts, inverse_motion, mates, standing


def pose(s: float, lift: float) -> dict[str, float]:
    """A walking pose, s from -1 (foot strike) to 1 (foot strike of the other foot)."""
    return {"l_hip.y": 0.28 * s, "r_hip.y": -0.3 * s - 0.3 * lift, "r_knee": 0.05 + 0.9 * lift,
            "l_shoulder.y": -0.2 * s, "r_shoulder.y": 0.2 * s, "l_ankle.dorsiflexion": 0.28 * s}  # fmt: skip


def step(rate=40.0):
    """One step of the standard human by keyframes."""
    own = figure("human")
    keys = {0.2 * k: pose(s, lift) for k, (s, lift) in enumerate(((-1, 0), (-0.35, 1), (0.35, 0.6), (1, 0)))}
    return ap.Keyframes(own, keys, base=standing(own)).motion(rate=rate)


def skeleton():
    """A captured skeleton as a BVH file gives it: a free root and joints of three Euler angles, and some frames."""
    bones = {  # bone: (parent, place in the parent [m])
        "Hips": (None, (0.0, 0.0, 0.0)), "Spine": ("Hips", (0.0, 0.0, 0.1)), "Chest": ("Spine", (0.0, 0.0, 0.2)),
        "Head": ("Chest", (0.0, 0.0, 0.3)),
    } | {
        f"{side}{bone}": (f"{side}{parent}" if parent in ("UpLeg", "Leg", "Foot", "Arm", "ForeArm") else parent,
                          (x, sign * y, z))
        for side, sign in (("Left", 1.0), ("Right", -1.0))
        for bone, parent, (x, y, z) in (
            ("UpLeg", "Hips", (0.0, 0.09, -0.05)), ("Leg", "UpLeg", (0.0, 0.0, -0.4)),
            ("Foot", "Leg", (0.0, 0.0, -0.42)), ("ToeBase", "Foot", (0.14, 0.0, -0.06)),
            ("Arm", "Chest", (0.0, 0.18, 0.22)), ("ForeArm", "Arm", (0.0, 0.28, 0.0)),
            ("Hand", "ForeArm", (0.0, 0.25, 0.0)))
    }  # fmt: skip
    parts = []
    for name, (parent, place) in bones.items():
        at = Transform(np.eye(3), np.array(place))
        joint = ap.joints.Free(name=name) if parent is None else ap.joints.Euler(name=name, order="zxy", placement=at)
        parts.append((parent, joint, block(name, (0.05, 0.05, 0.05), 1.0)))
    own = figure_from_parts("skeleton", parts)
    swing = 0.4 * np.sin(np.outer(np.linspace(0.0, 6.0, 8), np.ones(own.nu)) + np.arange(own.nu))
    swing[:, :6] = np.linspace(0.0, 0.3, 8)[:, None] * [1.0, 0.1, 0.0, 0.0, 0.0, 0.2]
    swing[:, 2] += 0.93
    return ap.Motion(own, 0.1 * np.arange(8), np.stack([own.integrate(own.neutral(), v) for v in swing]))


@case("motion/keyframes/human", DIGITS)
def keyframes():
    return step().q, step().u


@case("motion/edits/human", DIGITS)
def edited():
    """Cut, moved in time, mirrored, resampled, blended and joined."""
    whole = step()
    first, second = whole.slice(0.0, 0.3), whole.mirror().shift(0.2).resample(rate=25.0)
    found = first.blend(whole.mirror(), 0.3), first.then(second, overlap=0.1, align=True)
    return [(m.time, m.q, m.u) for m in found]


@case("motion/control_functions", DIGITS)
def controls():
    t = np.linspace(0.0, 1.0, 7)
    series = ap.motion.Fourier(0.8, 0.2, (0.3, 0.1), (0.2, -0.1))
    return series(t), ap.motion.spline(t, np.sqrt(t))(0.9 * t), ap.motion.Expression("2*sin(3*t) + t**2")(t)


@case("motion/retarget/skeleton_to_human", FITTED)
def retargeted():
    found = ap.motion.retarget(skeleton(), figure("human"))
    return found.q, found.channels["direction_error"]


@case("motion/retarget/skeleton_to_its_own_person", FITTED)
def retargeted_like():
    found = ap.motion.retarget(skeleton(), hands=True, limits=True, ground="lowest")
    return found.q, found.channels["direction_error"]


@case("motion/inverse/walking_step", DIGITS)
def inverse():
    found = inverse_motion(step())
    return found.tau, found.udot, found.channels["residual"], found.channels["power"]


@case("motion/inverse/free_root", DIGITS)
def inverse_free():
    found = inverse_motion(arm_motion(0.1), root="free")
    return found.tau, found.udot


@case("constraints/inverse_kinematics/human")
def reach():
    own = figure("human")
    k = ap.kinematics(own, state("human")["q"])
    points = [ap.targets.Position(name, k.marker(name)) for name in ("l_fingertip", "r_heel", "vertex")]
    turn = ap.targets.Orientation("pelvis", k.link("pelvis").rotation)
    found = ap.inverse_kinematics(own, [*points, turn], own.neutral(), passes=20)
    return found.q, found.error, found.passes


@case("constraints/inverse_kinematics/closed_loops")
def reach_closed():
    own = ap.sample("four_bar")
    at = ap.kinematics(own, own.neutral()).marker("knee") + np.array([0.01, 0.0, -0.02])
    found = ap.inverse_kinematics(own, [ap.targets.Position("knee", at)], own.neutral(), passes=20)
    return found.q, found.error


def four_bar():
    """Four bars, far from assembled."""
    rng = np.random.default_rng(1)
    free = [Body(name, rng.normal(size=3), rng.normal(size=4)) for name in ("crank", "coupler", "rocker")]
    hinges = [
        mates.Hinge(mates.Axis("ground"), mates.Axis("crank"), name="A"),
        mates.Hinge(mates.Axis("crank", (1.0, 0.0, 0.0)), mates.Axis("coupler"), name="B"),
        mates.Hinge(mates.Axis("coupler", (2.0, 0.0, 0.0)), mates.Axis("rocker", (2.0, 0.0, 0.0)), name="C"),
        mates.Hinge(mates.Axis("ground", (2.5, 0.0, 0.0)), mates.Axis("rocker"), name="D"),
    ]
    return Assembly([Body("ground", fixed=True), *free], hinges, name="four-bar")


@case("constraints/assembly/four_bar", DIGITS)
def assembled():
    solved = four_bar().solve()
    return solved.x, solved.freedom, solved.singular


@case("constraints/assembly/dragged", DIGITS)
def dragged():
    return four_bar().solve().drag("crank", quaternion=(0.9, 0.0, 0.0, 0.4)).x


@case("constraints/assembly/figure", DIGITS)
def held_figure():
    """The hand of the chain held at a point by a mate."""
    own = ap.sample("chain", links=4, joint="ball")
    end = mates.Coincident(mates.Point("link_3", (0.0, 0.0, -0.3)), mates.Point("", (0.4, 0.1, -0.7)))
    return Assembly(own, [end], q=own.neutral()).solve().x
