"""A skeleton's motion on a person: limbs point as the skeleton's do, feet stay near the ground, for any stature."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.figure.human.build import sole_markers
from anthropi.motion import Keyframes
from anthropi.motion.link_poses import link_poses
from anthropi.motion.retargeting import roles

FRAMES = 24  # of each file: the whole of it at a slower pace
WALKS = ("cmu/07_01", "cmu/08_01", "cmu/16_11", "cmu/16_33", "pymo/AV_8Walk_Meredith_HVHA_Rep1")
FILES = (*WALKS, "cmu/09_01", "cmu/13_11", "bvh-python/test_freebvh", "bvh-python/test_mocapbank")
UNLIKE = {"cmu/07_01": 0.02, "cmu/08_01": 0.03}  # [m]: what one leg of the skeleton is longer, at most; others 0.01


def some(path, frames=FRAMES):
    motion = ap.load_motion(path)
    return motion[1 :: max(1, len(motion) // frames)]  # the first frame of CMU's files is a T, not part of the motion


def lowest(motion):
    k, figure = link_poses(motion.figure, motion.q), motion.figure
    return np.stack([k.point(figure.link_index(m.link), m.point)[:, 2] for m in sole_markers(figure)], -1).min(-1)


def directions(motion, names):
    """Of limbs, from the motion's own links: nothing of what retargeting computed."""
    k, at = link_poses(motion.figure, motion.q), roles(motion.figure, names)
    place = {role: k.position[:, motion.figure.link_index(link)] for role, link in at.items()}
    bones = [(f"{s}_{a}", f"{s}_{b}") for s in "lr" for a, b in (("thigh", "shank"), ("shank", "foot"),
             ("upper_arm", "forearm"), ("forearm", "hand"))]  # fmt: skip
    ways = [place[b] - place[a] for a, b in bones]
    return np.stack([w / np.linalg.norm(w, axis=-1, keepdims=True) for w in ways], axis=1)


def apart(one, other):
    """Angles (frames, 8) between two motions' limbs [deg]."""
    a, b = directions(one, None), directions(other, None)
    return np.rad2deg(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1)))


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_limbs_point_as_the_skeletons_do(name, shared, tmp_path):
    motion = some(shared / "bvh" / f"{name}.bvh")
    free = ap.motion.retarget(motion, feet=False)
    assert apart(motion, free).max() < 3.5  # a straight elbow's plane is not known
    stands = ap.motion.retarget(motion)
    found = apart(motion, stands)
    assert np.abs(np.deg2rad(found) - stands.channels["direction_error"]).max() < 1e-9  # it says so itself
    assert np.sqrt((found**2).mean()) < (3.0 if name in UNLIKE else 1.5) and found.max() < (
        13.0 if name in UNLIKE else 5.5
    )
    assert stands.channels["ankle_error"].max() < 0.01
    low = lowest(stands)
    assert abs(low.min()) < 1e-12
    if name in WALKS:
        assert low.max() < 0.06 and np.median(low) < 0.04
    film = stands.resample(rate=10)
    assert film.export(tmp_path / "page.html", rate=10).stat().st_size > 10_000


def test_a_tall_person_takes_longer_steps(shared):
    motion = some(shared / "bvh" / "cmu/16_11.bvh")
    small, tall = (ap.motion.retarget(motion, ap.human(h)) for h in (1.5, 2.0))
    ways = [np.linalg.norm(m.q[-1, :2] - m.q[0, :2]) for m in (small, tall)]
    assert abs(ways[1] / ways[0] - 2.0 / 1.5) < 0.01
    for person in (small, tall):
        assert np.sqrt((apart(motion, person) ** 2).mean()) < 2.0 and lowest(person).max() < 0.06


def test_hands_go_where_the_skeletons_do_if_so_asked(shared):
    motion = some(shared / "bvh" / "bvh-python/test_mocapbank.bvh", 12)
    k, person = link_poses(motion.figure, motion.q), ap.human(1.6).scale({"l_upper_arm": 1.1, "r_upper_arm": 1.1})
    off = {}
    for hands in (False, True):
        found = ap.motion.retarget(motion, person, hands=hands, ground=None)
        scale, there = found.metadata["retarget"]["scale"], link_poses(person, found.q)
        marks = [person.marker(f"{s}_wrist_centre") for s in "lr"]
        wrists = [scale * k.position[:, motion.figure.link_index(n)] for n in ("LeftWrist", "RightWrist")]
        at = [there.point(person.link_index(m.link), m.point) for m in marks]
        off[hands] = np.median(np.linalg.norm(np.array(at) - np.array(wrists), axis=-1))
    assert off[True] < 1e-6 < 0.01 < off[False]  # the median: some places are beyond these arms


