"""Ground forces: centre of pressure and free moment of plates, feet that stand on them, and contacts of a motion."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.errors import FormatError, InputError, ShapeError
from anthropi.motion.contacts import contacts_of
from anthropi.motion.ground_forces import ForcePlate, GroundForces
from anthropi.motion.plate_contacts import stances, with_ground_forces

TIMES = np.linspace(0.0, 1.0, 101)
RNG = np.random.default_rng(2)


def plate(point, force=(20.0, -10.0, 700.0), free=4.0, name="plate 1", time=TIMES, **options) -> ForcePlate:
    """A plate with a force at a point and a vertical free moment."""
    f, p = (np.broadcast_to(np.asarray(x, float), (len(time), 3)) for x in (force, point))
    return ForcePlate(name, time, f, np.cross(p, f) + np.array([0.0, 0.0, free]), **options)


def test_centre_of_pressure_and_free_moment_come_back():
    """By (1) of `motion/ground_forces.py`, on a level plate and on one whose surface is inclined."""
    point = np.stack([0.3 + 0.1 * TIMES, 0.2 - 0.3 * TIMES, 0.05 + 0.0 * TIMES], -1)
    found = plate(point, centre=(1.0, 2.0, 0.05))
    assert np.allclose(found.point, point, atol=1e-12) and np.allclose(found.free_moment, [0.0, 0.0, 4.0], atol=1e-10)
    normal = np.array([0.1, -0.2, 1.0]) / np.linalg.norm([0.1, -0.2, 1.0])
    place = np.array([0.5, 0.5, 0.5]) + np.cross(normal, [1.0, 0.3, 0.2])
    f = np.tile([30.0, 5.0, 600.0], (len(TIMES), 1))
    ramp = ForcePlate("ramp", TIMES, f, np.cross(place, f) + 3.0 * normal, (0.5, 0.5, 0.5), normal)
    assert np.allclose(ramp.point, place, atol=1e-12) and np.allclose(ramp.free_moment, 3.0 * normal, atol=1e-10)
    empty = plate(point, force=(0.0, 0.0, 5.0))
    assert np.isnan(empty.point).all() and not empty.free_moment.any() and empty.intervals() == []


def test_means_keep_the_impulse():
    force = np.stack([0.0 * TIMES, 0.0 * TIMES, 500.0 * np.sin(np.pi * TIMES) ** 2], -1)
    own = plate((0.1, 0.2, 0.0), force)
    times = np.sort(RNG.uniform(0.0, 1.0, 30))
    means = own.means(times)
    knots = np.union1d(TIMES, times)
    inside = knots[(knots >= times[0]) & (knots <= times[-1])]
    impulse = np.trapezoid(np.interp(inside, TIMES, force[:, 2]), inside)
    assert (means.force[:-1, 2] * np.diff(times)).sum() == pytest.approx(impulse, rel=1e-12)
    assert np.allclose(means.point[means.loaded], [0.1, 0.2, 0.0], atol=1e-10)
    assert not own.means(np.array([2.0, 3.0])).force.any()


@pytest.mark.parametrize(("change", "error", "words"), [
    ({"time": TIMES[::-1]}, InputError, "must be finite and increase"),
    ({"centre": (1.0, np.nan, 0.0)}, ShapeError, "centre"),
    ({"force": np.zeros((3, 3))}, ShapeError, "force has shape"),
    ({"normal": (0.0, 0.0, 0.0)}, InputError, "no length"),
    ({"corners": np.zeros((3, 3))}, ShapeError, "corners must be finite numbers of shape"),
])  # fmt: skip
def test_impossible_plates_are_refused(change, error, words):
    own = {"name": "p", "time": TIMES, "force": np.zeros((101, 3)), "moment": np.zeros((101, 3))}
    with pytest.raises(error, match=rf"'p'.*{words}"):
        ForcePlate(**(own | change))


def test_a_load_belongs_to_the_nearer_foot():
    left = np.array([[0.0, 0.1, 0.02], [0.2, 0.1, 0.02]])
    feet = {"l": np.tile(left, (101, 1, 1)), "r": np.tile(left + np.array([0.0, -0.25, 0.0]), (101, 1, 1))}
    on = GroundForces([plate((0.1, 0.11, 0.0)), plate((0.15, -0.15, 0.0), name="plate 2"),
                       plate((2.0, 0.0, 0.0), name="far"),
                       plate(np.stack([0.1 + 0 * TIMES, 0.1 - 0.25 * TIMES, 0 * TIMES], -1), name="both")])  # fmt: skip
    found = {s.plate: s for s in stances(on, TIMES, feet)}
    assert found["plate 1"].foot == "l" and found["plate 2"].foot == "r" and found["plate 1"].distance < 0.03
    assert found["far"].foot == found["both"].foot == ""
    assert "no foot is near" in found["far"].words and "cannot be divided" in found["both"].words
    lost = {"l": np.full((101, 2, 3), np.nan), "r": feet["r"]}
    assert {s.plate: s.foot for s in stances(on, TIMES, lost)} == {
        "plate 1": "",
        "plate 2": "r",
        "far": "",
        "both": "r",
    }


@pytest.fixture(scope="module")
def walk():
    """A simulated walk with its contact forces, and the plates that would have measured them."""
    motion = ap.walk(ap.human(), speed=1.3, steps=4, every=1)
    middle = 0.5 * (motion.time[1:] + motion.time[:-1])
    force, point = (motion.channels[n][:-1] for n in ("contact", "contact_point"))
    plates = []
    for side in "lr":
        own = [k for k, r in enumerate(contacts_of(motion)) if r.link.startswith(f"{side}_")]
        moment = np.cross(point[:, own], force[:, own]).sum(1)
        plates.append(ForcePlate(f"plate {side}", middle, force[:, own].sum(1), moment))
    return motion, GroundForces(plates, "walk")


@pytest.mark.slow
def test_measured_forces_act_as_those_of_a_simulation(walk):
    """Plates of a simulated walk: feet, wrenches, joint moments and residual are those of the simulation itself."""
    motion, forces = walk
    bare = motion.changed(channels={}, metadata={})[::10]
    found = with_ground_forces(bare, forces)
    about = found.metadata["ground_forces"]
    assert [s["foot"][0] for s in about["stances"]] == [s["plate"][-1] for s in about["stances"]]
    assert max(s["distance"] for s in about["stances"]) < 0.012  # [m] of points that lie on the sole
    inner = slice(2, -3)
    ours, theirs = (m.channels["contact"].sum(1) for m in (found, motion[::10]))
    weight = 9.81 * motion.figure.mass
    assert np.abs(ours - theirs)[inner].max() < 0.02 * weight  # linear between samples of 1 ms, and 1 ms of start
    joints = [ap.inverse_motion(m, root="forced") for m in (motion[::10], found)]
    residual = [m.channels["residual"][inner] for m in joints]
    assert np.abs(residual[1] - residual[0]).max() < 0.03 * weight
    for joint in ("l_knee", "r_knee", "l_hip.y", "r_hip.y"):
        k = motion.figure.dofs.index(joint)
        one, other = (m.tau[inner, k] for m in joints)
        assert np.sqrt(np.mean((one - other) ** 2)) < 0.02 * np.ptp(one)
    assert np.isfinite(found.channels["contact_moment"]).all() and found.channels["contact"].shape[1:] == (2, 3)


@pytest.mark.slow
def test_moments_survive_editing(walk):
    """Mirroring, resampling and joining keep the wrench about the world's origin."""
    motion, forces = walk
    found = with_ground_forces(motion.changed(channels={}, metadata={})[::10], forces)

    def wrench(m):
        f, p, t = (m.channels[n] for n in ("contact", "contact_point", "contact_moment"))
        return np.concatenate([(np.cross(p, f) + t).sum(1), f.sum(1)], -1)

    image = wrench(found.mirror())
    assert np.allclose(image, wrench(found) * [-1.0, 1.0, -1.0, 1.0, -1.0, 1.0], atol=1e-9)
    half, h = found[::2], np.diff(found.time)[:, None]
    sums = [(wrench(m)[:-1] * step).sum(0) for m, step in ((found[: len(half) * 2 - 1], h[: len(half) * 2 - 2]),
                                                           (half, np.diff(half.time)[:, None]))]  # fmt: skip
    assert np.allclose(*sums, rtol=1e-9)


