"""`ap.Rotation` and `ap.Transform`: construction, batches, immutability, comparison, errors."""

import copy
import math
import pickle

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, ShapeError, SingularError
from anthropi.tape import record

X, Y, Z = np.eye(3)
R = ap.Rotation.random((2, 3), seed=1)
T = ap.Transform.random((2, 3), seed=2)


@pytest.mark.parametrize("value", [R, R[0, 1], T, T[0, 1]], ids=["R batch", "R", "T batch", "T"])
def test_objects_are_immutable_values(value):
    again = pickle.loads(pickle.dumps(value))
    assert again == value and hash(again) == hash(value) and copy.deepcopy(value) == value
    assert value != value.inverse() and value != 3
    array = again.rotation if isinstance(again, ap.Transform) else again._q
    assert not array.flags.writeable
    with pytest.raises(AttributeError):
        value.origin = np.zeros(3)
    with pytest.raises(InputError, match="not an array"):
        np.asarray(value)


def test_batches():
    assert (
        R.shape == (2, 3)
        and len(R) == 2
        and R[0].shape == (3,)
        and R[..., 0].shape == (2,)
        and R[:, 1:].shape == (2, 2)
    )
    assert len(list(R[0])) == 3 and R[1, 2] == list(R[1])[2]
    assert R[0][np.array([True, False, True])].shape == (2,)
    assert ap.Rotation.stack([R[0], R[1]]) == R and ap.Rotation.stack(list(R[0]), axis=-1) == R[0]
    assert R.reshape(3, 2).reshape(6).shape == (6,)
    assert T.shape == (2, 3) and T[0].shape == (3,) and T[..., 1].origin.shape == (2, 3) and len(T) == 2
    assert ap.Transform.stack([T[0], T[1]]) == T and ap.Transform.stack([T[:, 0], T[:, 1], T[:, 2]], axis=-1) == T
    assert (R * R[0, 0]).shape == (2, 3) and (R[0, 0] @ R[1]).shape == (3,) and (T @ T[0, 0]).shape == (2, 3)
    assert R[0].apply(np.zeros((5, 1, 3))).shape == (5, 3, 3) and T[0].apply(X).shape == (3, 3)
    assert ap.Rotation.identity(4).shape == (4,) and ap.Transform.identity((4, 1)).shape == (4, 1)
    with pytest.raises(TypeError, match="single"):
        len(R[0, 0])
    with pytest.raises(IndexError, match=r"shape \(2, 3\)"):
        R[5]
    with pytest.raises(IndexError, match="no element"):
        T[0, 0][0]
    with pytest.raises(ShapeError, match=r"cannot be reshaped"):
        R.reshape(5)
    with pytest.raises(ShapeError, match="do not fit together"):
        R[:, :2] * R
    with pytest.raises(ShapeError, match="do not fit together"):
        T[:, :2] @ T
    with pytest.raises(ShapeError, match="do not fit together"):
        R.slerp(R.inverse(), np.zeros(5))
    assert ap.Rotation(np.zeros((0, 4))).as_matrix().shape == (0, 3, 3)


def test_equality_knows_the_double_cover():
    q = R[0, 0].as_quaternion()
    assert ap.Rotation(q) == ap.Rotation(-q) and hash(ap.Rotation(q)) == hash(ap.Rotation(-q))
    assert ap.Rotation(-q).as_quaternion() == pytest.approx(-q) and ap.Rotation(-q).as_quaternion(positive=True)[0] >= 0
    assert ap.Rotation([0, 0, -1, 0]) == ap.Rotation([0, 0, 1, 0.0])
    assert R.isclose(ap.Rotation(R.as_quaternion() + 1e-12)).all() and not R.isclose(R.inverse()).any()
    assert T.isclose(T).all() and not T[0, 0].isclose(T[0, 1])


def test_about_and_between():
    assert ap.Rotation.about("z", 90, degrees=True).apply(X) == pytest.approx(Y, abs=1e-15)
    assert ap.Rotation.from_angle_axis(90, X, degrees=True).apply(Y) == pytest.approx(Z, abs=1e-15)
    assert ap.Rotation.between([0, 2, 0], [0, 0, 7]).as_rotation_vector(degrees=True) == pytest.approx([90, 0, 0])
    assert ap.Rotation.between(X, X) == ap.Rotation.identity()
    for a in (X, Y, -Z, np.array([1.0, 2.0, 3.0])):
        half = ap.Rotation.between(a, -a)
        assert half.apply(a) == pytest.approx(-a, abs=1e-14) and half.angle() == pytest.approx(math.pi)


