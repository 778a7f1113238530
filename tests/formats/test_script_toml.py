"""Scripts: what they say is what runs, and what is wrong is refused with file, place, culprit and choices."""

import random
import re
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact import Impulsive, Plane
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.limits import StoppingLimits
from anthropi.errors import AnthropiError, FormatError, InputError, Interrupted
from anthropi.figure.editing.joining import split_states
from anthropi.formats.scripts import parse, read, schema
from anthropi.simulation.controllers import Hold
from anthropi.simulation.script_controller import Change, Pose, ScriptController
from formats.mutations import spoiled

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples" / "scripts").glob("*.toml"))

HEAD = """\
format = "anthropi script 1"
name = "trial"
angles = "degrees"
"""
ARM = """
[[figure]]
name = "arm"
sample = "double_pendulum"
position = { joint_1 = 30.0 }
velocity = { joint_0 = 90.0 }
"""
HELD = '[[command]]\nat = 0.0\nkind = "hold"\n'
RUN = """
[run]
duration = 0.1
dt = 0.001
"""
WHOLE = (
    HEAD
    + """
[[figure]]
name = "anna"
human = { height = 1.7, mass = 60.0, sex = "f", detail = "simple27" }
pose = "standing"
position = { l_hip = [0.0, -20.0, 0.0], r_hip.y = 10.0 }

[[figure]]
name = "crate"
body = { kind = "box", size = [0.3, 0.3, 0.3], density = 300.0 }
origin = [1.0, 0.0, 1.0]
euler = { order = "xyz", angles = [0.0, 0.0, 45.0] }
velocity = { root = [0.0, 0.0, 0.0, 0.0, 0.0, 90.0] }

[scene]
gravity = [0.0, 0.0, -3.7]
features = "all"
touching = [["anna/torso", "crate/body"]]

[scene.ground]
slope = 5.0
towards = [0.0, 1.0]

[[obstacle]]
name = "step"
kind = "box"
size = [1.0, 1.0, 0.2]
origin = [3.0, 0.0, 0.1]

[[obstacle]]
name = "door"
kind = "box"
size = [1.0, 0.1, 2.0]
origin = [0.0, 4.0, 1.0]
moving = { x = { keys = [[0.0, 0.0], [1.0, 2.0]] }, turn = "90*t", axis = [0.0, 0.0, 1.0] }
material = { friction = 0.1 }

[contact]
model = "impulsive"
passes = 100

[material]
friction = 0.6
[[material.pair]]
a = "crate/body"
b = "ground"
restitution = 0.5

[limits]
kind = "soft"
spring = { law = "power", k = 5000.0, n = 3.0 }
but = ["anna/waist"]

[[control]]
name = "posture"
kind = "hold"
figure = "anna"
joints = ["waist", "l_hip", "r_hip"]
target = { waist = [0.0, 10.0, 0.0] }
kp = 300.0
kd = 30.0
limit = 200.0

[[control]]
kind = "force"
figure = "anna"
force = { l_shoulder.y = "5*sin(t)", "r_shoulder.y" = { period = 1.0, cosine = [2.0] } }
begin = 0.2
end = 0.8

[[control]]
kind = "motion"
figure = "anna"
velocity = { girdle.x = 0.0, girdle.y = "10*t", girdle.z = { keys = [[0.0, 0.0], [1.0, 1.0]], ends = "clamped" } }

[[control]]
kind = "freeze"
joints = ["anna/pelvic"]

[[command]]
at = 0.3
kind = "push"
figure = "anna"
link = "torso"
force = 50.0
direction = [1.0, 1.0, 0.0]
duration = 0.1

[[command]]
at = 0.4
kind = "hold"
figure = "anna"
joints = ["waist"]
target = "neutral"
over = 0.2

[[command]]
at = 0.5
kind = "release"
figure = "anna"
joints = ["l_hip"]

[record]
channels = ["contact", "tau"]
rate = 200.0

[run]
duration = 1.0
dt = 0.001
seed = 3
"""
)


def arm(more="", run=RUN):
    return parse(HEAD + ARM + more + run, "arm.toml")


