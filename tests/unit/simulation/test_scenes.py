"""Figures in scenes and with controllers: bits, memory, controllers, momentum, roots, energy, errors."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform, box
from anthropi.contact import Compliant, Impulsive, Material, Scene
from anthropi.errors import InputError, Interrupted, StateError, StepError
from anthropi.figure import figure_from_parts
from anthropi.figure.joints import Ball, Free, Revolute, Weld
from anthropi.figure.parts import Link, Shape
from anthropi.simulation.audit import energy_audit
from anthropi.simulation.controllers import Freeze, Hold, Lead, Several, Torque
from anthropi.simulation.drive import Drive
from anthropi.simulation.events import contact_events, crossings
from anthropi.simulation.motion_frames import Stopped
from anthropi.simulation.rooted import NewRoot, Rooted


def at(x=0.0, y=0.0, z=0.0):
    return Transform(np.eye(3), np.array([x, y, z]))


def body(name, size, mass, centre=(0.0, 0.0, 0.0)):
    return Link.of(name, box(size, mass=mass, centre=np.array(centre)), [Shape("box", tuple(size), at(*centre), name)])


def biped():
    """A block on two legs with wide feet; armature takes stiff springs."""
    parts = [("", Free(name="root"), body("pelvis", (0.2, 0.3, 0.2), 30.0))]
    for side, y in (("l", 0.15), ("r", -0.15)):
        hip = Ball(name=f"{side}_hip", placement=at(y=y, z=-0.1), armature=0.05)
        ankle = Revolute(name=f"{side}_ankle", axis="y", placement=at(z=-0.5), armature=0.05)
        parts += [("pelvis", hip, body(f"{side}_leg", (0.1, 0.1, 0.5), 6.0, (0, 0, -0.25))),
                  (f"{side}_leg", ankle, body(f"{side}_foot", (0.3, 0.12, 0.06), 1.5, (0.05, 0, -0.03)))]  # fmt: skip
    return figure_from_parts("biped", parts)


def stance(figure, sink=1e-4):
    q = figure.neutral()
    q[2] = 0.66 - sink
    return q


BIPED = biped()
FEET = Scene(BIPED, features=["l_foot", "r_foot"], material=Material(dissipation=1.0), contact=Compliant(depth=2e-3))


class Sway:
    """Holds a pose while something pushes from side to side; noise and command if wanted."""

    parameters = {"push": 10.0}  # noqa: RUF012
    memory = {"steps": 0.0}  # noqa: RUF012
    prescribed = ()

    def __call__(self, figure, sense, memory, parameters):
        pose, _ = Hold(figure, stance(figure), 800.0, 40.0)(figure, sense, {}, POSE)
        side = parameters["push"] * ap.scalar.sin(4.0 * sense.t)
        if np.shape(sense.command) == (1,):
            side = side + sense.command[0] * (sense.noise(3) - 0.5)
        push = np.array([0.0, 0.0, 0.0, 0.0, side, 0.0])
        return pose._replace(f_ext={"pelvis": push}), {"steps": memory["steps"] + 1.0}


POSE = Hold(BIPED, stance(BIPED), 800.0, 40.0).parameters


def run(scene=FEET, q=None, controller=None, **options):
    given = {"duration": 0.2, "every": 10, "opt": 0} | options
    return ap.simulate(scene, stance(BIPED) if q is None else q, None, controller or Sway(), **given)


def same(a, b):
    return all(np.array_equal(x, y) for x, y in ((a.q, b.q), (a.u, b.u)))


@pytest.mark.slow
@pytest.mark.parametrize("contact", [Compliant(), Impulsive()], ids=["compliant", "impulsive"])
def test_bits_depend_on_nothing_but_the_input(contact, tmp_path):
    """Batch, threads, pieces, and a stop in the middle, through a file."""
    scene = FEET.changed(contact=contact)
    pushes = np.array([5.0, 10.0, -20.0])
    batch = run(scene, parameters={"push": pushes}, command=np.array([3.0]), threads=1)
    other = run(scene, parameters={"push": pushes}, command=np.array([3.0]), threads=2)
    assert same(batch, other)
    alone = run(scene, parameters={"push": 5.0}, command=np.array([3.0]))
    assert same(batch.rollout(0), alone)
    half = run(scene, parameters={"push": 5.0}, command=np.array([3.0]), duration=0.1)
    half.save(tmp_path / "half.npz")
    rest = run(
        scene, ap.load_motion(tmp_path / "half.npz"), parameters={"push": 5.0}, command=np.array([3.0]), duration=0.1
    )
    assert np.array_equal(rest.q, alone.q[10:]) and np.array_equal(rest.time, alone.time[10:])
    assert np.array_equal(rest.channels["memory"], alone.channels["memory"][10:])


@pytest.mark.slow
def test_random_numbers_are_of_the_rollout_and_the_seed():
    batch = run(command=np.array([50.0]), q=np.tile(stance(BIPED), (3, 1)))
    assert not np.array_equal(batch.q[0], batch.q[1])
    assert same(batch.rollout(0), run(command=np.array([50.0])))
    assert not same(batch.rollout(0), run(command=np.array([50.0]), seed=1))


def test_what_a_controller_remembers_is_in_the_motion():
    motion = run()
    count = motion.channels["memory"][:, -1]
    np.testing.assert_array_equal(count, 10.0 * np.arange(21))


@pytest.mark.slow
def test_hold_is_stable_however_stiff_and_stands():
    scene = FEET.changed(material=Material(), contact=Compliant())
    motion = run(scene, controller=Hold(BIPED, stance(BIPED), 1e6, 1e5), duration=3.0, every=50)
    assert abs(BIPED.difference(motion.q[-1], motion.q[0])).max() < 2e-3
    force = motion.channels["contact"][-1, :, 2].sum()
    assert force == pytest.approx(9.81 * BIPED.mass, rel=1e-3)


def test_the_torque_of_hold_is_the_gradient_of_its_potential():
    """Another gain about each axis of a ball: work around any loop is nothing, since τ = -dV/dq."""
    figure, rng = BIPED, np.random.default_rng(0)
    q, target = figure.random(rng), figure.random(rng)
    kp = rng.uniform(10.0, 100.0, figure.nu)
    from anthropi.algorithms.implicit_springs import pull_towards

    def potential(q):
        e = figure.difference(q, target)
        return 0.5 * (kp * e * e).sum()

    pull, _ = pull_towards(figure, q, np.zeros(figure.nu), 0.0, target, kp)
    for k in range(figure.nu):
        if k < 6:
            continue  # the root's own attitude is no ball of the figure's pose
        d = np.zeros(figure.nu)
        d[k] = 1e-5
        slope = (potential(figure.integrate(q, d)) - potential(figure.integrate(q, -d))) / 2e-5
        assert pull[k] == pytest.approx(-slope, rel=1e-7, abs=1e-7)


def test_hold_pulls_no_more_than_its_limit():
    far = BIPED.neutral()
    far[BIPED.q_of[BIPED.joint_index("l_ankle")]] = 1.0
    holding = Hold(BIPED, far, 500.0, 1.0, joints=["l_ankle"], limit=3.0)
    motion = ap.simulate(BIPED.changed(gravity=(0, 0, 0)), BIPED.neutral(), None, holding, steps=2, opt=0, record="tau")
    assert abs(motion.channels["tau"]).max() == 3.0


def test_motions_lead_and_joints_freeze_beside_forces():
    course = {"l_ankle": lambda t: (0.2 * ap.scalar.sin(t), 0.2 * ap.scalar.cos(t), -0.2 * ap.scalar.sin(t))}
    lead = Lead(course)
    both = Several(lead=lead, still=Freeze("r_ankle"), push=Torque(np.zeros(BIPED.nu)))
    assert both.prescribed == ("l_ankle", "r_ankle") and list(both.parameters) == ["push.tau"]
    q, u = lead.start(BIPED, BIPED.neutral(), np.zeros(BIPED.nu))
    motion = ap.simulate(BIPED, q, u, both, duration=0.5, every=100, opt=0, method="rk4")
    ankle = BIPED.q_of[BIPED.joint_index("l_ankle")]
    np.testing.assert_allclose(motion.q[:, ankle][:, 0], 0.2 * np.sin(motion.time), atol=1e-12)
    assert (motion.q[:, BIPED.q_of[BIPED.joint_index("r_ankle")]] == 0.0).all()
    moving = u.copy()
    moving[BIPED.dofs.index("r_ankle")] = 1.0
    with pytest.raises(StateError, match=r"Frozen degrees of freedom move at the start: r_ankle"):
        ap.simulate(BIPED, q, moving, both, steps=1)
    with pytest.raises(
        StateError, match=r"'l_ankle' must start with u = 0.2 at t = 0 s, but the state has 0. Use q, u ="
    ):
        ap.simulate(BIPED, q, None, both, steps=1)
    with pytest.raises(InputError, match=r"Both 'lead' and 'also' prescribe 'l_ankle'"):
        ap.simulate(BIPED, q, u, Several(lead=lead, also=Freeze("l_ankle")), steps=1)


def limited():
    """The biped with narrow ranges: hips by a cone, ankles by their ends; nothing pulls it down."""
    ankles = [j.changed(lower=-0.2, upper=0.2) if "ankle" in j.name else j for j in BIPED.joints]
    return BIPED.changed(joints=ankles, gravity=(0, 0, 0))


def test_a_free_figure_keeps_its_momentum():
    """Stiff implicit springs and dampers inside, joints that hit their limits, ten seconds."""
    figure, rng = limited(), np.random.default_rng(1)
    cones = {name: ap.limits.ReachCone((0.0, 0.0, -1.0), 0.3) for name in ("l_hip", "r_hip")}
    scene = Scene(figure, ground=None, limits=ap.limits.SoftLimits(joints=cones))
    u = 2.0 * rng.normal(size=figure.nu) * np.where(np.arange(figure.nu) < 6, 1.0, 4.0)
    motion = ap.simulate(scene, figure.neutral(), u, Hold(figure, figure.neutral(), 20.0, 0.2), duration=10.0,
                         every=100, conserve=True, record=("energy", "work"))  # fmt: skip
    found = ap.dynamics.momentum(figure, motion.q, motion.u)
    assert abs(found - found[0]).max() < 1e-10
    work = energy_audit(motion).works
    assert abs(work["limits"]).max() > 1.0 and work["drive"][-1] < -1.0  # both did something


def test_without_conserve_a_step_of_first_order_loses_some():
    figure, rng = BIPED.changed(gravity=(0, 0, 0)), np.random.default_rng(1)
    motion = ap.simulate(figure, figure.neutral(), rng.normal(size=figure.nu),
                         Hold(figure, figure.neutral(), 300.0, 5.0), duration=0.5, every=500, opt=0)  # fmt: skip
    lost = ap.dynamics.momentum(figure, motion.q[-1], motion.u[-1]) - ap.dynamics.momentum(
        figure, motion.q[0], motion.u[0]
    )
    assert 1e-6 < abs(lost).max() < 0.1


def test_told_from_a_foot_a_state_and_its_forces_are_the_same():
    rng = np.random.default_rng(2)
    q, u, tau = BIPED.random(rng), rng.normal(size=BIPED.nu), rng.normal(size=BIPED.nu)
    f_ext = {0: rng.normal(size=6), 2: rng.normal(size=6)}
    rooted = Rooted(BIPED, "l_foot")
    q2, u2 = rooted.there(q, u)
    back = rooted.back(q2, u2)
    assert abs(BIPED.difference(back[0], q)).max() < 1e-14 and abs(back[1] - u).max() < 1e-14
    drive, h = rooted.drive(q2, u2, Drive(tau=tau, f_ext=f_ext)), 1e-7
    from anthropi.algorithms.direct_dynamics import direct_dynamics

    after = direct_dynamics(rooted.tree, q2, u2, drive.tau, drive.f_ext)
    wanted = direct_dynamics(BIPED, q, u, tau, f_ext)
    ends = rooted.back(rooted.tree.integrate(q2, h * u2), u2 + h * after)
    np.testing.assert_allclose((ends[1] - u) / h, wanted, rtol=0, atol=1e-4 * abs(wanted).max())


@pytest.mark.slow
def test_the_stance_foot_as_root_changes_nothing():
    """Twenty seconds of swaying: with and without switching to 1e-8."""
    options = {"duration": 20.0, "dt": 1e-3, "every": 40, "method": "rk4", "parameters": {"push": 60.0}, "opt": 2}
    plain, rooted = run(**options), run(root="stance foot", **options)
    switched = [event for event in rooted.events if isinstance(event, NewRoot)]
    assert len(switched) > 10 and {event.link for event in switched} == {"l_foot", "r_foot"}
    assert abs(BIPED.difference(plain.q, rooted.q)).max() < 1e-8


@pytest.mark.slow
def test_energy_adds_up():
    """To first order in dt: what is left over is the method's."""
    options = {"duration": 0.4, "record": ("energy", "work"), "parameters": {"push": 100.0}}
    audits = [energy_audit(run(dt=dt, every=round(0.02 / dt), **options)) for dt in (4e-4, 2e-4, 1e-4)]
    worst = [abs(audit.left_over).max() for audit in audits]
    assert worst[0] < 1e-4 * audits[0].energy[0] and 1.6 < worst[0] / worst[1] < 2.6 and 1.6 < worst[1] / worst[2] < 2.6
    assert audits[2].works["contact"][-1] < 0.0 < audits[2].works["drive"][-1]
    with pytest.raises(InputError, match=r"no channel 'energy'. Use record="):
        energy_audit(run(duration=0.01))


