"""`Motion.verify`: every law finds a planted violation, and holds on motions of every kind."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi.cli import app
from anthropi.contact import Compliant, Impulsive
from anthropi.contact.convex import Convex
from anthropi.errors import InputError
from anthropi.figure.editing.joining import combine
from anthropi.formats.scripts import read
from anthropi.gait.styles.style import STYLES
from anthropi.simulation.drive import Drive
from anthropi.simulation.verification import LAWS
from unit.simulation.test_force_balance import landed

WALKERS = Path(ap.__file__).parent / "gait" / "walker"


def changed(array, **rows):
    """A copy of an array that a function has changed in place."""
    copy = np.array(array, float)
    rows["by"](copy)
    return copy


def channel(motion, name, by):
    return motion.changed(channels=motion.channels | {name: changed(motion.channels[name], by=by)})


def loaded(motion):
    """Frame and number of the contact with the largest force."""
    size = np.linalg.norm(motion.channels["contact"][:-1], axis=-1)
    return np.unravel_index(size.argmax(), size.shape)


def scale(factor):
    def by(x):
        x *= factor

    return by


def column(motion, joint, of="q"):
    places = motion.figure.q_of if of == "q" else motion.figure.u_of
    return next(at for j, at in zip(motion.figure.joints, places, strict=True) if j.name == joint)


def exchange(motion):
    one, other = column(motion, "l_knee"), column(motion, "r_knee")

    def by(q):
        q[:, one], q[:, other] = q[:, other].copy(), q[:, one].copy()

    return motion.changed(q=changed(motion.q, by=by))


def moved(motion, part, by):
    def add(q):
        q[:, part] += by

    return motion.changed(q=changed(motion.q, by=add))


def late(motion, by):
    time = motion.time.copy()
    time[100:] += by
    return motion.changed(time=time)


def push(motion, force):
    frame, contact = loaded(motion)

    def by(f):
        f[frame : frame + 3, contact] = force

    return channel(motion, "contact", by)


def away(motion, by):
    frame, contact = loaded(motion)

    def add(x):
        x[frame, contact] += by

    return channel(motion, "contact_point", add)


def lost(motion):
    def by(tau):
        tau[7, 7] = np.nan

    return channel(motion, "tau", by)


PLANTED = {  # violation: (law that finds it, function motion → motion)
    "forces x 0.98": ("mean momentum", lambda m: channel(m, "contact", scale(0.98))),
    "force of one frame": ("momentum", lambda m: push(m, [0.0, 0.0, 900.0])),
    "contact point moved": ("contact point", lambda m: away(m, [0.12, 0.0, 0.0])),
    "all contact points moved": (
        "mean angular momentum",
        lambda m: m.changed(channels=m.channels | {"contact_point": m.channels["contact_point"] + [0.02, 0.0, 0.0]}),
    ),
    "contact point in the air": ("contact place", lambda m: away(m, [0.0, 0.0, 0.1])),
    "shifted by part of a step": ("time", lambda m: late(m, 4e-4)),
    "shifted by whole steps": ("velocity", lambda m: late(m, 0.013)),
    "permuted q": ("velocity", exchange),
    "u x 1.05": ("mean velocity", lambda m: m.changed(u=1.05 * m.u)),
    "foot below ground": ("below ground", lambda m: moved(m, 2, -0.05)),
    "knee beyond its limit": ("limits", lambda m: moved(m, column(m, "l_knee"), -0.4)),
    "quaternion x 1.01": ("quaternions", lambda m: m.changed(q=changed(m.q, by=lambda q: scale(1.01)(q[:, 3:7])))),
    "tau x 0.98": ("mean joint forces", lambda m: channel(m, "tau", scale(0.98))),
    "tau of one joint": (
        "joint forces",
        lambda m: channel(m, "tau", lambda x: scale(-1.0)(x[:, column(m, "l_hip", "u")])),
    ),
    "friction": ("friction", lambda m: push(m, [300.0, 0.0, 200.0])),
    "pull": ("no pull", lambda m: push(m, [0.0, 0.0, -60.0])),
    "hidden support": ("root force", lambda m: channel(m, "tau", lambda x: x[:, 2].__iadd__(60.0))),
    "fell": ("fall", lambda m: m.changed(metadata=m.metadata | {"fell": True, "fall_time": 1.0})),
    "events in another order": ("events", lambda m: m.changed(events=m.events[::-1])),
    "not a number": ("finite", lost),
}


@pytest.fixture(scope="module")
def walk():
    return ap.walk(ap.human(1.75, 75.0), steps=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_planted_violation_is_found_by_its_law(walk, name):
    law, plant = PLANTED[name]
    found = plant(walk).verify()
    row = found.row(law)
    assert not found.holds and law in found.failed, str(found)
    assert row.culprit and row.measured > row.tolerance


@pytest.mark.slow
def test_limits_of_an_open_loop_replay_are_not_measured_but_stated(walk):
    bent = PLANTED["knee beyond its limit"][1](walk)
    row = bent.changed(metadata=bent.metadata | {"hidds": {"mode": "open loop"}}).verify().row("limits")
    assert row.holds is None and "no limits act" in row.reason and "at l_knee" in row.reason


@pytest.mark.slow
def test_a_walk_holds_by_all_laws_that_find_violations(walk):
    found = walk.verify()
    assert found.failed == () and all(found.row(law).holds for law, _ in PLANTED.values())


@pytest.mark.slow
def test_edited_walks_hold(walk):
    edited = (walk.mirror(), walk[::2], walk.resample(rate=60.0), walk.shift(0.1234), walk.slice(0.3335, 1.2))
    for motion in edited:
        assert motion.verify().failed == (), str(motion.verify())
    assert channel(walk.resample(rate=60.0), "contact", scale(0.98)).verify().row("mean momentum").holds is False


@pytest.mark.slow
def test_the_worst_frame_and_culprit_are_named(walk):
    row = push(walk, [0.0, 0.0, -60.0]).verify().row("no pull")
    frame, contact = loaded(walk)
    assert frame <= row.frame < frame + 3 and row.culprit == walk.metadata["contacts"][contact]["name"]
    assert row.time == walk.time[row.frame] and row.culprit in str(push(walk, [0.0, 0.0, -60.0]).verify())


@pytest.mark.slow
def test_a_fall_that_is_not_recorded_is_found(walk):
    lying = np.array(walk.q)
    lying[:, 2] = 0.12
    lying[:, 3:7] = [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]
    row = walk.changed(q=lying).verify().row("fall")
    assert row.holds is False and "not recorded" in row.culprit


@pytest.mark.slow
def test_a_fall_is_judged_by_the_ground_of_the_motion(walk):
    """A walk on a floor 1 m higher, and one whose ground is unknown, were judged by the plane z = 0."""
    raised = moved(walk, slice(2, 3), 1.0).changed(
        metadata=walk.metadata | {"ground": {"height": 1.0, "friction": 0.8}}
    )
    assert raised.verify().row("fall").holds
    sunk = moved(walk, slice(2, 3), -0.5).changed(
        metadata=walk.metadata | {"ground": {"height": -0.5, "friction": 0.8}}
    )
    assert sunk.verify().row("fall").holds
    unknown = walk.changed(metadata={k: x for k, x in walk.metadata.items() if k != "ground"})
    assert "ground" in unknown.verify().row("fall").reason


def test_inverse_dynamics_adds_power_and_work_that_are_checked(walk):
    found = ap.inverse_motion(walk)
    assert found.verify().failed == () and found.verify().row("work").holds
    assert channel(found, "power", scale(1.01)).verify().failed == ("work",)


@pytest.mark.slow
def test_command_line_reports_and_exits(walk, tmp_path):
    walk.save(tmp_path / "walk.npz")
    channel(walk, "contact", scale(0.98)).save(tmp_path / "less.npz")
    run = CliRunner()
    good = run.invoke(app, ["verify", str(tmp_path / "walk.npz")], env={"COLUMNS": "200"})
    assert good.exit_code == 0 and "All measured laws hold." in good.output
    bad = run.invoke(app, ["verify", str(tmp_path / "less.npz")], env={"COLUMNS": "200"})
    assert bad.exit_code == 1 and "fails: " in bad.output and "mean momentum" in bad.output


# motions of every kind


def four_bar(**options):
    figure = ap.sample("four_bar")
    return ap.simulate(figure, ap.loops.close_loops(figure, figure.neutral()), steps=200, dt=1e-3, every=5, **options)


def test_a_closed_loop_holds_and_a_flipped_one_is_found():
    motion = four_bar(opt=0)
    assert motion.verify().failed == () and motion.verify().row("loops").holds
    flipped = moved(motion, len(motion.q[0]) - 1, np.pi)
    assert flipped.verify().failed == ("loops",)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "bennett", "stewart"])
@pytest.mark.parametrize("every", [1, 10])
def test_joint_forces_of_loops_are_measured(name, every):
    """They were not; and momentum failed for a platform whose loops stand on the world."""
    figure = ap.sample(name)
    forces, q = 0.3 * np.arange(1, figure.nu + 1), ap.loops.close_loops(figure, figure.neutral())
    motion = ap.simulate(figure, q, forces=forces, steps=200, every=every, method="semi_implicit_euler", record=["tau"])
    found = motion.verify()
    assert found.failed == () and found.row("joint forces").holds and found.row("mean joint forces").holds
    assert "world" in found.row("momentum").reason or "root is held" in found.row("momentum").reason
    wrong = channel(motion, "tau", scale(-20.0)).verify()
    assert wrong.row("joint forces").holds is False or wrong.row("mean joint forces").holds is False


@pytest.mark.slow
def test_momentum_of_several_figures_is_measured():
    """It was "not measured: the root is held", although each figure has a free root."""
    biped = ap.sample("biped")
    both = combine([biped, biped], ["anna", "ben"])
    one, other = ap.standing(biped), ap.standing(biped) + np.eye(biped.nq)[0] * 0.4 + np.eye(biped.nq)[2] * 0.1
    q = np.concatenate([one, other])
    motion = ap.simulate(ap.Scene(both, features="feet"), q, steps=250, record=["tau", "contact", "contact_point"])
    found = motion.verify()
    assert found.failed == () and found.row("momentum").holds and found.row("angular momentum").holds
    assert {"momentum", "mean momentum", "joint forces"} <= set(channel(motion, "contact", scale(0.98)).verify().failed)


def test_free_fall_holds_and_other_gravity_is_found():
    figure = ap.sample("bench42")
    rng = np.random.default_rng(3)
    u = rng.normal(size=figure.nu)
    motion = ap.simulate(figure, figure.neutral(), u, steps=50, dt=2e-3, every=5, record=["tau", "energy"], opt=0)
    assert motion.verify().failed == ()
    moon = motion.changed(figure=figure.changed(gravity=(0.0, 0.0, -9.7)))
    assert "mean momentum" in moon.verify().failed and "energy" in moon.verify().failed


def test_a_batch_names_the_rollout():
    figure = ap.sample("double_pendulum")
    many = ap.simulate(figure, [[1.5, 0.0], [0.5, 0.0]], steps=100, every=10, record=["tau", "energy"], opt=0)
    assert many.verify().holds
    wrong = many.changed(u=many.u * np.array([1.0, 1.2])[:, None, None])
    assert wrong.verify().row("velocity").culprit.startswith("rollout 1, ")


@pytest.mark.slow
def test_unknown_forces_are_not_measured():
    figure = ap.sample("bench42")
    force = {figure.links[0].name: np.array([0.0, 0.0, 0.0, 30.0, 0.0, 0.0])}
    pushed = ap.simulate(figure, figure.neutral(), steps=20, f_ext=force, opt=0, method="semi_implicit_euler")
    row = pushed.verify().row("momentum")
    assert row.result == "not measured" and "f_ext" in row.reason and row.reason in str(pushed.verify())
    assert pushed.verify(f_ext=force).row("mean momentum").holds
    assert pushed.verify(f_ext={}).row("mean momentum").holds is False
    made = ap.Motion(figure, [0.0, 0.1], np.stack([figure.neutral()] * 2))
    assert made.verify().row("momentum").holds is None and made.verify().holds
    with pytest.raises(InputError, match="Did you mean 'momentum'"):
        made.verify().row("momentun")
    assert [row.law for row in made.verify().rows] == [law.name for law in LAWS]


@pytest.mark.slow
@pytest.mark.parametrize("every", [1, 5])
@pytest.mark.parametrize("contact", [Compliant(), Impulsive(), Convex()], ids=["compliant", "impulsive", "convex"])
def test_contact_models_hold(contact, every):
    found = landed(contact=contact, every=every).verify()
    assert found.failed == (), str(found)
    assert found.row("momentum").holds and found.row("joint forces").holds and found.row("no pull").holds


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"style": "tired", "steps": 3}, {"kind": "run", "steps": 3}, {"script": "walk 3 steps; stop"}], ids=str
)
def test_walks_hold(options):
    found = ap.walk(ap.human(1.75, 75.0), **options).verify()
    assert found.failed == (), str(found)
    assert found.row("momentum").holds and found.row("friction").holds and found.row("fall").holds


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_styles_hold(style):
    """The style "marching" bent an elbow backwards by 0.17 rad before."""
    found = ap.walk(ap.human(1.75, 75.0), steps=4, style=style).verify()
    assert found.failed == (), str(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(file.stem for file in (WALKERS / "sets").glob("*.toml")))
def test_parameter_sets_hold(name):
    """Every parameter set of the walker that is in the package, for 2 s on level ground."""
    session = ap.WalkingSession(ap.human(1.75, 75.0), name, "walk")
    session.run(2.0)
    found = session.motion().verify()
    assert found.failed == (), str(found)
    assert found.row("momentum").holds and found.row("limits").holds


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(file.stem for file in (WALKERS / "performer" / "sets").glob("*.toml")))
def test_performances_hold(name):
    """Ankles of the jump bent by 15 degrees beyond the range of an unloaded foot before."""
    found = ap.perform(ap.human(1.75, 75.0), name, record=("contact", "tau")).verify()
    assert found.failed == (), str(found)
    assert found.row("momentum").holds and found.row("limits").holds
    if name == "jump":
        assert found.row("friction").measured < 0.011 and found.row("no pull").measured < 0.011  # of the weight


@pytest.mark.slow
def test_hidds_walk_holds():
    """The plan bends the ankles by 34 degrees, which was beyond the range of an unloaded foot before."""
    found = ap.walk(ap.human(1.75, 75.0), steps=2, method="hidds").verify()
    assert found.failed == (), str(found)
    assert found.row("limits").holds and found.row("root force").measured > 0.0


@pytest.mark.slow
def test_a_script_with_a_push_says_that_a_force_is_not_recorded(tmp_path):
    text = """
