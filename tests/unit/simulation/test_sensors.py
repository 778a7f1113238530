"""Sensors: laws of inertial units and contacts, noise, bias, delay, and bits that do not depend on the batch."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact import Impulsive
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Plane, Sphere
from anthropi.errors import InputError
from anthropi.figure import Free, Link, Marker, Shape, figure_from_parts
from anthropi.simulation.sense import Contacts, Sense
from anthropi.simulation.simulation import Simulation

S = ap.sensors
PENDULUM = ap.sample("pendulum")
BOX = figure_from_parts(
    "box",
    [
        (
            "",
            Free(name="root"),
            Link.of("box", ap.spatial.box((0.4, 0.3, 0.2), mass=3.0), [Shape("box", (0.4, 0.3, 0.2))]),
        )
    ],
    [Marker("centre", "box", np.zeros(3)), Marker("corner", "box", np.array([0.2, 0.15, 0.1]))],
)
SPIN = np.array([0.4, -0.2, 1.0, 2.0, -3.0, 1.0])


def start(height=1.0):
    q = BOX.neutral()
    q[2] = height
    return BOX.integrate(q, [0, 0, 0, 0.3, -0.5, 0.2])


def read(sensor, figure, q, u, **more):
    """Read a sensor at one state, without time step."""
    sense = Sense(0.0, q, u, kinematics(figure, q, u), Contacts((), (), np.zeros((0, 3))), (), 0.0, 0.0)
    return sensor.read(figure, sense._replace(**more), sensor.memory, sensor.parameters)[0]


def test_imu_reads_nothing_in_free_fall():
    motion = ap.simulate(
        ap.Scene(BOX, ground=None), start(), SPIN, S.sensed(None, {"imu": S.Imu("centre")}), steps=50, opt=0
    )
    f, w = np.split(motion.channels["sensor.imu"][2:], 2, axis=1)
    assert np.abs(f).max() < 1e-10  # rounding of velocities of 1 m/s over a step of 1 ms, and of t
    np.testing.assert_allclose(w, motion.u[1:-1, 3:], rtol=1e-12)  # made at the start of the step


@pytest.mark.parametrize("turn", [np.eye(3), ap.rotation.matrix_from_rotation_vector([0.3, -1.0, 0.5])])
def test_imu_reads_gravity_upwards_at_rest(turn):
    sensor = S.Imu("end", turn)
    motion = ap.simulate(PENDULUM, [0.0], forces=S.sensed(None, {"imu": sensor}), steps=3, opt=0)
    expected = np.concatenate([turn.T @ [0.0, 0.0, 9.81], np.zeros(3)])
    np.testing.assert_allclose(motion.channels["sensor.imu"][1:], np.tile(expected, (3, 1)), atol=1e-15)


def test_imu_integrates_to_the_change_of_velocity_through_impacts():
    """Σ h (C f + g) is the change of velocity of the point, whatever happens in the steps."""
    scene = ap.Scene(BOX, contact=Impulsive())
    motion = ap.simulate(scene, start(0.35), SPIN, S.sensed(None, {"imu": S.Imu("corner")}), steps=300, dt=2e-3, opt=0)
    found = [kinematics(BOX, q, u) for q, u in zip(motion.q, motion.u, strict=True)]
    v = np.array([k.velocity[0] + np.cross(k.angular_velocity[0], k.rotation[0] @ [0.2, 0.15, 0.1]) for k in found])
    f = motion.channels["sensor.imu"][:, :3]
    gained = np.array([2e-3 * (found[n - 1].rotation[0] @ f[n] + BOX.gravity) for n in range(2, 301)])
    np.testing.assert_allclose(v[0] + gained.cumsum(0), v[1:-1], atol=1e-11)
    assert np.abs(f).max() > 100.0  # there were impacts


def test_the_mean_of_an_imu_tends_to_the_value_at_an_instant():
    motion = ap.simulate(BOX, start(), SPIN, S.sensed(None, {"imu": S.Imu("corner")}), steps=4, dt=1e-5, opt=0)
    k = kinematics(BOX, motion.q[3], motion.u[3], (motion.u[4] - motion.u[3]) / 1e-5)
    found = S.imu_values(BOX, k, "corner")
    np.testing.assert_allclose(motion.channels["sensor.imu"][4], found, atol=1e-3)  # half of the jerk, 100 m/s³, by dt
    assert np.abs(found[:3]).max() > 1.0


def test_encoders_read_coordinates_and_rates():
    figure = ap.human()
    q, u = ap.standing(figure), np.arange(figure.nu) * 0.1
    found = read(S.Encoder(("l_knee", "r_ankle.inversion"), speed=True), figure, q, u)
    at = [figure.q_of[figure.joint_index(name)].start for name in ("l_knee", "r_ankle")]
    dofs = [figure.dofs.index(name) for name in ("l_knee", "r_ankle.inversion")]
    np.testing.assert_array_equal(found, [q[at[0]], q[at[1] + 1], *u[dofs]])
    with pytest.raises(InputError, match=r"cannot measure 'l_hip.x'.*l_knee"):
        read(S.Encoder("l_hip.x"), figure, q, u)


STEPS = 4000


@pytest.fixture(scope="module")
def noisy():
    """Readings of a hanging pendulum with errors: (steps, 2), for rollouts of a batch."""
    encoder = S.Encoder("pivot", speed=True)
    sensors = {
        "white": S.Imperfect(encoder, noise=[0.5, 2.0], bias=[1.0, 0.0]),
        "other": S.Imperfect(encoder, noise=[0.5, 2.0], bias=[1.0, 0.0]),
        "rough": S.Imperfect(encoder, noise=1.0, resolution=0.25),
    }
    motion = ap.simulate(PENDULUM, np.zeros((2, 1)), forces=S.sensed(None, sensors), steps=STEPS, opt=0)
    return {name: motion.channels[f"sensor.{name}"][:, 1:] for name in sensors}


def test_noise_is_white_and_normal(noisy):
    x = (noisy["white"] - [1.0, 0.0]) / [0.5, 2.0]
    error = 5.0 / STEPS**0.5  # five standard deviations of a mean
    assert np.abs(x.mean(1)).max() < error and np.abs((x**2).mean(1) - 1.0).max() < error * 2**0.5
    assert np.abs((x**4).mean(1) - 3.0).max() < error * 96**0.5  # the variance of n⁴ is 96
    assert np.abs((x[:, 1:] * x[:, :-1]).mean(1)).max() < error  # from step to step
    assert abs((x[..., 0] * x[..., 1]).mean()) < error  # entries
    assert abs((x[0] * x[1]).mean()) < error  # rollouts
    y = (noisy["other"] - [1.0, 0.0]) / [0.5, 2.0]
    assert np.abs((x * y).mean((0, 1))).max() < error  # sensors


def test_resolution_rounds(noisy):
    steps = noisy["rough"] / 0.25
    assert np.array_equal(steps, np.rint(steps)) and len(np.unique(steps)) > 10


def test_the_bias_walks_as_the_square_root_of_time():
    many = 1000
    sensor = S.Imperfect(S.Encoder("pivot"), walk=0.3)
    motion = ap.simulate(
        PENDULUM, np.zeros((many, 1)), forces=S.sensed(None, {"x": sensor}), steps=101, dt=0.01, every=101, opt=0
    )
    x = motion.channels["sensor.x"][:, -1, 0]
    assert abs(x.std() / 0.3 - 1.0) < 5.0 / (2 * many) ** 0.5 and abs(x.mean()) < 5.0 * 0.3 / many**0.5  # after 1 s


@pytest.mark.parametrize("method", ["linearly_implicit_euler", "rk4"])
def test_delay_is_exact(method):
    sensors = {"now": S.Encoder("pivot", speed=True), "late": S.Imperfect(S.Encoder("pivot", speed=True), delay=7)}
    motion = ap.simulate(PENDULUM, [1.0], forces=S.sensed(None, sensors), steps=40, method=method, opt=0)
    now, late = motion.channels["sensor.now"], motion.channels["sensor.late"]
    np.testing.assert_array_equal(now[1:, 0], motion.q[:-1, 0])
    np.testing.assert_array_equal(late[8:], now[1:-7])
    np.testing.assert_array_equal(late[1:8], np.tile(now[1], (7, 1)))


class Follow:
    """A controller that uses readings, and random numbers of its own."""

    parameters = {"gain": 5.0}  # noqa: RUF012
    memory = {"sum": 0.0}  # noqa: RUF012
    prescribed = ()

    def __call__(self, figure, sense, memory, parameters):
        x = sense.readings["angle"][0]
        tau = np.array([-parameters["gain"] * x + 0.1 * sense.noise()])
        return ap.Drive(tau=tau), {"sum": memory["sum"] + x}


FOLLOW = S.sensed(
    Follow(),
    {
        "angle": S.Imperfect(S.Encoder("pivot", speed=True), noise=0.1, walk=0.2, delay=3),
        "imu": S.Imperfect(S.Imu("end"), noise=1.0),
    },
)


@pytest.mark.compiled
def test_bits_do_not_depend_on_batch_calls_and_resuming(tmp_path):
    whole = ap.simulate(PENDULUM, np.full((5, 1), 0.5), forces=FOLLOW, steps=60, seed=3, opt=0)
    single = ap.simulate(PENDULUM, [0.5], forces=FOLLOW, steps=60, seed=3, opt=0)
    names = ("sensor.angle", "sensor.imu")
    for name in names:
        assert np.array_equal(whole.channels[name][0], single.channels[name])
        assert not np.array_equal(whole.channels[name][1], single.channels[name])
    assert np.array_equal(whole.q[0], single.q) and len(np.unique(whole.q[:, -1])) == 5
    half = ap.simulate(PENDULUM, [0.5], forces=FOLLOW, steps=30, seed=3, opt=0)
    half.save(tmp_path / "half.npz")
    rest = ap.simulate(PENDULUM, ap.load_motion(tmp_path / "half.npz"), forces=FOLLOW, steps=30, seed=3, opt=0)
    assert np.array_equal(rest.q[-1], single.q[-1])
    assert np.array_equal(rest.channels["sensor.imu"][1:], single.channels["sensor.imu"][31:])
    sim = Simulation(PENDULUM, FOLLOW, dt=1e-3, opt=0)
    sim.reset([0.5], seed=3)
    sim.step(30)
    sim.step(30)
    assert np.array_equal(sim.memory["control"]["reading.imu"], single.channels["sensor.imu"][-1])


def test_single_precision_has_noise_too():
    sensor = S.Imperfect(S.Encoder("pivot"), noise=1.0)
    motion = ap.simulate(PENDULUM, [0.0], forces=S.sensed(None, {"x": sensor}), steps=400, precision="float32", opt=0)
    x = motion.channels["sensor.x"][1:, 0]
    assert len(np.unique(x)) > 390 and abs(x.std() - 1.0) < 0.2


def test_parameters_of_sensors_differ_between_rollouts():
    sensor = S.Imperfect(S.Encoder("pivot"), bias=0.0)
    motion = ap.simulate(
        PENDULUM, np.zeros((3, 1)), forces=S.sensed(None, {"x": sensor}), steps=2, opt=0,
        parameters={"sensor.x.bias": [1.0, 2.0, 3.0]},
    )  # fmt: skip
    np.testing.assert_array_equal(motion.channels["sensor.x"][:, -1, 0], [1.0, 2.0, 3.0])


def test_pressure_is_that_of_the_contact_forces():
    scene = ap.Scene(BOX, contact=Impulsive())
    names = list(dict.fromkeys(c.feature for c in scene.candidates))
    sensors = {
        "each": S.Pressure(names), "all": S.Pressure({"box": ("box",)}), "flag": S.ContactFlags(names, threshold=2.0),
    }  # fmt: skip
    motion = ap.simulate(scene, start(0.3), forces=S.sensed(None, sensors), steps=400, dt=2e-3, opt=0)
    force, each = motion.channels["contact"][..., 2], motion.channels["sensor.each"]
    np.testing.assert_allclose(each[2:], force[:-2], atol=1e-12)  # impulses of the previous step; frames end steps
    np.testing.assert_allclose(motion.channels["sensor.all"][2:, 0], force[:-2].sum(1), atol=1e-9)
    np.testing.assert_array_equal(motion.channels["sensor.flag"][2:], (each[2:] > 2.0).astype(float))
    assert motion.channels["sensor.all"][-1, 0] == pytest.approx(3.0 * 9.81, rel=1e-6)  # it lies still


def test_at_the_centre_of_pressure_the_tangential_moment_is_zero():
    rng = np.random.default_rng(4)
    ground = Plane((0.1, 0.2, 0.3), (0.2, -0.1, 1.0))
    n, points = ground.normal, []
    for _ in range(6):
        p = rng.normal(size=3)
        points.append(p - ground.distance(p)[0] * n)
    forces = rng.normal(size=(6, 3)) + 10.0 * rng.uniform(size=(6, 1)) * n
    felt = Contacts(("a",) * 6, ((0, -1),) * 6, forces, ("",) * 6, tuple(points), (n,) * 6)
    c = read(S.CentreOfPressure("box"), BOX, start(), SPIN, contacts=felt, ground=ground)
    moment = np.cross(np.array(points) - c, forces).sum(0)
    assert np.abs(moment - (moment @ n) * n).max() < 1e-12 and abs(ground.distance(c)[0]) < 1e-12
    rough = Plane()  # contacts that are not in one plane: on a height field the normal is vertical
    field = HeightField(np.zeros((2, 2)))
    uneven = tuple(p + np.array([0, 0, 0.1 * i]) for i, p in enumerate(points))
    c = read(S.CentreOfPressure("box"), BOX, start(), SPIN, contacts=felt._replace(points=uneven), ground=field)
    assert np.abs(np.cross(np.array(uneven) - c, forces).sum(0)[:2]).max() < 1e-12
    none = felt._replace(forces=0.0 * forces)
    c = read(S.CentreOfPressure("box"), BOX, start(), SPIN, contacts=none, ground=rough)
    np.testing.assert_allclose(c, np.mean(points, 0), atol=1e-15)


HILLS = HeightField.of(lambda x, y: 0.3 * np.sin(x) * np.cos(0.7 * y) + 0.1 * x, (-3, -3), (3, 3), 0.25)


@pytest.mark.parametrize("ground", [HILLS, HeightField(HILLS.heights, HILLS.origin, HILLS.spacing, smooth=True)])
def test_a_ray_meets_a_height_field_where_a_dense_search_does(ground):
    rng, met = np.random.default_rng(2), 0
    for _ in range(40):
        p, e = np.array([*rng.uniform(-2, 2, 2), 1.2]), rng.normal(size=3) - [0, 0, 0.5]
        e = e / np.linalg.norm(e)
        s = np.linspace(0.0, 5.0, 20001)
        x = p + s[:, None] * e
        below = x[:, 2] <= ground.height(x[:, 0], x[:, 1])[0]
        expected = s[np.argmax(below)] if below.any() else 5.0
        assert S.ray_distance(ground, p, e, 5.0, samples=256) == pytest.approx(expected, abs=3e-4)
        met += below.any()
    assert 10 < met < 40


def test_rays_on_planes_and_spheres():
    down, up = np.array([0.0, 0.6, -0.8]), np.array([0.0, 0.0, 1.0])
    p = np.array([0.0, 0.0, 2.0])
    assert S.ray_distance(Plane(), p, down, 10.0) == pytest.approx(2.5, rel=1e-15)
    assert S.ray_distance(Plane(), p, up, 10.0) == 10.0 and S.ray_distance(Plane(), -p, up, 10.0) == 0.0
    assert S.ray_distance(Plane(), p, down, 2.0) == 2.0
    assert S.ray_distance(Sphere(0.5), p, -up, 10.0) == pytest.approx(1.5, abs=1e-10)


def test_range_in_a_simulation_is_the_height():
    sensors = {"plane": S.Range("centre", reach=5.0), "hills": S.Range("centre", reach=5.0)}
    q = BOX.neutral()
    q[2] = 1.0
    for ground, height in ((Plane(), 0.0), (HILLS, None)):
        scene = ap.Scene(BOX, ground=ground)
        motion = ap.simulate(scene, q, [0.5, 0.2, 0, 0, 0, 0], S.sensed(None, sensors), steps=30, dt=5e-3, opt=0)
        x, y, z = motion.q[:-1, :3].T
        below = height if height is not None else HILLS.height(x, y)[0]
        np.testing.assert_allclose(motion.channels["sensor.plane"][1:, 0], z - below, atol=1e-11)


def test_normal_numbers_of_a_controller_are_those_of_two_uniform_ones():
    sense = Sense(0.0, None, None, None, None, (), 7.0, 3.0)
    low, turn = sense.noise(2), sense.noise(3)
    assert sense.normal(1) == pytest.approx((-2 * np.log(1 - low)) ** 0.5 * np.cos(2 * np.pi * turn), rel=1e-14)
    with pytest.raises(InputError, match="indices 0 to 63"):
        sense.normal(32)


def test_refusals():
    with pytest.raises(InputError, match=r"No marker or link 'cornre'.*Did you mean 'corner'"):
        read(S.Imu("cornre"), BOX, start(), SPIN)
    with pytest.raises(InputError, match="has no ground"):
        read(S.Range("corner"), BOX, start(), SPIN)
    with pytest.raises(InputError, match="noise of an Imperfect sensor is -1"):
        S.Imperfect(S.Imu("corner"), noise=-1.0)
    with pytest.raises(InputError, match=r"noise of an Imperfect sensor.*or 6, one for each of fx"):
        S.Imperfect(S.Imu("corner"), noise=[1.0, 2.0])
    with pytest.raises(InputError, match="number of steps"):
        S.Imperfect(S.Imu("corner"), delay=0.5)
    with pytest.raises(InputError, match="'x': 3 is not a sensor"):
        S.sensed(None, {"x": 3})
    with pytest.raises(InputError, match="3 is not a controller"):
        S.sensed(3, {})
    scene = ap.Scene(BOX)
    with pytest.raises(InputError, match=r"No contacts of 'boxs' in the scene.*Did you mean 'box'"):
        ap.simulate(scene, start(), forces=S.sensed(None, {"x": S.Pressure("boxs")}), steps=1, opt=0)
