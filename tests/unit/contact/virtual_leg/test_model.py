"""The virtual leg as a contact model: which foot is down, what each carries, kernel = plain function."""

from dataclasses import replace

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.momentum import momentum_rate, total_wrench
from anthropi.contact.geometry.contacts import contact_names, contacts
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Plane, Sphere
from anthropi.contact.scene import Obstacle, Scene
from anthropi.contact.virtual_leg import UP, FromForce, FromHeight, Given, Leg, VirtualLeg, body_of
from anthropi.errors import InputError
from unit.contact.virtual_leg.cases import LEG, standing

FEET = ("l_foot", "r_foot")
DT, DOUBLE = 1e-3, 0.1


def at(height):
    return Transform(np.eye(3), np.array([0.0, 0.0, height]))


def on_ground(model, seed=0, lower=0.03):
    """A scene of bench42 with its feet at the ground, and a state."""
    figure, q, u, tau = standing(seed)
    scene = Scene(figure, features="feet", contact=model)
    k = kinematics(figure, q, u)
    low = min(t.gap for t in contacts(scene, 0.0, k))
    q = np.concatenate([q[:2], [q[2] - low - lower], q[3:]])
    return scene, q, u, tau


def push(scene, q, u, memory, dt=DT):
    k = kinematics(scene.figure, q, u)
    return scene.contact.force(scene, contacts(scene, 0.0, k), k, memory, dt)


@pytest.mark.parametrize("feet", [("l_foot",), FEET])
@pytest.mark.parametrize("seed", range(3))
def test_7_4__9_7__momentum_changes_by_what_the_feet_are_given(seed, feet):
    """dH_G/dt = r × f_c to 1e-8: wanted less the residual; and linear momentum by the sum of all contact forces."""
    model = VirtualLeg(feet, LEG, FromForce(800.0), wanted=(1.0, -1.0, 0.5))
    scene, q, u, tau = on_ground(model, seed, 0.5)
    found, memory = push(scene, q, u, model.memory(scene))
    assert memory["down"].all() and memory["loads"].sum() == 1.0
    udot = ap.direct_dynamics(scene.figure, q, u, tau, {scene.figure.links[i].name: w for i, w in found.f_ext.items()})
    rate, spin = momentum_rate(scene.figure, q, u, udot), body_of(scene.figure, kinematics(scene.figure, q, u)).spin
    moment = LEG.spin * (np.array([1.0, -1.0, 0.5]) - spin)
    np.testing.assert_allclose(rate[:3], moment - memory["residual"], rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(
        rate[3:], found.forces.sum(0) + scene.figure.mass * scene.figure.gravity, rtol=0.0, atol=1e-8
    )
    assert found.forces.sum(0)[2] == pytest.approx(800.0)
    by_touch = np.cross([t.point for t in contacts(scene, 0.0, kinematics(scene.figure, q, u))], found.forces).sum(0)
    bare = scene.figure.changed(gravity=np.zeros(3))
    np.testing.assert_allclose(total_wrench(bare, q, found.f_ext, about="origin")[:3], by_touch, atol=1e-9)


class Path:
    """Feet put down and lifted by hand: gaps over time, everything else at rest."""

    def __init__(self, form, dt):
        self.model = VirtualLeg(FEET, Leg(12e3, 100.0), Given(1.2), double_support=DOUBLE, form=form)
        figure = ap.sample("bench42")
        self.scene, self.dt, self.q = Scene(figure, features="feet", contact=self.model), dt, ap.standing(figure)
        self.memory, self.k = self.model.memory(self.scene), kinematics(figure, self.q, np.zeros(figure.nu))
        self.contacts = contacts(self.scene, 0.0, self.k)

    def go(self, left, right, time):
        """Forces (steps, 3) on each foot, and α, for given gaps [m]."""
        rows = []
        for _ in range(round(time / self.dt)):
            heights = {9: left, 12: right}
            seen = [t._replace(gap=heights[t.a]) for t in self.contacts]
            found, self.memory = self.model.force(self.scene, seen, self.k, self.memory, self.dt)
            each = [sum(f for f, t in zip(found.forces, seen, strict=True) if t.a == i) for i in (9, 12)]
            rows.append(np.concatenate([*each, [self.memory["loads"][0]]]))
        return np.array(rows)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["linear", "cosine", "cubic"])