@pytest.mark.slow
def test_feet_can_be_given(walk):
    motion, forces = walk
    bare = motion.changed(channels={}, metadata={})[::10]
    found = with_ground_forces(bare, forces, feet={"plate l": "r_foot", "plate r": "l_foot"})
    assert {(r.link, r.feature) for r in contacts_of(found)} == {("r_foot", "plate l"), ("l_foot", "plate r")}
    for feet, words in (({"plate x": "l_foot"}, "feet has 'plate x'. Did you mean 'pl"), ({"l": "l_fot"}, "l_fo"),
                        (3, "feet=3")):  # fmt: skip
        with pytest.raises(InputError, match=words):
            with_ground_forces(bare, forces, feet=feet)
    with pytest.raises(InputError, match=r"Shift the motion"):
        with_ground_forces(bare.shift(100.0), forces)
    chain = ap.sample("double_pendulum")
    with pytest.raises(InputError, match="no link that is recognised as a foot"):
        with_ground_forces(ap.Motion(chain, [0.0, 1.0], np.zeros((2, chain.nq))), forces)


# files of OpenSim


def test_forces_of_opensim(shared):
    """By the file that names the columns, and by the names alone: the same, and the mean carries the person."""
    folder = shared / "opensim" / "core_id_test"
    loads, table = (formats.load_forces(folder / f"subject01_walk1_grf.{ending}") for ending in ("xml", "mot"))
    assert [p.link for p in loads.plates] == ["calcn_r", "calcn_l"] and "mean force on the person" in loads.notes[0]
    for one, other in zip(loads.plates, table.plates, strict=True):
        assert np.array_equal(one.force, other.force) and np.array_equal(one.moment, other.moment)
    from anthropi.formats.motions.tables.opensim import read

    raw = read(folder / "subject01_walk1_grf.mot")
    for own, start in zip(loads.plates, ("", "l_"), strict=True):
        words = ("ground_force_v", "ground_force_p", "ground_torque_")
        force, point, torque = (raw.vector(start + word) for word in words)
        assert np.array_equal(own.force, force) and np.allclose(own.moment, np.cross(point, force) + torque, atol=1e-12)
        on = own.loaded & (np.abs(torque[:, :2]).max(1) == 0.0)  # other torques are not about a centre of pressure
        assert np.allclose(own.point[on], point[on], atol=1e-12)
        assert np.allclose(own.free_moment[on], torque[on], atol=1e-9)
        assert start or on.mean() > 0.5
    assert loads.total(loads[0].time)[:, 2].mean() / 9.81 == pytest.approx(72.6, rel=0.01)  # [kg] of subject01
    planar = formats.load_forces(shared / "opensim" / "moco2dwalking" / "referenceGRF.xml")
    assert [p.name for p in planar.plates] == ["Right_GRF", "Left_GRF"]