@pytest.mark.parametrize("gap", [1e-16, 1e-12, 1e-8, 1e-4])
def test_between_is_accurate_near_equal_and_opposite_directions(gap):
    rng = np.random.default_rng(0)
    a, across = rng.normal(size=(2, 100, 3))
    a = ap.rotation.normalise(a)
    for sign in (1.0, -1.0):
        b = ap.rotation.normalise(sign * a + gap * across)
        np.testing.assert_allclose(ap.Rotation.between(a, b).apply(a), b, rtol=0, atol=1e-15)


def test_nearest_and_alignment():
    C = R[0, 0].as_matrix()
    noisy = C + 0.05 * np.random.default_rng(3).normal(size=(3, 3))
    near = ap.Rotation.nearest(noisy)
    best = np.linalg.norm(near.as_matrix() - noisy)
    for step in 1e-3 * np.concatenate([np.eye(3), -np.eye(3)]):  # a minimum of the distance
        assert np.linalg.norm((ap.Rotation.exp(step) * near).as_matrix() - noisy) > best
    points = np.random.default_rng(4).normal(size=(5, 3))
    found, off = ap.Transform.align_points(T[0, 1].apply(points), points)
    assert found.isclose(T[0, 1], 1e-14, 1e-14) and off < 1e-14
    found, off = ap.Transform.align_points(T[0][:, None].apply(points), points, np.arange(1.0, 6.0))
    assert found.shape == (3,) and found.isclose(T[0], 1e-14, 1e-14).all() and (off < 1e-14).all()
    mirrored, off = ap.Rotation.align_vectors(points * [1, 1, -1], points)  # a reflection is no rotation
    assert np.linalg.det(mirrored.as_matrix()) == pytest.approx(1.0) and off > 0.1
    with pytest.raises(SingularError, match=r"not parallel.*quaternion_between"):
        ap.Rotation.align_vectors([X, 2 * X], [Y, 2 * Y])
    with pytest.raises(ShapeError, match="as many vectors"):
        ap.Rotation.align_vectors(points, points[:3])


def test_mean():
    about = ap.Rotation.about("z", [10, 20, 60], degrees=True)
    assert about.mean().angle(degrees=True) == pytest.approx(30) and about.mean([2, 0, 1]).angle() == pytest.approx(
        math.radians(80 / 3)
    )
    grid = ap.Rotation.exp(0.3 * np.random.default_rng(5).normal(size=(4, 5, 3)))
    assert grid.mean().shape == (5,) and grid.mean(axis=-1).shape == (4,) and grid.mean()[2] == grid[:, 2].mean()
    for call in (lambda: R[0, 0].mean(), lambda: R.mean(axis=2), lambda: about.mean([1, 2])):
        with pytest.raises(ShapeError, match="mean needs"):
            call()


def test_random_rotations_are_uniform_and_repeatable():
    assert ap.Rotation.random(5, seed=3) == ap.Rotation.random(5, seed=3) != ap.Rotation.random(5, seed=4)
    rng = np.random.default_rng(3)
    assert ap.Rotation.random(5, seed=rng) != ap.Rotation.random(5, seed=rng)
    images = ap.Rotation.random(20_000, seed=0).apply(X)
    assert np.abs(images.mean(0)).max() < 0.02 and np.abs((images**2).mean(0) - 1 / 3).max() < 0.01  # 3 σ: 0.013, 0.007


def test_transform_is_a_spatial_transform_and_places_joints():
    place = ap.Transform(ap.Rotation.about("y", 0.3), [0.0, 0.1, 0.2])
    assert isinstance(place, ap.spatial.Transform)
    box = ap.spatial.box((0.1, 0.2, 0.3), mass=1.0)
    figure = ap.figure_from_parts("one", [("", ap.joints.Revolute(name="j", placement=place), ap.Link.of("l", box))])
    assert ap.kinematics(figure, np.zeros(1)).link("l").position == pytest.approx([0.0, 0.1, 0.2])
    plain = ap.spatial.Transform(place.rotation, place.origin)
    assert type(place @ plain) is ap.spatial.Transform and type(plain @ place) is ap.spatial.Transform
    assert np.allclose((place @ plain).origin, (place @ place).origin)
    assert ap.Transform(R[0, 0], X).orientation.isclose(R[0, 0])
    assert ap.Transform.from_translation(X).apply(Y) == pytest.approx(X + Y)
    assert T.inverse().apply(X) == pytest.approx(T.apply(X, inverse=True))
    path = T[0, 0].interpolate(T[1, 1], np.array([0.0, 0.5, 1.0]))
    assert path[0].isclose(T[0, 0], 1e-14, 1e-14) and path[2].isclose(T[1, 1], 1e-13, 1e-13)
    assert (path[0].inverse() @ path[1]).isclose(path[1].inverse() @ path[2], 1e-13, 1e-13)