@pytest.mark.parametrize("detail", ["thesis42", "thesis51", "full", "simple27"])
def test_every_detail_can_do_it(detail, shared):
    motion = some(shared / "bvh" / "cmu/16_11.bvh", 8)
    person = ap.motion.retarget(motion, ap.human(detail=detail))
    errors = np.rad2deg(person.channels["direction_error"])
    assert abs(lowest(person).min()) < 1e-12
    if detail == "simple27":  # legs of one piece point at the ankles, and are too long for a bent leg by 0.16 m
        assert np.median(person.channels["ankle_error"]) < 0.03 and person.channels["ankle_error"].max() < 0.2
    else:
        assert errors[:, [0, 1, 4, 5]].max() < 6.0


@pytest.mark.slow
def test_limits_are_kept_if_so_asked(shared):
    motion = some(shared / "bvh" / "bvh-python/test_mocapbank.bvh", 12)

    def past(person):
        figure = person.figure
        rows = [np.concatenate([j.coordinates(q[at]) for j, at in zip(figure.joints, figure.q_of, strict=True)])
                for q in person.q]  # fmt: skip
        return np.maximum(figure.limits[0] - rows, rows - figure.limits[1]).max()

    assert past(ap.motion.retarget(motion)) > 0.01 and past(ap.motion.retarget(motion, limits=True)) < 1e-9


def test_a_person_on_a_person_is_the_same():
    person = ap.human()
    pose = {"l_hip": [0.0, -0.6, 0.0], "l_knee": [0.9], "r_shoulder": [-0.4, -0.9, 0.0], "r_elbow": [1.0, 0.2],
            "lumbar": [0.0, 0.2, 0.0], "thoracic": [0.0, 0.2, 0.0], "l_ankle": [0.1, 0.0]}  # fmt: skip
    motion = Keyframes(
        person, {0.0: {n: [0.0] * len(x) for n, x in pose.items()}, 1.0: pose}, ap.standing(person)
    ).motion(np.linspace(0.0, 1.0, 5))
    same = ap.motion.retarget(motion, person)
    assert same.channels["direction_error"].max() < 1e-6 and same.channels["ankle_error"].max() < 1e-9
    parts = [k for k, dof in enumerate(person.dofs) if not dof.startswith(("root.p", "l_toe", "r_toe"))]
    assert np.abs(person.difference(motion.q, same.q)[:, parts]).max() < 1e-4


def test_names_of_bones():
    person = ap.human()
    assert roles(person)["l_thigh"] == "l_thigh" and roles(person)["thorax"] == "thorax"
    with pytest.raises(InputError, match=r"not a known part of a body.*Did you mean 'l_thigh'"):
        roles(person, {"l_thig": "x"})
    with pytest.raises(InputError, match="No link 'x'"):
        roles(person, {"l_thigh": "x"})
    with pytest.raises(InputError, match=r"no link recognised as thorax, l_thigh.*names="):
        roles(ap.sample("double_pendulum"))
    assert roles(person, {"l_hand": None, "head": "neck"}).items() >= {"head": "neck", "l_thigh": "l_thigh"}.items()
    with pytest.raises(InputError, match="is not a human"):
        walk = Keyframes(person, {0.0: ap.standing(person), 1.0: ap.standing(person)}).motion([0.0, 1.0])
        ap.motion.retarget(walk, ap.sample("bench42"))
    with pytest.raises(InputError, match=r"give \{part of the body: link\}"):
        ap.motion.retarget(walk, names=["l_thigh"])
    with pytest.raises(InputError, match=r"'walk\.bvh', not a motion"):
        ap.motion.retarget("walk.bvh")
    for rest in (np.zeros(3), np.full(person.nq, np.nan), ["upright"]):
        with pytest.raises(InputError, match="rest is not a configuration"):
            ap.motion.retarget(walk, rest=rest)
    with pytest.raises(InputError, match=r"rest='upright'. Choose 'auto', 'zero', a time"):
        ap.motion.retarget(walk, rest="upright")
    with pytest.raises(InputError, match="Choose from 'level'"):
        ap.motion.retarget(walk, ground="flat")