def test_9_4_5__9_7__strike_hand_over_and_toe_off(form):
    """Right alone; left strikes; load goes over in t_ds; right leaves; f jumps nowhere, less so in shorter steps."""
    jumps, bends = [], []
    for dt in (1e-3, 5e-4):
        path = Path(form, dt)
        gaps = ((0.05, -1e-3, 0.02), (-1e-3, -1e-3, DOUBLE + 0.02), (-1e-3, 0.05, 0.02))
        rows = np.concatenate([path.go(*gap) for gap in gaps])
        assert rows[0, 6] == 0.0 and rows[-1, 6] == 1.0
        assert (rows[:, 5] >= 0.0).all() and rows[0, 5] > 500.0 and rows[-1, 2] > 500.0
        assert (rows[: round(0.02 / dt), :3] == 0.0).all() and (rows[-round(0.02 / dt) :, 3:6] == 0.0).all()
        jumps.append(np.abs(np.diff(rows[:, :6], axis=0)).max())
        bends.append(np.abs(np.diff(rows[:, :6], 2, axis=0)).max() / dt)
    assert jumps[1] < 0.55 * jumps[0]  # continuous
    smooth = bends[1] < 0.6 * bends[0]
    assert smooth == (form != "linear")  # C¹


def test_9_7__who_lands_first_carries_all_and_who_is_left_too():
    path = Path("cosine", DT)
    assert (path.go(0.05, 0.05, 0.01) == 0.0).all()  # flight
    assert (path.go(-1e-3, 0.05, 0.01)[:, 6] == 1.0).all()
    assert (path.go(0.05, 0.05, 0.01) == 0.0).all()
    np.testing.assert_allclose(path.go(-1e-3, -1e-3, 0.01)[:, 6], 0.5, atol=1e-15)  # both at once
    assert (path.go(0.05, -1e-3, 0.01)[:, 6] == 0.0).all()
    path.go(-1e-3, -1e-3, 0.5 * DOUBLE)
    assert path.memory["loads"][0] == pytest.approx(0.5, abs=0.02)
    assert (path.go(-1e-3, 0.05, 0.01)[:, 6] == 1.0).all()  # the right foot left early: left has it all at once


def test_9_7__together_feet_share_alike():
    path = Path("cosine", DT)
    path.model = replace(path.model, together=True)
    assert (path.go(-1e-3, 0.05, 0.01)[:, 6] == 1.0).all()  # one alone has it all
    path.go(-1e-3, -1e-3, DOUBLE)
    np.testing.assert_allclose(path.memory["loads"], 0.5, atol=1e-15)
    assert (path.go(0.05, -1e-3, 0.01)[:, 6] == 0.0).all()


def test_a_foot_is_down_from_its_touch_until_it_is_clear():
    path = Path("cosine", DT)
    for gap, down in ((0.004, 0.0), (0.0, 1.0), (0.004, 1.0), (0.006, 0.0), (0.004, 0.0), (-0.001, 1.0)):
        path.go(gap, 0.05, DT)
        assert path.memory["down"][0] == down, gap


def test_6_2__kernel_and_plain_function_agree():
    model = VirtualLeg(FEET, LEG._replace(friction=0.6), FromHeight(1.0), form="cubic")
    scene, q, u, _ = on_ground(model)
    start = model.memory(scene)

    def step(q, u, phase):
        found, memory = push(scene, q, u, start | {"phase": phase})
        return {"forces": found.forces, "l": found.f_ext[9], "r": found.f_ext[12], **memory}

    tape = ap.record(step, q=q, u=u, phase=np.array(0.3))
    kernel = ap.build(tape, opt=0)
    for phase in (0.0, 0.3, 1.0):
        want, got = step(q, u, np.array(phase)), kernel(q=q, u=u, phase=phase)
        assert np.abs(want["forces"]).max() > 100.0
        for name, value in want.items():
            np.testing.assert_allclose(got[name], value, rtol=1e-10, atol=1e-9, err_msg=name)