format = "anthropi script 1"
name = "pushed"
[run]
duration = 0.02
[[figure]]
name = "body"
sample = "bench42"
[[command]]
at = 0.005
kind = "push"
link = "pelvis"
force = [100.0, 0.0, 0.0]
duration = 0.01
"""
    (tmp_path / "push.toml").write_text(text)
    row = read(tmp_path / "push.toml").run(opt=0).verify().row("momentum")
    assert row.result == "not measured" and "give f_ext" in row.reason


def test_a_part_of_a_motion_has_its_own_events_and_fall():
    """`motion[a:b]` kept the events and the fall of the whole motion."""
    figure = ap.sample("bench42")
    fall = {"fell": True, "fall_time": 0.5, "fall_cause": "head touches the ground"}
    frames = np.stack([figure.neutral()] * 11)
    whole = ap.Motion(figure, 0.1 * np.arange(11), frames, events=[ap.motion.Event(t, "x") for t in (0.05, 0.5, 1.02)])
    whole = whole.changed(metadata=fall)
    assert [e.time for e in whole[1:4].events] == [] and [e.time for e in whole[3:8].events] == [0.5]
    assert [e.time for e in whole[8:].events] == [1.02] and len(whole[:].events) == 3
    for before in (whole[:4], whole.slice(0.0, 0.3)):
        assert before.metadata["fell"] is False and before.metadata["fall_time"] is None
    assert whole[3:8].metadata == fall and whole[6:].metadata["fall_time"] == pytest.approx(0.6)
    assert whole.shift(2.0).metadata["fall_time"] == pytest.approx(2.5)
    upright = whole.changed(metadata={"fell": False, "fall_time": None, "fall_cause": None}, events=())
    both = upright.then(whole)
    assert both.metadata["fell"] and both.metadata["fall_time"] == pytest.approx(1.5)


@pytest.mark.slow
def test_forces_of_controllers_and_of_a_prescribed_root_are_not_recorded():
    """Momentum failed for both."""

    class Push:
        parameters, memory, prescribed = {}, {}, ()

        def __call__(self, figure, sense, memory, parameters):
            return Drive(f_ext={0: np.array([0.0, 0.0, 0.0, 30.0, 0.0, 0.0])}), memory

    figure = ap.sample("bench42")
    pushed = ap.simulate(figure, figure.neutral(), forces=Push(), steps=20, opt=0)
    assert "f_ext" in pushed.verify().row("momentum").reason and pushed.verify().failed == ()
    driven = {"prescribed": ["root"], "udot": np.zeros(figure.nu), "steps": 20, "opt": 0}
    held = ap.simulate(figure, figure.neutral(), **driven)
    assert "prescribed" in held.verify().row("momentum").reason and held.verify().failed == ()
    known = ap.simulate(figure, figure.neutral(), **driven, record=["tau"]).verify()
    assert known.row("momentum").holds and known.row("root force").holds is None