@pytest.mark.slow
def test_channels_that_are_asked_for():
    motion = run(record={"tau": None, "udot": None, "height": lambda figure, t, q, u: q[2]}, duration=0.02)
    assert motion.channels["tau"].shape == motion.channels["udot"].shape == (3, BIPED.nu)
    np.testing.assert_array_equal(motion.channels["height"], motion.q[:, 2])
    with pytest.raises(InputError, match=r"no channel 'torque'.*Channels: contact, contact_point, tau"):
        run(record="torque")


class Bomb:
    """Forces that grow without bound after a while."""

    parameters, memory, prescribed = {}, {}, ()

    def __call__(self, figure, sense, memory, parameters):
        big = ap.scalar.where(ap.scalar.less(0.0455, sense.t), 1e200, 0.0)
        return Drive(tau=np.array([big if name == "r_hip.y" else 0.0 for name in figure.dofs])), memory


@pytest.mark.slow
def test_a_state_that_stops_being_finite_names_link_joint_and_time_and_keeps_the_rest():
    with pytest.raises(
        StepError, match=r"after t = 0\.04[67]\d* s .*[Jj]oint '\w+' of link '\w+' failed first"
    ) as caught:
        run(controller=Bomb())
    motion = caught.value.motion
    assert len(motion) == 5 and np.isfinite(motion.q).all() and motion.time[-1] == pytest.approx(0.04)
    assert len(run(q=motion[:4], controller=Bomb(), duration=0.01)) == 2  # and one can go on from there


