"""Locking, scaling, mirroring, joining, parting and merging figures."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import joints, spatial
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError, ShapeError
from anthropi.figure import Figure, Link, Marker, figure_from_parts
from anthropi.figure.editing.scaling import other_side
from unit.figure.bench import bench42
from unit.figure.families import FAMILIES, body, place, random_figure
from unit.figure.physics import assert_same, bodies, seen

SEEDS = pytest.mark.parametrize("seed", range(6))


# lock, unlock, state_from


def stopped(figure, u, names):
    """u with some degrees of freedom at rest."""
    u = u.copy()
    u[list(figure.dof_indices(names))] = 0.0
    return u


@SEEDS
def test_locked_joints_stay_where_they_are(seed):
    figure, q, u = random_figure(seed)
    rng = np.random.default_rng(seed)
    names = [figure.joints[i].name for i in rng.choice(np.arange(1, figure.n), 12, replace=False)]
    u = stopped(figure, u, names)
    locked = figure.lock(names, q)
    assert locked.nu == figure.nu - len(set(figure.dof_indices(names)))
    q2, u2 = locked.state_from(figure, q, u)
    assert_same(seen(locked, q2, u2), seen(figure, q, u), 1e-12)
    free = locked.unlock()
    q3, u3 = free.state_from(locked, q2, u2)
    np.testing.assert_allclose(figure.difference(q, figure.state_from(locked, q2)), 0.0, atol=1e-14)
    assert_same(seen(free, q3, u3), seen(figure, q, u), 1e-12)
    again = locked.unlock([name for name in names if figure.joints[figure.joint_index(name)].nu])
    for name in names:  # whole joints come back as they were
        a, b = figure.joints[figure.joint_index(name)], again.joints[again.joint_index(name)]
        assert type(a) is type(b) and a.nu == b.nu


PARTLY = {
    "euler xyz": ["joint.y"],
    "euler zxz": ["joint.z1", "joint.z3"],
    "cylindrical": ["joint.angle"],
    "planar, acted on": ["joint.y"],
    "translational": ["joint.x", "joint.z"],
    "free": ["joint.px", "joint.pz"],
    "universal": ["joint.1"],
    "composite": ["joint.a", "joint.c.slide"],
    "composite of turns": ["joint.z"],
}


@pytest.mark.parametrize("name", list(PARTLY))
def test_some_degrees_of_freedom_of_a_joint(name):
    figure, q, u = random_figure(8, [FAMILIES[name]], loops=False)
    figure = figure.changed(joints=[figure.joints[0], figure.joints[1].changed(name="joint")])
    dofs = PARTLY[name]
    u = stopped(figure, u, dofs)
    locked = figure.lock(dofs, q)
    assert locked.nu == figure.nu - len(dofs)
    assert locked.joints[1].kind == "composite"
    q2, u2 = locked.state_from(figure, q, u)
    assert_same(seen(locked, q2, u2), seen(figure, q, u), 1e-12)
    np.testing.assert_array_equal(figure.state_from(locked, q2, u2)[1], u)
    np.testing.assert_array_equal(figure.state_from(locked, q2), q)
    if name != "free":
        assert set(locked.dofs) == set(figure.dofs) - set(dofs)
    freed = locked.unlock(dofs)
    assert freed.nu == figure.nu
    np.testing.assert_array_equal(freed.state_from(figure, q, u)[0], q)
    assert_same(seen(freed, q, u), seen(figure, q, u), 1e-12)
    one_less = figure.lock("joint", q).unlock(dofs[0])
    assert one_less.nu == figure.nu - figure.joints[1].nu + 1
    limits = {d: figure.limits[:, k] for k, d in enumerate(figure.dofs)}
    for k, d in enumerate(locked.dofs if name != "free" else ()):
        np.testing.assert_array_equal(locked.limits[:, k], limits[d])


def test_locking_defaults_to_the_neutral_pose_and_knows_its_names():
    figure = bench42()
    locked = figure.lock(["l_forearm joint", "r_forearm joint"])
    held = locked.joints[locked.joint_index("l_forearm joint")]
    assert locked.nu == 36 and held.at.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert locked.unlock("l_forearm joint").nu == 39 and locked.unlock().key == figure.key
    with pytest.raises(InputError, match=r"l_foot joint\.x of the ball joint.*Lock the whole joint, or make it"):
        figure.lock("l_foot joint.x")
    with pytest.raises(InputError, match=r"No joint or degree of freedom 'l_fot joint'.*Did you mean 'l_foot joint'\?"):
        figure.lock("l_fot joint")
    with pytest.raises(InputError, match=r"'l_foot joint' is locked.*Locked: l_forearm joint, l_forearm joint\.x"):
        locked.unlock("l_foot joint")
    with pytest.raises(ShapeError, match=r"q of shape \(3,\).*expects \(55,\)"):
        figure.lock("root", np.zeros(3))
    with pytest.raises(InputError, match=r"has no 'torso joint', which figure 'bench42' needs"):
        figure.state_from(figure.detach("torso")[0], np.zeros(31))


def test_states_go_over_in_batches():
    figure = bench42()
    locked, rng = figure.lock(["head joint"]), np.random.default_rng(0)
    q, u = np.stack([figure.random(rng) for _ in range(4)]), rng.normal(size=(4, 42))
    q2, u2 = locked.state_from(figure, q, u)
    assert q2.shape == (4, 51) and u2.shape == (4, 39)
    np.testing.assert_array_equal(locked.state_from(figure, q[2]), q2[2])


# scale


@SEEDS
def test_a_larger_figure_of_the_same_density(seed):
    figure, q, u = random_figure(seed)
    figure = figure.changed(joints=[j.changed(placement=spatial.identity()) if i == 0 else j
                                    for i, j in enumerate(figure.joints)])  # fmt: skip
    s = 1.7
    large = figure.scale(s)
    q2 = np.concatenate([j.scaled_q(q[figure.q_of[i]], s) for i, j in enumerate(figure.joints)])
    a, b = kinematics(figure, q), kinematics(large, q2)
    np.testing.assert_allclose(b.position, s * a.position, atol=1e-12)
    np.testing.assert_allclose(b.rotation, a.rotation, atol=1e-13)
    assert large.mass == pytest.approx(figure.mass * s**3, rel=1e-14)
    for x, y in zip(figure.links, large.links, strict=True):
        np.testing.assert_allclose(y.tensor, x.tensor * s**5, rtol=1e-14)
        np.testing.assert_allclose(y.centre, x.centre * s, rtol=1e-14)
        assert y.shapes[0].size == pytest.approx(np.multiply(x.shapes[0].size, s))
    for x, y in zip(figure.markers, large.markers, strict=True):
        if hasattr(x, "point"):
            np.testing.assert_allclose(y.point, s * x.point, rtol=1e-14)
    back = large.scale(1 / s)
    assert_same(seen(back, q, u), seen(figure, q, u), 1e-12)


def test_some_links_and_given_masses():
    figure = bench42()
    longer = figure.scale({"l_thigh": 1.1, "r_thigh": 1.1})
    thigh, shank = figure.link_index("l_thigh"), figure.link_index("l_shank")
    assert longer.links[thigh].mass == pytest.approx(8.0 * 1.1**3)
    np.testing.assert_allclose(longer.joints[shank].placement.origin, [0.0, 0.0, -0.462])  # it sits in the thigh
    np.testing.assert_array_equal(longer.joints[thigh].placement.origin, figure.joints[thigh].placement.origin)
    heavy = figure.scale(mass=100.0)
    assert heavy.mass == pytest.approx(100.0, rel=1e-14)
    np.testing.assert_allclose(heavy.links[thigh].tensor, figure.links[thigh].tensor * 100.0 / figure.mass, rtol=1e-13)
    one = figure.scale(2.0, mass={"head": 7.0})
    head = figure.link_index("head")
    assert one.links[head].mass == 7.0 and one.links[0].mass == pytest.approx(88.0)
    np.testing.assert_allclose(one.links[head].tensor, figure.links[head].tensor * 4.0 * 7.0 / 5.0, rtol=1e-13)
    with pytest.raises(InputError, match=r"factor for 'hed', which is not a link.*Did you mean 'head'\?"):
        figure.scale({"hed": 2.0})
    with pytest.raises(InputError, match=r"factor -1.0 for link 'pelvis'.*above zero"):
        figure.scale(-1.0)
    with pytest.raises(InputError, match=r"mass nan for link 'head'"):
        figure.scale(1.0, mass={"head": float("nan")})


# mirror

FLIP = np.array([1.0, -1.0, 1.0])


@SEEDS
def test_the_mirror_image_moves_as_the_mirror_shows(seed):
    figure, q, u = random_figure(seed)
    image, q2, u2 = figure.mirror(q, u)
    a, b = kinematics(figure, q, u), kinematics(image, q2, u2)
    for i, x in enumerate(figure.links):
        j = image.link_index(other_side(x.name))
        np.testing.assert_allclose(b.position[j], FLIP * a.position[i], atol=1e-12)
        np.testing.assert_allclose(b.rotation[j], np.diag(FLIP) @ a.rotation[i] @ np.diag(FLIP), atol=1e-13)
        np.testing.assert_allclose(b.velocity[j], FLIP * a.velocity[i], atol=1e-12)
        np.testing.assert_allclose(b.angular_velocity[j], -FLIP * a.angular_velocity[i], atol=1e-12)
    here, there = seen(figure, q, u), seen(image, q2, u2)
    for what in ("mass", "kinetic energy", "potential energy", "rotors", "power"):
        assert there[what] == pytest.approx(here[what], rel=1e-12)
    assert_same({"p": there["linear momentum"], "l": there["angular momentum"]},
                {"p": FLIP * here["linear momentum"], "l": -FLIP * here["angular momentum"]}, 1e-12)  # fmt: skip
    for m in figure.markers:
        np.testing.assert_allclose(there[other_side(m.name)], np.tile(FLIP, 2) * here[m.name], atol=1e-12)
    back, q3, u3 = image.mirror(q2, u2)
    assert back.key == figure.key
    np.testing.assert_array_equal(q3, q)
    np.testing.assert_array_equal(u3, u)


def biped():
    """A figure that is its own mirror image, with axes written as anatomists do: the same sign, the same movement."""
    parts = [("", joints.Free(name="root"), Link.of("trunk", spatial.box((0.2, 0.3, 0.6), mass=40.0)))]
    for side, s in (("l", 1.0), ("r", -1.0)):
        at = spatial.Transform(np.eye(3), np.array([0.0, 0.1 * s, -0.3]))
        hip = joints.Composite(name=f"{side}_hip", placement=at, parts=(
            joints.Revolute(name="flexion", axis="-y", lower=-0.3, upper=2.0),
            joints.Revolute(name="abduction", axis=(s, 0.0, 0.0), lower=-0.2, upper=0.8),
            joints.Revolute(name="rotation", axis=(0.1 * s, 0.3, s), lower=-0.5, upper=0.4)))  # fmt: skip
        knee = joints.Revolute(name=f"{side}_knee", axis="y", lower=0.0, upper=2.4,
                               placement=spatial.Transform(np.eye(3), np.array([0.0, 0.0, -0.4])))  # fmt: skip
        ankle = joints.Ball(name=f"{side}_ankle", lower=np.array([-0.3, -0.5, -0.2 if s > 0 else -0.1]),
                            upper=np.array([0.3, 0.8, 0.1 if s > 0 else 0.2]),
                            placement=spatial.Transform(np.eye(3), np.array([0.0, 0.0, -0.4])))  # fmt: skip
        thigh = spatial.box((0.1, 0.1, 0.4), mass=8.0, centre=(0.0, 0.01 * s, -0.2))
        parts += [("trunk", hip, Link.of(f"{side}_thigh", thigh)),
                  (f"{side}_thigh", knee, Link.of(f"{side}_shank", spatial.box((0.1, 0.1, 0.4), mass=3.0))),
                  (f"{side}_shank", ankle, Link.of(f"{side}_foot", spatial.box((0.2, 0.1, 0.1), mass=1.0))),
                  ]  # fmt: skip
    return figure_from_parts("biped", parts, [Marker(f"{s}_toe", f"{s}_foot", (0.2, 0.0, 0.0)) for s in "lr"])


def test_a_symmetric_figure_is_its_own_image():
    figure, rng = biped(), np.random.default_rng(0)
    q = figure.random(rng)
    image, q2 = figure.mirror(q)
    for a, b in zip(figure.joints, image.joints, strict=True):
        assert a.name == b.name and a.dofs == b.dofs
        for name in ("lower", "upper"):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-15)
    for a, b in zip(figure.links, image.links, strict=True):
        assert a.name == b.name
        np.testing.assert_allclose(a.tensor, b.tensor, atol=1e-15)
    left, right = figure.q_of[figure.joint_index("l_hip")], figure.q_of[figure.joint_index("r_hip")]
    np.testing.assert_array_equal(q2[left], q[right])  # the same numbers are the mirrored pose
    a, b = kinematics(figure, q), kinematics(figure, q2)  # the image is a state of the figure itself
    np.testing.assert_allclose(b.position[figure.link_index("r_foot")], FLIP * a.position[figure.link_index("l_foot")],
                               atol=1e-14)  # fmt: skip


@pytest.mark.parametrize("detail", ["thesis42", "standard", "full"])
def test_a_human_is_its_own_image(detail):
    figure, rng = ap.human(detail=detail), np.random.default_rng(0)
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    image, q2, u2 = figure.mirror(q, u)
    np.testing.assert_allclose(image.limits, figure.limits, atol=1e-15)
    here, there = seen(figure, q, u), seen(figure, q2, u2)  # the mirrored state is a state of the figure itself
    for m in figure.markers:
        np.testing.assert_allclose(there[other_side(m.name)], np.tile(FLIP, 2) * here[m.name], atol=1e-12)
    assert there["kinetic energy"] == pytest.approx(here["kinetic energy"], rel=1e-12)
    assert image.dofs == figure.dofs and [x.name for x in image.links] == [x.name for x in figure.links]


@pytest.mark.parametrize("a, b", [("l_hip", "r_hip"), ("r", "l"), ("toe_left", "toe_right"), ("L5", "L5"),
                                  ("ball", "ball"), ("a.l.b", "a.r.b"), ("R foot", "L foot"), ("", "")])  # fmt: skip
def test_names_of_the_other_side(a, b):
    assert other_side(a) == b and other_side(b) == a


# attach, detach


@SEEDS
def test_detaching_and_attaching(seed):
    figure, q, u = random_figure(seed, loops=False)
    at = np.random.default_rng(seed).integers(1, figure.n)
    link, joint = figure.links[at].name, figure.joints[at]
    (rest, q1, u1), (part, q2, u2) = figure.detach(link, q, u)
    here = seen(figure, q, u)
    assert rest.n + part.n == figure.n and part.joints[0].kind == "free" and part.links[0].name == link
    assert rest.mass + part.mass == pytest.approx(figure.mass, rel=1e-14)
    both = [seen(rest, q1, u1), seen(part, q2, u2)]
    for found in both:
        assert_same(found, here, 1e-12, only=[w for w in found if w.startswith(("point", "way", "shape"))])
    for what in ("kinetic energy", "linear momentum", "angular momentum", "potential energy"):
        np.testing.assert_allclose(both[0][what] + both[1][what], here[what], rtol=1e-11, atol=1e-11)
    parent = figure.links[figure.parent[at]].name
    whole = rest.attach(part, parent, joint)
    assert_same(bodies(whole, *whole.state_from(figure, q, u)), bodies(figure, q, u), 1e-12)
    assert [x.key for x in figure.detach(link)] == [rest.key, part.key]


def test_attaching_with_a_prefix():
    figure = bench42()
    arm = figure.detach("l_upper_arm")[1]
    joint = joints.Ball(name="third_shoulder", placement=place(np.random.default_rng(0)))
    three = figure.attach(arm, "torso", joint, prefix="third_")
    assert three.n == 15 and three.links[-1].name == "third_l_forearm" and three.nu == 48
    assert three.joints[-1].name == "third_l_forearm joint"
    with pytest.raises(InputError, match=r"already has a link 'l_upper_arm'\. Attach.*with another prefix"):
        figure.attach(arm, "torso", joint)
    with pytest.raises(InputError, match=r"No link 'trso'.*Did you mean 'torso'"):
        figure.attach(arm, "trso", joint)
    with pytest.raises(InputError, match=r"'pelvis' is the root.*Detach another"):
        figure.detach("pelvis")
    ring, *_ = random_figure(0)
    with pytest.raises(InputError, match=r"Loop 'ring'.*in two figures. Remove the loop"):
        ring.detach(ring.links[-1].name)


# merge_fixed


@SEEDS
def test_merging_what_cannot_move(seed):
    figure, q, u = random_figure(seed)
    rng = np.random.default_rng(seed)
    names = [figure.joints[i].name for i in rng.choice(np.arange(1, figure.n), 15, replace=False)]
    locked = figure.lock(names, q)
    q2, u2 = locked.state_from(figure, q, stopped(figure, u, names))
    merged = locked.merge_fixed()
    fixed = sum(j.nu == 0 for j in locked.joints)
    assert merged.n == figure.n - fixed and merged.nu == locked.nu
    assert_same(seen(merged, q2, u2), seen(locked, q2, u2), 1e-12)
    assert merged.merge_fixed().key == merged.key


def test_massless_links_and_the_root_merge_too():
    rng = np.random.default_rng(0)
    parts = [("", joints.Weld(name="base"), Link("ground")),
             ("ground", joints.Weld(name="w1", placement=place(rng)), Link("post")),
             ("post", joints.Revolute(name="hinge", placement=place(rng)), Link("frame")),
             ("frame", joints.Weld(name="w2", placement=place(rng)), body(rng, "arm")),
             ("arm", joints.Weld(name="w3", placement=place(rng)), Link("tool"))]  # fmt: skip
    figure = figure_from_parts(
        "arm", parts, [Marker("tip", "tool", (0.1, 0.2, 0.3)), Marker("foot", "post", (0.0, 0.0, 1.0))]
    )
    merged = figure.merge_fixed()
    assert [x.name for x in merged.links] == ["ground", "frame"] and merged.joints[0].kind == "weld"
    assert isinstance(merged, Figure) and merged.links[1].mass == figure.links[3].mass
    q, u = np.array([0.3]), np.array([2.0])
    assert_same(seen(merged, q, u), seen(figure, q, u), 1e-13)