GROUNDS = {
    "plane": {"ground": Plane()},
    "flat terrain": {"ground": HeightField(np.zeros((9, 9)), origin=(-4.0, -4.0))},
    "a box below": {"ground": None, "obstacles": Obstacle("floor", Box((8.0, 8.0, 2.0)), at(-1.0))},
    "a ball beside": {"ground": Plane(), "obstacles": Obstacle("ball", Sphere(0.5), at(5.0))},
    "a lift": {"ground": None, "obstacles": Obstacle("lift", Plane(), lambda t: (at(0.3 * t), np.zeros(3), 0.3 * UP))},
}


@pytest.mark.parametrize("ground", GROUNDS)
def test_6_1__the_ground_may_be_anything_level(ground):
    """A plane, terrain, a box: the same force. On a lift the leg's rate is still that of foot against G."""
    model = VirtualLeg(FEET, LEG._replace(friction=0.5), FromHeight(1.0))
    scene, q, u, _ = on_ground(model)
    want = push(scene, q, u, model.memory(scene))[0].f_ext
    got = push(scene.changed(**GROUNDS[ground]), q, u, model.memory(scene))[0].f_ext
    assert max(np.abs(w).max() for w in want.values()) > 100.0
    for i, w in want.items():
        np.testing.assert_allclose(got[i], w, rtol=1e-9, atol=1e-9)


def test_6_1__on_a_slope_the_cone_stands_on_the_slope():
    n = np.array([0.4, 0.0, 1.0]) / np.hypot(0.4, 1.0)
    model = VirtualLeg(FEET, LEG._replace(friction=0.3), FromForce(700.0), wanted=(0.0, 90.0, 0.0))
    scene, q, u, _ = on_ground(model)
    f = push(scene.changed(ground=Plane((0.0, 0.0, 0.1), n)), q, u, model.memory(scene))[0].forces.sum(0)
    assert f @ n == pytest.approx(700.0)
    assert np.linalg.norm(f - (f @ n) * n) == pytest.approx(0.3 * 700.0)  # it slips


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"feet": ("l_foot", "r_foot", "head")}, "name of one link"),
        ({"form": "linea"}, r"Did you mean 'linear'\?"),
        ({"clearance": 0.0}, "positive height"),
        ({"rest": 1.0}, "not a rule for the rest length"),
        ({"feet": ("head",)}, "Link 'head' has no contact with the ground"),
    ],
)
def test_bad_numbers_are_named(change, words):
    with pytest.raises(InputError, match=words):
        model = VirtualLeg(**({"feet": FEET, "leg": LEG, "rest": Given(1.0)} | change))
        scene, q, u, _ = on_ground(model)
        push(scene, q, u, model.memory(scene))


def test_operation_counts():
    """What the model adds to a step, with the poses and velocities of the links counted once: budgets, with room."""
    for figure, most in ((ap.sample("bench42"), 1620), (ap.human(detail="standard"), 2390)):
        model = VirtualLeg(FEET, LEG._replace(friction=0.8), FromHeight(0.9))
        scene = Scene(figure, features="feet", contact=model)
        start, q = model.memory(scene), ap.standing(figure)

        def bare(q, u, scene=scene):
            k = kinematics(scene.figure, q, u)
            return k.rotation, k.position, k.angular_velocity, k.velocity

        def all_of_it(q, u, scene=scene, start=start):
            found, memory = push(scene, q, u, start)
            return bare(q, u, scene), list(found.f_ext.values()), found.forces, memory

        counts = [ap.record(f, q=q, u=np.zeros(figure.nu)).operations for f in (bare, all_of_it)]
        assert counts[1] - counts[0] < most, (figure.name, counts, len(contact_names(scene)))