# what a script says


def test_a_whole_script_is_what_it_says():
    script = parse(WHOLE)
    figure, scene = script.scene.figure, script.scene
    assert script.figures == ("anna", "crate") and figure.gravity.tolist() == [0.0, 0.0, -3.7]
    assert isinstance(scene.contact, Impulsive) and scene.contact.passes == 100 and len(scene.obstacles) == 2
    assert isinstance(scene.ground, Plane) and np.allclose(scene.ground.normal[1], np.sin(np.radians(5.0)))
    assert scene.between("", "crate/body", "ground").restitution == 0.5 and scene.material.friction == 0.6
    hips = [figure.joints[figure.joint_index(f"anna/{s}_hip")] for s in "lr"]
    turns = [j.coordinates(script.q[figure.q_of[figure.joint_index(j.name)]]) for j in hips]
    assert np.allclose(turns, np.radians([[0.0, -20.0, 0.0], [0.0, 10.0, 0.0]]))
    assert np.allclose(script.u[-1], np.pi / 2) and np.count_nonzero(script.u) == 1
    k = ap.kinematics(figure, script.q)
    soles = [(figure.link_index(f.link), f) for f in scene.features if f.link.startswith("anna/")]
    gaps = [scene.ground.distance(k.position[i] + k.rotation[i] @ f.point)[0] - f.radius for i, f in soles]
    assert abs(min(gaps)) < 1e-12  # it stands on the slope
    assert np.allclose(k.rotation[figure.link_index("crate/body")][0, 0], np.cos(np.pi / 4))
    pose, w, v = scene.obstacles[1].at(0.5)
    assert (
        np.allclose(w, [0, 0, np.pi / 2]) and np.allclose(v, [2.0, 0, 0]) and np.allclose(pose.origin, [1.0, 4.0, 1.0])
    )
    assert np.allclose(pose.rotation[:2, :2], np.array([[1, -1], [1, 1]]) / np.sqrt(2))
    assert script.steps() == (1000, 5, 0.001) and script.seed == 3 and script.record == ("contact", "tau")
    assert [e.time for e in script.plan.events] == [0.3, 0.4, 0.5]


def test_names_of_degrees_of_freedom_need_no_quotes():
    quoted = WHOLE.replace("r_hip.y = 10.0", '"r_hip.y" = 10.0').replace("l_shoulder.y =", '"l_shoulder.y" =')
    assert np.array_equal(parse(quoted).q, parse(WHOLE).q)


def test_heights_come_as_numbers_or_as_a_formula():
    ground = '[scene.ground]\nkind = "heights"\nlow = [-1.0, -1.0]\nspacing = 0.5\n'
    by_formula = arm(ground + 'formula = "0.1*x*y + 1"\nhigh = [1.0, 1.0]\n').scene.ground
    rows = [[float(0.1 * x * y + 1.0) for y in np.arange(-1, 1.1, 0.5)] for x in np.arange(-1, 1.1, 0.5)]
    by_number = arm(ground + f"heights = {rows}\n").scene.ground
    assert isinstance(by_formula, HeightField) and np.allclose(
        by_formula.heights, by_number.heights, rtol=0, atol=1e-15
    )


def test_limits_may_be_accelerations_that_stop():
    limits = arm('[limits]\nkind = "stopping"\nbut = ["joint_0"]\n').scene.limits
    assert isinstance(limits, StoppingLimits) and [name.rpartition("/")[2] for name in limits.exclude] == ["joint_0"]


def test_a_figure_comes_from_a_file_beside_the_script(tmp_path):
    ap.save(ap.sample("pendulum"), tmp_path / "clock.toml")
    (tmp_path / "s.toml").write_text(HEAD + '[[figure]]\nfile = "clock.toml"\norigin = [0.0, 0.0, 2.0]\n' + RUN)
    script = read(tmp_path / "s.toml")
    assert ap.kinematics(script.scene.figure, script.q).position[0][2] == 2.0
    for path in ("../clock.toml", "/etc/passwd", "none.toml"):
        (tmp_path / "s.toml").write_text(HEAD + f'[[figure]]\nfile = "{path}"\n' + RUN)
        with pytest.raises(FormatError, match=re.escape(path)):
            read(tmp_path / "s.toml")