GRF = "name\nnRows=2\nnColumns=7\nendheader\ntime\t" + "\t".join(f"a_{w}{x}" for w in "vp" for x in "xyz") + "\n0\t1\t700\t2\t{}\t0\t0\n1\t1\t700\t2\t0.1\t0\t0\n"  # fmt: skip  # noqa: E501
XML = """<OpenSimDocument><ExternalLoads name="x"><objects>
<ExternalForce name="R"><applied_to_body>calcn_r</applied_to_body>
<force_identifier>a_v</force_identifier><point_identifier>a_p</point_identifier></ExternalForce></objects>
<datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""
REFUSED = {
    "another folder": (XML.replace("grf.mot", "../grf.mot"), "leads out of the model's folder"),
    "no table": (XML.replace("<datafile>grf.mot</datafile>", ""), "names no table in <datafile>"),
    "no loads": ("<OpenSimDocument/>", "contains no <ExternalLoads>"),
    "no forces": (XML.replace("ExternalForce", "Other"), "has 0 forces"),
    "another frame": (
        XML.replace("<force_i", "<force_expressed_in_body>toes</force_expressed_in_body><force_i"),
        "'toes'",
    ),
    "other columns": (XML.replace("a_v", "b_v"), "needs three columns that begin with 'b_v'; it has 0"),
    "entities": ("<!DOCTYPE a [<!ENTITY b 'c'>]>" + XML, "declares a document type"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_loads_that_cannot_be_read_are_refused(what, tmp_path):
    text, words = REFUSED[what]
    (tmp_path / "grf.mot").write_text(GRF.format("nan"))
    (tmp_path / "a.xml").write_text(text)
    with pytest.raises(FormatError, match=words):
        formats.load_forces(tmp_path / "a.xml")


def test_missing_points_and_names_that_are_not_known(tmp_path):
    (tmp_path / "grf.mot").write_text(GRF.format("nan"))
    (tmp_path / "a.xml").write_text(XML)
    found = formats.load_forces(tmp_path / "a.xml")
    assert found[0].load.tolist() == [700.0, 700.0] and found["R"].link == "calcn_r"
    with pytest.raises(FormatError, match=r"no columns of a ground force.*ExternalLoads"):
        formats.load_forces(tmp_path / "grf.mot")
    with pytest.raises(FormatError, match=r"extension '\.txt'"):
        formats.load_forces(tmp_path / "grf.txt")
    with pytest.raises(InputError, match="No force plate 'L'"):
        found["L"]
