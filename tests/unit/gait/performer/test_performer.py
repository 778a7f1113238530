"""A performer stands, is pushed, jumps and dances in pure physics. One kernel for all of it."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError
from anthropi.gait.walker.performer import Key, Performer, load_routine, perform, start_of
from anthropi.gait.walker.performer.measures import jumped, slip
from anthropi.gait.walker.performer.perform import GROUND_DEPTH

pytestmark = pytest.mark.slow

FIGURE = ap.human(1.75, 75)
SCENE = ap.Scene(FIGURE, features="feet", contact=ap.contact.Compliant(depth=GROUND_DEPTH))
RECORD = ("contact", "tau")
PIECES = ("stand", "jump", "leap", "dance")


@pytest.fixture(scope="module")
def motions():
    """Stands, pushed in eight directions by an impulse of 20 N s to the whole body; then jump, leap, dance."""
    controllers = [
        Performer(FIGURE, load_routine(n).keys, **load_routine(n).numbers) for n in ["stand"] * 8 + [*PIECES[1:]]
    ]
    q = np.array([start_of(FIGURE, load_routine(n).keys) for n in ["stand"] * 8 + [*PIECES[1:]]])
    u = np.zeros((len(q), FIGURE.nu))
    angle = np.arange(8) * np.pi / 4
    u[:8, :2] = 20.0 / FIGURE.mass * np.stack([np.cos(angle), np.sin(angle)], 1)
    found = {n: np.stack([c.parameters[n] for c in controllers]) for n in controllers[0].parameters}
    return ap.simulate(
        SCENE, q, u, forces=controllers[0], parameters=found, duration=20.0, every=10, record=RECORD, opt=0
    )


def test_nothing_acts_at_the_root(motions):
    assert np.abs(motions.channels["tau"][..., :6]).max() == 0.0
    load = motions.channels["contact"][:10, 500:, :, 2].sum(-1).mean(1) / (9.81 * FIGURE.mass)
    np.testing.assert_allclose(load, 1.0, atol=1e-3)  # the ground alone carries it


def test_it_stands_and_is_pushed(motions):
    """20 N s in eight directions: it is back where it was, but for a foot that came off the ground and down again."""
    for i in range(8):
        own = motions.rollout(i)
        assert own.q[:, 2].min() > 0.8 * own.q[0, 2]
        assert np.abs(own.q[-1, :3] - own.q[0, :3]).max() < 0.05 and np.abs(own.u[-1]).max() < 1e-2
        assert slip(own) < 0.02


@pytest.mark.parametrize(("name", "ahead"), [("jump", -0.1), ("leap", 0.3)])
def test_it_jumps_and_lands(motions, name, ahead):
    own = motions.rollout(7 + PIECES.index(name))
    found = jumped(own)
    assert found.rise > 0.25 and found.clear > 0.15 and found.flight > 0.35 and found.ahead > ahead
    assert own.q[-1, 2] == pytest.approx(own.q[0, 2], abs=0.02) and np.abs(own.u[-1]).max() < 1e-2
    still = own.time > 6.0
    assert np.ptp(own.q[still, :3], axis=0).max() < 0.01


def test_it_dances(motions):
    own = motions.rollout(10)
    assert own.q[:, 2].min() > 0.4 and own.q[-1, 2] == pytest.approx(own.q[0, 2], abs=0.03)
    assert slip(own) < 0.02
    k = ap.kinematics(FIGURE, own.q)
    for x in "lr":
        assert np.ptp(k.link(f"{x}_hand").position, axis=0).max() > 0.8  # lively
        assert k.link(f"{x}_foot").position[:, 2].max() > 0.2


def test_the_front_does_the_same(motions):
    own = perform(FIGURE, "jump", duration=0.5, scene=SCENE, record=RECORD, opt=0)
    assert np.array_equal(own.q, motions.rollout(8).q[:51])


def test_what_makes_no_sense_is_refused_in_words():
    with pytest.raises(AnthropiError, match="standard"):
        Performer(ap.human(detail="thesis42"), [Key(0.0, 1.0, {})])
    with pytest.raises(AnthropiError, match="no gain 'kne'"):
        Performer(FIGURE, [Key(0.0, 1.0, {})], kne=3.0)
    with pytest.raises(AnthropiError, match="no keys"):
        perform(FIGURE, [])
    with pytest.raises(AnthropiError, match="another figure"):
        perform(ap.human(1.6, 60), "stand", scene=SCENE)