def test_the_schema_is_there():
    assert {"figure", "control", "command", "run"} <= set(schema()["properties"])


# what runs is what simulate does


def test_holding_is_the_controller_hold():
    script = arm('[[control]]\nkind = "hold"\nkp = 50.0\nkd = 3.0\nlimit = 20.0\n')
    figure = script.scene.figure
    mine = script.run(opt=0)
    other = ap.simulate(script.scene, script.q, script.u, Hold(figure, script.q, 50.0, 3.0, limit=20.0), duration=0.1,
                        every=10, opt=0)  # fmt: skip
    assert np.array_equal(mine.q, other.q) and np.array_equal(mine.u, other.u)  # the same operations


def test_an_impulse_is_the_same_whatever_the_step_and_its_duration():
    """A free body in no gravity: m v = P after the push, to rounding, and nothing before it."""
    words = (
        HEAD
        + """
[[figure]]
body = { kind = "box", size = [0.2, 0.2, 0.2], mass = 2.0 }
origin = [0.0, 0.0, 5.0]
[scene]
gravity = [0.0, 0.0, 0.0]
[contact]
model = "none"
[[command]]
at = 0.05
kind = "push"
link = "body"
impulse = 3.0
direction = [0.0, 0.0, 2.0]
duration = LONG
[record]
every = 10
[run]
duration = 0.1
"""
    )
    for long in (0.0, 0.02):
        for dt in (1e-3, 2.5e-4):
            motion = parse(words.replace("LONG", str(long))).run(dt=dt, opt=0)
            assert np.allclose(motion.u[-1, :3], [0.0, 0.0, 1.5], rtol=1e-12, atol=1e-14)
            assert not motion.u[motion.time <= 0.05].any() and np.allclose(motion.u[-1, 3:], 0.0, atol=1e-14)
            assert motion.events[0].what == "push body" and motion.metadata["script"] == "trial"


def test_targets_and_gains_change_when_they_should():
    """The drive on floats: before, within and after `over`, one joint on its way while another jumps."""
    figure = ap.sample("double_pendulum")
    gains = [np.array([k, k]) for k in (100.0, 100.0, 0.0)]
    none = np.full(2, np.inf)
    changes = tuple(Change(t, kp, 0.1 * kp, none) for t, kp in zip((0.0, 1.0, 2.0), gains, strict=True))
    poses = (Pose(0.5, 0, np.array([1.0]), 1.0), Pose(0.75, 1, np.array([0.3])), Pose(1.0, 0, np.array([0.0]), 0.5))
    programme = ScriptController(figure, np.zeros(2), poses, changes)
    assert programme.parameters["kp"].shape == (3, 1)  # both alike: one number

    def drive(t):
        class At:
            q, u, kinematics = np.zeros(2), np.zeros(2), None

        At.t = t
        return programme(figure, At, {}, programme.parameters)[0]

    found = [drive(t).target.tolist() for t in (0.0, 0.7, 0.75, 1.0, 1.25, 1.6)]
    assert np.allclose(found, [[0, 0], [0.2, 0], [0.25, 0.3], [0.5, 0.3], [0.25, 0.3], [0, 0.3]], rtol=0, atol=1e-15)
    assert [drive(t).kp.tolist() for t in (0.5, 2.0)] == [[100.0, 100.0], [0.0, 0.0]]
    assert drive(0.0).limit is None


def test_release_and_forces_in_their_windows():
    """The lower joint's torque is only what is asked for, when it is."""
    script = arm("""
[[control]]
kind = "hold"
joints = ["joint_0"]
kp = 100.0
kd = 5.0
[[control]]
kind = "force"
force = { joint_1 = 2.5 }
begin = 0.03
end = 0.06
[[command]]
at = 0.05
kind = "release"
joints = ["joint_0"]
[record]
channels = ["tau"]
every = 1
""")
    motion = script.run(opt=0)
    on = (motion.time > 0.0295) & (motion.time < 0.0595)
    assert np.array_equal(motion.tau[:, 1], np.where(on, 2.5, 0.0))
    assert (motion.tau[motion.time < 0.0495, 0] != 0.0).all() and not motion.tau[motion.time > 0.0495, 0].any()