def test_ctrl_c_keeps_what_was_recorded():
    def stop(done, of):
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=r"Interrupted at t = 0\.1") as caught:
        run(progress=stop, duration=10.0, every=1)
    assert len(caught.value.motion) >= 100
    assert isinstance(caught.value, KeyboardInterrupt)


@pytest.mark.parametrize(("options", "said"), [
    ({"duration": 0.0305, "dt": 1e-3}, r"not an integer multiple of dt"),
    ({"steps": 10, "duration": 1.0}, r"either steps, or duration"),
    ({"seed": -1}, r"seed=-1"),
    ({"parameters": {"pusch": 1.0}}, r"No parameter 'pusch'.*Did you mean 'push'"),
    ({"parameters": {"push": np.nan}}, r"'push' of the controller is not"),
    ({"parameters": {"push": np.ones((2, 2))}}, r"'push' has shape \(2, 2\)"),
    ({"tolerance": 1e-6, "method": "dormand_prince"}, r"'tolerance' .adaptive steps. cannot be used with a scene"),
    ({"root": "stance foot"}, r"Runge–Kutta"),
    ({"root": ["l_fot"], "method": "rk4"}, r"'l_fot', but .* no such link.*Did you mean 'l_foot'"),
])  # fmt: skip
def test_refusals(options, said):
    with pytest.raises(InputError, match=said):
        run(**options)