def test_flags_are_given_by_name():
    """SciPy's third argument of from_euler is `degrees`; here it must not be taken for `extrinsic`."""
    with pytest.raises(TypeError):
        ap.Rotation.from_euler([90, 0, 0], "zyx", True)
    with pytest.raises(TypeError):
        R.as_euler("zyx", True)


def test_poses_transform_six_vectors_in_batches():
    motion, many = np.arange(6.0), np.arange(12.0).reshape(2, 1, 6)
    for act, undo in ((T.act_motion, T.undo_motion), (T.act_force, T.undo_force)):
        assert act(list(motion)).shape == (2, 3, 6) and undo(act(many)) == pytest.approx(
            np.broadcast_to(many, (2, 3, 6))
        )
    assert T[0, 0].act_motion(many) == pytest.approx(many @ T[0, 0].matrix().T)
    assert T.act_point(X) == pytest.approx(T.apply(X)) and T.undo_point(X) == pytest.approx(T.apply(X, inverse=True))
    with pytest.raises(ShapeError, match="act_force"):
        T.act_force(X)
    with pytest.raises(InputError, match="RigidInertia"):
        T.act_inertia(np.eye(3))


INVALID = {
    "not unit": (lambda: ap.Rotation([1, 1, 0, 0]), r"Rotation: 'quaternion' is not a unit quaternion.*normalise"),
    "SciPy's argument order": (lambda: ap.Rotation.from_euler("xyz", [0, 0, 0]), "angles first, then the order"),
    "reflection": (lambda: ap.Rotation.from_matrix(np.diag([1, 1, -1])), "reflection"),
    "improper pose": (lambda: ap.Transform(2 * np.eye(3)), "Transform: 'rotation' is not a rotation matrix"),
    "NaN origin": (lambda: ap.Transform(None, [np.nan, 0, 0]), "Transform: 'origin' contains nan"),
    "affine": (lambda: ap.Transform.from_matrix(np.diag([1, 1, 1, 2])), "last row"),
    "long axis": (lambda: ap.Rotation.from_angle_axis(1.0, [1, 1, 0]), "not a unit vector"),
    "quaternion order": (lambda: ap.Rotation.from_quaternion([1, 0, 0, 0], "wxzy"), "Did you mean 'wxyz'"),
    "times array": (lambda: R * np.zeros(3), r"R\.apply\(vectors\)"),
    "pose times array": (lambda: T @ np.zeros(3), r"X\.apply\(points\)"),
    "slerp with an array": (lambda: R.slerp(np.eye(3), 0.5), "slerp takes a Rotation; got ndarray"),
    "function of an object": (lambda: ap.rotation.log(R), "not an array. Choose"),
    "text": (lambda: ap.Rotation.from_rotation_vector("abc"), "not an array of numbers"),
    "complex": (lambda: ap.Rotation.from_rotation_vector([1j, 0, 0]), "complex"),
    "shape": (lambda: ap.Rotation.identity(-1), "shape -1 is not valid"),
    "seed": (lambda: ap.Transform.random(seed="x"), "seed 'x' is not valid"),
    "twice": (lambda: ap.Rotation(R), "already"),
}


@pytest.mark.parametrize("name", INVALID)
def test_refuses(name):
    call, message = INVALID[name]
    with pytest.raises(InputError, match=message):
        call()


def test_array_times_rotation_is_refused():
    with pytest.raises(TypeError):
        np.zeros(3) * R
    with pytest.raises(TypeError):
        np.eye(4) @ T


def test_objects_are_not_recorded():
    with pytest.raises(InputError, match=r"Use the functions of ap\.rotation while recording"):
        record(lambda q: ap.Rotation(q).as_matrix(), q=np.array([1.0, 0, 0, 0]))
    with pytest.raises(InputError, match=r"Use ap\.spatial\.Transform while recording"):
        record(lambda p: ap.Transform(None, p).origin, p=np.zeros(3))


def test_half_turns_have_no_rodrigues_parameters():
    with pytest.raises(SingularError, match="half turn"):
        ap.Rotation.about("x", math.pi).as_rodrigues()
    assert ap.Rotation.about("x", math.pi).as_modified_rodrigues() == pytest.approx(X)


def test_text_reads_back():
    names = {"Rotation": ap.Rotation, "Transform": ap.Transform}
    assert eval(repr(R[0, 0]), names).isclose(R[0, 0], 1e-7)
    assert eval(repr(T), names).isclose(T, 1e-6, 1e-6).all()