def test_motions_lead_by_motion_and_by_force():
    exact = arm('[[control]]\nkind = "motion"\nposition = { joint_1 = "20*sin(10*t)" }\n').run(opt=0)
    by_force = arm('[[control]]\nkind = "motion"\nby = "force"\ngains = [400.0, 40.0]\n'
                   'position = { joint_1 = "20*sin(10*t)" }\n[contact]\nmodel = "none"\n').run(opt=0)  # fmt: skip
    wanted = np.radians(20.0) * np.sin(10.0 * exact.time)
    for motion in (exact, by_force):  # first order: half a step of the acceleration, 0.35 × 10² × 1e-3 / 2 × t
        assert np.abs(motion.q[:, 1] - wanted).max() < 3e-3
        assert np.isclose(motion.u[0, 1], np.radians(200.0))  # it starts on its course


def test_a_lock_stops_a_joint_and_keeps_momentum():
    script = arm("""
[[command]]
at = 0.05
kind = "lock"
joints = ["joint_1"]
[[command]]
at = 0.08
kind = "release"
joints = ["joint_1"]
""")
    whole = []
    motion = script.run(opt=0, progress=lambda done, of: whole.append((done, of)))
    figure, k = motion.figure, int(np.flatnonzero(np.isclose(motion.time, 0.05))[0])
    assert len(script.stages(100, 10, 1e-3)) == 3 and whole[-1] == (100, 100) and len(motion) == 11
    assert np.allclose(np.diff(motion.time), 0.01, rtol=1e-12) and sorted(whole) == whole
    still = slice(k, k + 4)
    assert not motion.u[still, 1].any() and np.ptp(motion.q[still, 1]) == 0.0 and motion.u[-1, 1] != 0.0
    before = arm().run(opt=0)  # the same until then
    assert np.array_equal(before.q[: k + 1], motion.q[: k + 1])
    M = mass_matrix(figure, motion.q[k])
    kept = (M @ before.u[k])[0], (M @ motion.u[k])[0]  # about the hinge that is not locked
    assert np.isclose(*kept, rtol=1e-12)


def test_ctrl_c_between_stages_keeps_those_before(monkeypatch):
    script = arm('[[command]]\nat = 0.05\nkind = "lock"\njoints = ["joint_1"]\n')
    from anthropi.simulation import stages

    real, calls = stages.simulate, []

    def stop(*given, **options):
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*given, **options)

    monkeypatch.setattr(stages, "simulate", stop)
    with pytest.raises(Interrupted) as caught:
        script.run(opt=0)
    assert np.isclose(caught.value.motion.time[-1], 0.05)


# what is refused