def test_a_controller_that_forgets_is_told():
    class Forgetful(Sway):
        def __call__(self, figure, sense, memory, parameters):
            return Drive(), {"stepz": 0.0}

    with pytest.raises(InputError, match=r"memory contains .*stepz.* after a step, but .*steps"):
        run(controller=Forgetful())


@pytest.mark.slow
def test_a_rollout_stops_where_it_is_asked_to():
    def fallen(figure, t, q, u):
        return ap.scalar.less(q[2], 0.5)

    motion = run(q=stance(BIPED), controller=Torque(np.zeros(BIPED.nu)), duration=3.0, every=10, stop=fallen)
    (event,) = motion.events
    assert isinstance(event, Stopped) and event.time == motion.time[-1] < 2.0
    assert motion.q[-1, 2] < 0.5 <= motion.q[-2, 2] and motion.q[-1, 2] > 0.49
    start = np.stack([stance(BIPED), stance(BIPED, -0.3)])
    batch = run(q=start, controller=Torque(np.zeros(BIPED.nu)), duration=3.0, every=10, stop=fallen)
    assert [e.rollout for e in sorted(batch.events, key=lambda e: e.rollout)] == [0, 1]
    assert batch.events[0].time == event.time or batch.events[1].time == event.time
    np.testing.assert_array_equal(batch.q[0, -1], motion.q[-1])
    alone = run(q=start[1], controller=Torque(np.zeros(BIPED.nu)), duration=3.0, every=10, stop=fallen)
    np.testing.assert_array_equal(batch.q[1, -1], alone.q[-1])