REFUSED = [  # what is changed, to what, and words that the error has
    ("height = 1.7", 'hight = 1.7', "figure 'anna' human hight: no such key, did you mean 'height'. Keys: detail"),
    ("height = 1.7", "height = nan", "figure 'anna' human height: must be a finite number"),
    ("height = 1.7", "height = 17.0", "figure 1 'anna': human got height=17"),
    ('detail = "simple27"', 'detail = "simple28"', "Did you mean 'simple27'? Choose detail from: simple27"),
    ('body = { kind = "box"', 'body = { kind = "cube"', "figure 'crate' body kind: Input should be 'box', 'sphere'"),
    ('body = { kind = "box", size = [0.3, 0.3, 0.3]', 'body = { kind = "box", size = [0.3]', "figure 2 'crate'"),
    ("density = 300.0", "density = 300.0, mass = 1.0", "figure 2 'crate': the body has a mass and a density."),
    ("l_hip = [0.0", "l_hop = [0.0", "No joint or degree of freedom 'l_hop' in figure 'human'. Did you mean 'l_hip'?"),
    ("velocity = { root = [0.0, ", "velocity = { root = [", "velocity of 'root' has 5 numbers. Give 6"),
    ("origin = [1.0, 0.0, 1.0]", 'origin = [1.0, "x", 1.0]', "figure 'crate' origin 2: Input should be a valid number"),
    ('name = "crate"', 'name = "anna"', "Names must be unique"),
    ("slope = 5.0", "slope = 95.0", "scene ground: slope 95 must be an angle below 90 degrees"),
    ("slope = 5.0", 'kind = "heights"\nlow = [0.0, 0.0]\nspacing = 0.1\nformula = "z"', "has no key 'towards'"),
    ("size = [1.0, 1.0, 0.2]", "size = [1.0]", "obstacle 1 'step': a box needs 3 sizes"),
    ('turn = "90*t"', 'turn = "90*tt"', "obstacle 2 'door' moving turn: The expression '90*tt' has 'tt', a name that"),
    ('turn = "90*t"', 'turn = { keys = [[0.0, 1.0]], period = 1.0 }', "door' moving turn has keys, period"),
    ('model = "impulsive"', 'model = "impulsiv"', "contact: no model 'impulsiv'. Did you mean 'impulsive'? Models: "),
    ('model = "impulsive"', 'model = "compliant"', "'compliant' has no key 'passes'. Its keys: depth, relaxation"),
    ("friction = 0.6", "friction = -0.6", "material friction: Input should be greater than or equal to 0"),
    ("restitution = 0.5", "restitution = 1.5", "material pair 1: The pair crate/body, ground has restitution 1.5"),
    ('a = "crate/body"', 'a = "crate/bodi"', "material pair 1: materials names 'crate/bodi', which is not a link"),
    ('touching = [["anna/torso"', 'touching = [["anna/torsoo"', "scene: No link 'anna/torsoo'"),
    ('but = ["anna/waist"]', 'but = ["anna/wrist"]', "limits: No joint 'anna/wrist'"),
    ('law = "power"', 'law = "linear"', "limits spring: 'linear' has no key 'n'"),
    ('kind = "hold"\nfigure = "anna"\njoints = ["waist", ', 'kind = "holt"\nfigure = "anna"\njoints = ["waist", ',
     "control 1 'posture' is of the unknown kind 'holt'. Did you mean 'hold'? Kinds: hold, force, motion, freeze"),
    ('figure = "anna"\njoints = ["waist", ', 'figure = "ana"\njoints = ["waist", ',
     "control 1 'posture': No figure 'ana'. Did you mean 'anna'? Figures: anna, crate"),
    ("kp = 300.0\n", "", "control 1 'posture': 'hold' needs the key 'kp'. Add it"),
    ("target = { waist =", "target = { girdle =", "control 1 'posture' target: contains anna/girdle.x"),
    ('"5*sin(t)"', '"5*sinn(t)"', "control 2 force l_shoulder.y: The expression '5*sinn(t)' has 'sinn(t)', a function"),
    ('"5*sin(t)"', '"__import__(1)"', "control 2 force l_shoulder.y: The expression"),
    ("force = { l_shoulder.y =", "force = { l_shoulder =", "Choose from: anna/l_shoulder.x, anna/l_shoulder.y"),
    ('velocity = { girdle.x', 'velocty = { girdle.x', "control 3 velocty: no such key, did you mean 'velocity'"),
    ('joints = ["anna/pelvic"]', 'joints = ["anna/girdle"]', "frozen degrees of freedom are driven by a motion"),
    ('link = "torso"', 'link = "torzo"', "command 1: No link 'anna/torzo' in figure 'anna and crate'. Did you mean"),
    ("force = 50.0", "force = 50.0\nimpulse = 1.0", "command 1: a push needs either a force [N] or an impulse [N s]"),
    ("direction = [1.0, 1.0, 0.0]\n", "", "command 1: a force of one number needs a 'direction'"),
    ("at = 0.3", "at = 3.0", "command 1: its time is 3 s, but the run ends at 1 s"),
    ("at = 0.3", "at = -0.3", "command 1 at: Input should be greater than or equal to 0"),
    ('target = "neutral"', 'target = "sitting"', "command 2: unknown target 'sitting'. Give 'start', 'neutral'"),
    ('channels = ["contact", "tau"]', 'channels = ["contacts"]', "no channel 'contacts'. Did you mean 'contact'"),
    ("rate = 200.0", "rate = 200.0\nevery = 2", "record: 'every' and 'rate' both set the frame rate"),
    ("duration = 1.0\ndt", "duration = 1e9\ndt", "run duration: Input should be less than or equal to 1000000"),
    ("duration = 1.0\ndt = 0.001", "duration = 1e6\ndt = 1e-6", "1e+12 steps, but at most 1,000,000,000"),
    ("duration = 1.0\ndt = 0.001", "duration = 9e5", "frames of "),
    ("dt = 0.001\nseed", "dt = nan\nseed", "run dt: must be a finite number"),
    ("seed = 3", "seed = 3\nmethod = \"rk5\"", "run: no method 'rk5'. Did you mean 'rk8'? Methods: "),
    ("[run]", "[runn]", "no such key, did you mean 'run'"),
    ('format = "anthropi script 1"', 'format = "anthropi figure 1"', "format: Input should be 'anthropi script 1'"),
    ("seed = 3", "seed = " + "9" * 5000, "is not valid TOML"),
    ("gravity = [0.0, 0.0, -3.7]", "gravity = " + "[" * 200 + "]" * 200, "nested too deep"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), REFUSED, ids=[f"{k}" for k in range(len(REFUSED))])
def test_every_refusal_names_file_place_culprit_and_choices(old, new, words):
    assert old in WHOLE
    with pytest.raises(FormatError) as caught:
        parse(WHOLE.replace(old, new, 1), "trial.toml")
    said = " ".join(str(caught.value).split())
    assert said.startswith("trial.toml") and words in said, said
    assert len(said) < 1500


def test_what_a_script_lacks():
    for words, said in ((HEAD + RUN, "figure: is missing"), (HEAD + ARM, "run: is missing"),
                        (HEAD + "[[figure]]\n" + RUN, "figure 1 has no source. Give one of human, sample, file"),
                        (HEAD + ARM.replace("sample", "samples") + RUN, "did you mean 'sample'"),
                        (HEAD + ARM + HELD + 'target = "neutral"\n' + RUN, "no control holds joint_0, joint_1 at 0 s"),
                        (HEAD + ARM + HELD + RUN, "has no effect"),
                        (HEAD + ARM + 'pose = "standing"\n' + RUN, "'standing' needs a free root")):  # fmt: skip
        with pytest.raises(FormatError, match=re.escape(said)):
            parse(words)
    with pytest.raises(FormatError, match=r"arm\.toml: Impulsive contact and hard limits need a first-order method"):
        arm('[contact]\nmodel = "impulsive"\n', RUN + 'method = "rk4"\n').run(opt=0)
    with pytest.raises(InputError, match="duration is nan"):
        arm().run(duration=float("nan"))


@pytest.mark.slow
def test_what_is_too_much_is_refused_at_once():
    box = '[[figure]]\nbody = { kind = "box", size = [1.0, 1.0, 1.0] }\n'
    chain = '[[figure]]\nsample = "chain"\noptions = { links = 100000 }\n'
    wide = 'kind = "heights"\nformula = "x"\nlow = [-1e9, -1e9]\nhigh = [1e9, 1e9]\nspacing = 1e-9\n'
    for words, said in ((box * 40 + '[scene]\ntouching = [["*", "*"]]\n', "possible contacts, but at most 3,000"),
                        ('[[figure]]\nhuman = { detail = "full" }\n' * 20, "have more than 500 links"),
                        (chain, "options links: 100000 is too large"),
                        (box + "[scene.ground]\n" + wide, "nodes. Give at least 2 × 2 nodes, and at most 262144"),
                        (box * 101, "figure: List should have at most 100 items")):  # fmt: skip
        with pytest.raises(FormatError, match=re.escape(said)):
            parse(HEAD + words + RUN)