@pytest.mark.slow
def test_contacts_begin_and_end_and_functions_cross():
    """A ball thrown up and bouncing on a soft ground: the apex is where it stops rising."""
    ball = figure_from_parts("ball", [("", Free(name="root"), body("ball", (0.1, 0.1, 0.1), 1.0))])
    scene = Scene(ball, material=Material(restitution=0.7))
    start = ball.neutral()
    start[2] = 0.3
    motion = ap.simulate(scene, start, [0, 0, 1.0, 0, 0, 0], duration=1.0, every=2, opt=0)
    begins = [event for event in contact_events(motion) if event.what.endswith("begins")]
    rises = crossings(motion, lambda figure, t, q, u: u[2], "turns")
    assert [event.about for event in rises[:3]] == [-1, 1, -1]
    assert rises[0].time == pytest.approx(1.0 / 9.81, abs=2e-3)
    drop = 1.0 / 9.81 + np.sqrt(2.0 * (0.25 + 0.5 / 9.81) / 9.81)
    assert begins[0].time == pytest.approx(drop, abs=4e-3) and len(begins) >= 8
    with pytest.raises(InputError, match="no contacts"):
        contact_events(ap.simulate(ball, start, steps=2))


def test_a_scene_in_which_nothing_moves_is_refused():
    post = figure_from_parts("post", [("", Weld(name="root"), body("post", (0.1, 0.1, 1.0), 1.0))])
    with pytest.raises(InputError, match=r"'post' of the scene has no degrees of freedom"):
        ap.simulate(Scene(post), np.zeros(0), steps=1)