@pytest.mark.slow
def test_spoiled_scripts_never_crash(tmp_path):
    """What is no script is refused by an AnthroPI error, whatever was done to it."""
    rng, path, refused = random.Random(6), tmp_path / "spoiled.toml", 0
    for _ in range(150):
        path.write_bytes(spoiled(WHOLE, rng, rng.randrange(1, 4)))
        try:
            read(path)
        except AnthropiError as error:
            refused += 1
            assert "spoiled.toml" in str(error), error
    assert 50 < refused < 150


# the examples


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda f: f.stem)
def test_every_example_is_read_and_starts(file):
    script = read(file)
    steps, _, dt = script.steps()
    assert steps * dt >= 1.0 and np.isfinite(script.q).all() and script.contacts > 0
    assert file.read_text().startswith("# "), "an example says what it shows"


def test_there_are_examples():
    assert len(SCRIPTS) >= 5


def heights(motion):
    """Of the centre of mass of all links [m]."""
    return ap.centre_of_mass(motion.figure, motion.q).position[:, 2]


def boxes_slide_and_bounce_as_the_books_say(motion):
    parts = split_states(motion.figure, motion.q)
    assert abs(parts["slider"][-1, 0] / (2.5**2 / (2 * 0.5 * 9.81)) - 1.0) < 0.01  # v² / 2 μ g, issue 6: 1 %
    z = parts["ball"][:, 2] - 0.1
    tops = [z[k] for k in range(1, len(z) - 1) if z[k - 1] < z[k] >= z[k + 1]]
    assert np.allclose(tops[:2], [0.49, 0.49**2], rtol=0.01)  # e², to 1 % as issue 6 asks; frames see tops to 0.1 mm
    assert abs(parts["tumbler"][-1, 2] - 0.125) < 1e-3  # flat on the ground


def dominoes_fall_one_after_the_other(motion):
    figure, parts = motion.figure, split_states(motion.figure, motion.q)
    tilt = {
        n: np.array([figure.joints[1].transform(q).rotation[2, 2] for q in x]) for n, x in parts.items() if n != "world"
    }
    fell = [motion.time[np.argmax(up < 0.9)] for up in tilt.values()]
    assert fell[0] > 0.2 and (np.diff(fell) > 0.02).all() and all(up[-1] < 0.5 for up in tilt.values())
    assert np.abs(motion.u[-1]).max() < 0.05 and (motion.q[-1, 2::7] > 0.02).all()


def the_sledge_slides_and_does_not_sink(motion):
    assert motion.q[-1, 0] > 6.0 and abs(motion.q[-1, 1]) < 0.5
    energy = motion.channels["energy"].sum(-1)
    assert (np.diff(energy) < 1.0).all() and energy[-1] < energy[0] - 50.0  # friction takes, the bump gives a little


def the_pushed_one_stands_and_then_falls(motion):
    z = heights(motion)
    assert np.abs(z[motion.time <= 1.5] - z[0]).max() < 0.02 and z[-1] < 0.3 * z[0]
    carried = motion.channels["contact"][:, :, 2].sum(-1)
    assert abs(carried[80] / (80.0 * 9.81) - 1.0) < 0.02  # at 0.4 s it stands


def the_falling_one_comes_to_rest(motion):
    z = heights(motion)
    assert z[0] > 1.5 and 0.03 < z[-1] < 0.2 and np.abs(motion.u[-1]).max() < 0.5
    energy = motion.channels["energy"].sum(-1)
    assert energy.max() < energy[0] + 0.1 and energy[-1] < 0.1 * energy[0]  # springs at limits give what they hold


CHECKS = {"boxes": boxes_slide_and_bounce_as_the_books_say, "dominoes": dominoes_fall_one_after_the_other,
          "terrain": the_sledge_slides_and_does_not_sink, "pushed_human": the_pushed_one_stands_and_then_falls,
          "falling_human": the_falling_one_comes_to_rest}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("file", SCRIPTS, ids=lambda f: f.stem)
def test_every_example_does_what_it_shows(file):
    script = read(file)
    motion = script.run(opt=0)
    CHECKS[file.stem](motion)
    found = motion.verify(script.scene)
    assert found.failed == (), str(found)
