"""Captured walks as many programs write them become the same person, or are refused with the reason.

The places of the joints come from a calculation apart from the package (bvh_oracle.py, bvh_variants.py); the person is
compared with them in limbs, trunk and hips.
"""

import re
import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatError, InputError
from anthropi.motion.link_poses import link_poses
from anthropi.motion.retargeting import from_keypoints
from formats.bvh_oracle import joints
from formats.bvh_variants import Y_UP_TO_Z_UP, Capture

CMU = {"hip": "UpLeg", "knee": "Leg", "ankle": "Foot", "shoulder": "Arm", "elbow": "ForeArm", "wrist": "Hand"}
BIOVISION = {"hip": "Hip", "knee": "Knee", "ankle": "Ankle", "shoulder": "Shoulder", "elbow": "Elbow", "wrist": "Wrist"}
SIDES = {"l": "Left", "r": "Right"}
FILES = ("cmu/02_01", "cmu/05_01", "cmu/07_01", "cmu/08_01", "cmu/09_01", "cmu/12_01", "cmu/13_11", "cmu/16_11",
         "cmu/16_33", "cmu/38_01", "cmu/39_01", "cmu/69_01", "bvh-python/test_freebvh", "bvh-python/test_mocapbank",
         "pymo/AV_8Walk_Meredith_HVHA_Rep1")  # fmt: skip
LIMIT = 3.0  # [deg] RMS of each direction


def directions(at):
    """Unit vectors (frames, 10, 3) of the bones of limbs, of the trunk and of the line of the hips."""
    ways = [at[f"{s}_{b}"] - at[f"{s}_{a}"] for s in "lr"
            for a, b in (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist"))]  # fmt: skip
    middle = {j: 0.5 * (at[f"l_{j}"] + at[f"r_{j}"]) for j in ("hip", "shoulder")}
    ways += [middle["shoulder"] - middle["hip"], at["l_hip"] - at["r_hip"]]
    ways = np.stack(ways, 1)
    return ways / np.linalg.norm(ways, axis=-1, keepdims=True)


def errors(person, places):
    """RMS (10,) of the angles [deg] between a person and the places of joints, after the best turn about z.

    A motion may face another way than the data do: that is not an error.
    """
    k = link_poses(person.figure, person.q)
    marks = {name: person.figure.marker(f"{name}_centre") for name in places}
    ours = directions({name: k.point(person.figure.link_index(m.link), m.point) for name, m in marks.items()})
    theirs = directions(places)
    a, b = (x[..., 0] + 1j * x[..., 1] for x in (ours, theirs))
    turn = np.exp(1j * np.angle((a * b.conj()).sum()))
    b = b * turn
    theirs = np.stack([b.real, b.imag, theirs[..., 2]], -1)
    angle = np.arctan2(np.linalg.norm(np.cross(ours, theirs), axis=-1), (ours * theirs).sum(-1))
    return np.rad2deg(np.sqrt((angle**2).mean(0)))


def retargeted(path, figure=None, reading=(), **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning of the check on the whole body
        motion = ap.load_motion(path, **dict(reading))
        return motion, ap.motion.retarget(motion, figure, **options)


@pytest.mark.parametrize("name", FILES)
def test_people_of_real_files_are_as_captured(name, shared, tmp_path):
    text = (shared / "bvh" / f"{name}.bvh").read_text()
    head, tail = text.split("MOTION")
    rows = tail.strip().splitlines()
    rows = rows[2:][1 :: max(1, len(rows) // 25)]  # without the T of CMU's files
    text = "\n".join([head.replace("mixamorig:", ""), "MOTION", f"Frames: {len(rows)}", "Frame Time: 0.1", *rows])
    (tmp_path / "some.bvh").write_text(text)
    places, _ = joints(text)
    words = BIOVISION if "mocapbank" in name else CMU
    at = {f"{s}_{j}": places[SIDES[s] + word] @ Y_UP_TO_Z_UP.T for s in "lr" for j, word in words.items()}
    motion = ap.load_motion(tmp_path / "some.bvh")
    assert (motion.metadata["bvh"]["up"], motion.metadata["bvh"]["forward"]) == ("y", "z")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one skeleton has arms of unequal lengths, and says so
        found = errors(ap.motion.retarget(motion), at)
    assert found.max() < LIMIT, found.round(1)


def rotation(axis, degrees):
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(np.deg2rad(degrees) * np.array(axis, float)).as_matrix()


def limbs(capture, words, turn):
    """K for each bone: `turn` for the bones whose names contain one of the words, else nothing."""
    return [turn(n) if any(w in n for w in words) else np.eye(3) for n in capture.names]


def arms(degrees):
    """K that lowers both arms from the T of the file by an angle in the zero pose."""

    def turn(name):
        return rotation([0, 0, 1], degrees if name.startswith("Left") or name.startswith("LT") else -degrees)

    return lambda c: c.framed(limbs(c, ("Arm", "Hand", "Finger", "Thumb"), turn))


def along_y(c):
    """Every bone along its own y axis, as in some animation programs: no body at all in the zero pose."""
    K = []
    for k in range(len(c.names)):
        tips = [c.offset[j] for j, up in enumerate(c.parent) if up == k] + c.ends[k]
        tip = max(tips, key=np.linalg.norm)
        y = tip / max(np.linalg.norm(tip), 1e-12) if np.linalg.norm(tip) > 1e-9 else np.array([0.0, 1.0, 0.0])
        x = np.cross(y, [0.0, 0.0, 1.0]) if abs(y[2]) < 0.9 else np.cross(y, [1.0, 0.0, 0.0])
        x /= np.linalg.norm(x)
        K.append(np.stack([x, y, np.cross(x, y)], 1))
    return c.framed(K)


def random_frames(c):
    from scipy.spatial.transform import Rotation

    return c.framed(list(Rotation.random(len(c.names), random_state=1).as_matrix()))


def sitting(c):
    return c.framed(limbs(c, ("LeftLeg", "LeftUpLeg", "LeftFoot", "LeftToe", "RightLeg", "RightUpLeg", "RightFoot",
                              "RightToe"), lambda n: rotation([1, 0, 0], 85 if "UpLeg" in n else 0)))  # fmt: skip


def pointed_toes(c):
    return c.framed(limbs(c, ("Foot", "Toe"), lambda n: rotation([1, 0, 0], -50)))


def same(c):
    return c


BIPED = {"Hips": "Bip01", "LHipJoint": "Bip01 Pelvis", "LeftUpLeg": "Bip01 L Thigh", "LeftLeg": "Bip01 L Calf",
         "LeftFoot": "Bip01 L Foot", "LeftToeBase": "Bip01 L Toe0", "LeftShoulder": "Bip01 L Clavicle",
         "LeftArm": "Bip01 L UpperArm", "LeftForeArm": "Bip01 L Forearm", "LeftHand": "Bip01 L Hand"}  # fmt: skip
SMPL = {"Hips": "Pelvis", "LeftUpLeg": "L_Hip", "LeftLeg": "L_Knee", "LeftFoot": "L_Ankle", "LeftToeBase": "L_Foot",
        "LeftShoulder": "L_Collar", "LeftArm": "L_Shoulder", "LeftForeArm": "L_Elbow", "LeftHand": "L_Wrist",
        "LeftFingerBase": "L_Hand"}  # fmt: skip
DAZ = {"Hips": "hip", "LeftUpLeg": "lThighBend", "LeftLeg": "lShin", "LeftFoot": "lFoot", "LeftToeBase": "lToe",
       "LeftShoulder": "lCollar", "LeftArm": "lShldrBend", "LeftForeArm": "lForearmBend",
       "LeftHand": "lHand"}  # fmt: skip
MAKEHUMAN = {"Hips": "root", "LHipJoint": "pelvis.L", "LeftUpLeg": "upperleg01.L", "LeftLeg": "lowerleg01.L",
             "LeftFoot": "foot.L", "LeftToeBase": "toe1-1.L", "LeftShoulder": "clavicle.L", "LeftArm": "upperarm01.L",
             "LeftForeArm": "lowerarm01.L", "LeftHand": "wrist.L"}  # fmt: skip
ROKOKO = {"LeftUpLeg": "LeftThigh", "LeftLeg": "LeftShin", "LeftToeBase": "LeftToe"}
XSENS = {"Hips": "Pelvis", "LeftUpLeg": "LeftUpperLeg", "LeftLeg": "LeftLowerLeg", "LeftToeBase": "LeftToe",
         "LeftArm": "LeftUpperArm"}  # fmt: skip


def names_of(table):
    right = {a.replace("Left", "Right").replace("LHip", "RHip"):
             b.replace("Left", "Right").replace(" L ", " R ").replace("L_", "R_").replace(".L", ".R")
             if b[0] != "l" or "." in b else "r" + b[1:] for a, b in table.items() if "Hips" not in a}  # fmt: skip
    known = table | right
    return lambda c: c.renamed(lambda k, name: known.get(name, name))


Z_UP, CAMERA = Y_UP_TO_Z_UP, np.diag([1.0, -1.0, -1.0])
LYING = rotation([1, 0, 0], -90)
VARIANTS = {  # name: (change, axes T, unit s, options of the text, (up, forward) that must be found)
    "z up": (same, Z_UP, 1.0, {}, ("z", "x")),
    "z up, facing -y": (same, rotation([0, 0, 1], -90) @ Z_UP, 1.0, {}, ("z", "-y")),
    "y down, as cameras": (same, CAMERA, 1.0, {}, ("-y", "-z")),
    "decimetres": (same, np.eye(3), 0.564, {}, None),
    "millimetres, z up": (same, Z_UP, 56.4, {"order": "XYZ"}, ("z", "x")),
    "lying zero pose": (lambda c: c.framed([LYING] * len(c.names)), np.eye(3), 1.0, {}, None),
    "lying zero pose, z up": (lambda c: c.framed([LYING] * len(c.names)), Z_UP, 1.0, {}, ("z", None)),
    "rotation in a child of the hips": (lambda c: c.below("Hips", "body"), np.eye(3), 1.0, {}, None),
    "six channels": (same, np.eye(3), 1.0, {"six": True}, None),
    "six channels, no offsets": (same, np.eye(3), 1.0, {"six": True, "zero_offsets": True}, None),
    "two roots": (same, np.eye(3), 1.0, {"prop": "Sword"}, None),
    "A pose": (arms(-45), np.eye(3), 1.0, {}, None),
    "I pose": (arms(-85), np.eye(3), 1.0, {}, None),
    "sitting zero pose": (sitting, np.eye(3), 1.0, {}, None),
    "pointed toes at zero": (pointed_toes, np.eye(3), 1.0, {}, None),
    "zero pose of a stride": (lambda c: c.posed(8), np.eye(3), 1.0, {}, None),
    "bones along y": (along_y, np.eye(3), 1.0, {"order": "XYZ"}, None),
    "random frames": (random_frames, Z_UP, 1.0, {}, ("z", None)),
    "renamed": (lambda c: c.renamed(lambda k, name: f"node{k}"), np.eye(3), 1.0, {}, None),
    "renamed, z up, lying": (lambda c: c.framed([LYING] * len(c.names)).renamed(lambda k, n: f"b{k}x"), Z_UP, 5.64, {},
                             ("z", None)),
    "3ds Max": (names_of(BIPED), rotation([0, 0, 1], -90) @ Z_UP, 2.2, {}, ("z", "-y")),
    "SMPL": (names_of(SMPL), np.eye(3), 0.0564, {}, None),
    "DAZ": (names_of(DAZ), np.eye(3), 5.64, {}, None),
    "MakeHuman": (names_of(MAKEHUMAN), np.eye(3), 0.564, {}, None),
    "Rokoko": (names_of(ROKOKO), np.eye(3), 5.64, {}, None),
    "Xsens": (names_of(XSENS), np.eye(3), 5.64, {}, None),
}  # fmt: skip


@pytest.fixture(scope="module")
def walk(shared):
    return (shared / "bvh" / "cmu/16_11.bvh").read_text()


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_of_a_walk_are_the_same_person(name, walk, tmp_path):
    change, T, s, options, axes = VARIANTS[name]
    original = Capture(walk)
    at, _ = original.world()
    places = {f"{side}_{j}": at[:, original.at(SIDES[side] + word)] @ Y_UP_TO_Z_UP.T for side in "lr"
              for j, word in CMU.items()}  # fmt: skip
    variant = change(Capture(walk)).turned(T).scaled(s)
    again = variant.world()[0][:, 0] @ variant.T / variant.unit
    assert np.abs(again - at[:, 0]).max() < 1e-9  # the generator keeps the movement
    (tmp_path / "variant.bvh").write_text(variant.text(**options))
    motion, person = retargeted(tmp_path / "variant.bvh")
    found = errors(person, places)
    assert found.max() < LIMIT, found.round(1)
    about = motion.metadata["bvh"]
    assert axes is None or all(a in (b, None) for a, b in zip(axes, (about["up"], about["forward"]), strict=True))
    assert abs(person.figure.marker("vertex").point[2]) > 0.0
    leg = np.linalg.norm(places["l_hip"] - places["l_knee"], axis=-1).mean() * 0.0564
    assert abs(motion.metadata["bvh"]["scale"] * s / 0.0564 - 1.0) < 0.25 and leg > 0.3  # the unit, to 25 %


def test_a_rotation_in_each_child_of_the_hips(walk, tmp_path):
    original, variant = Capture(walk), Capture(walk)
    at, _ = original.world()
    places = {f"{side}_{j}": at[:, original.at(SIDES[side] + word)] @ Y_UP_TO_Z_UP.T for side in "lr"
              for j, word in CMU.items()}  # fmt: skip
    moved = variant.given_to_children("Hips")
    (tmp_path / "variant.bvh").write_text(variant.text(moved=moved))
    assert errors(retargeted(tmp_path / "variant.bvh")[1], places).max() < LIMIT


def test_exchanged_sides_and_unknown_bodies_are_refused(walk, tmp_path):
    path = tmp_path / "variant.bvh"
    swap = {"Left": "Right", "Right": "Left"}
    exchanged = Capture(walk).renamed(lambda k, n: next((swap[w] + n[len(w) :] for w in swap if n.startswith(w)), n))
    path.write_text(exchanged.text())
    with pytest.raises(
        InputError, match=r"Left and right of 'variant' are exchanged, or the file is mirrored: the toes"
    ):
        ap.motion.retarget(ap.load_motion(path))
    path.write_text(Capture(walk).text(prop="Sword").replace("ROOT Hips", "ROOT Hips").replace("Sword", "Hips"))
    assert (
        ap.load_motion(path).metadata["bvh"]["skeletons"] == "only the skeleton of Hips is read; Hips_2 is not a body"
    )
    assert ap.load_motion(path, root="Hips_2").figure.n == 1
    with pytest.raises(FormatError, match=r"no ROOT 'hips'.*Did you mean 'Hips'"):
        ap.load_motion(path, root="hips")


def test_evidence_that_contradicts_itself_is_refused(walk, tmp_path):
    """The body stands along y in half of the frames, and lies along z in the others."""
    lies = Capture(walk, 40)
    half = len(lies.place) // 2
    lies.local[0][half:] = rotation([1, 0, 0], 90) @ lies.local[0][half:]
    path = tmp_path / "lies.bvh"
    path.write_text(lies.text())
    motion = ap.load_motion(path)
    with pytest.raises(InputError, match=r"vertical axis of 'lies.bvh' (contradicts itself|is missing).*--up y"):
        ap.motion.retarget(motion)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(ap.motion.retarget(ap.load_motion(path, up="y"))) == len(lies.place)


def test_what_was_found_can_be_replaced(walk, tmp_path):
    """A rest pose by its time, parts by name, the axes; wrong ones are seen by the check on the whole body."""
    path = tmp_path / "walk.bvh"
    path.write_text(Capture(walk).turned(Z_UP).renamed(lambda k, n: f"node{k}").text())
    motion = ap.load_motion(path, scale="cmu")
    person = ap.motion.retarget(motion, rest=float(motion.time[3]))
    assert "rest pose: at 0.24 s (given)" in person.metadata["retarget"]["notes"]
    with pytest.raises(InputError, match="rest=99 s is not in the motion"):
        ap.motion.retarget(motion, rest=99.0)
    with pytest.raises(InputError, match=r"as of a person of 0\.3\d* m\. Give scale="):
        ap.motion.retarget(ap.load_motion(path, scale="cm"))
    wrong = ap.load_motion(path, up="y", scale="cmu")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        ap.motion.retarget(wrong)
    assert any(re.search(r"trunk: leans by \d+\.\d° from the vertical", str(w.message)) for w in seen)
    assert ap.motion.retarget(wrong, up="auto").metadata["retarget"]["notes"][1].startswith("vertical axis: x")


MEDIAPIPE = {"shoulder": 11, "elbow": 13, "wrist": 15, "hip": 23, "knee": 25, "ankle": 27, "toe": 31}
COCO = {"shoulder": 5, "elbow": 7, "wrist": 9, "hip": 11, "knee": 13, "ankle": 15}


@pytest.mark.parametrize(("layout", "count", "numbers"), [("mediapipe", 33, MEDIAPIPE), ("coco", 17, COCO)])
def test_keypoints_of_pose_estimators(layout, count, numbers, walk):
    """The places alone, seen by a camera whose y axis points down; some keypoints are missing for a moment."""
    capture = Capture(walk)
    at, _ = capture.world()
    places = {f"{s}_{j}": at[:, capture.at(SIDES[s] + word)] @ Y_UP_TO_Z_UP.T for s in "lr" for j, word in CMU.items()}
    points = np.full((len(at), count, 3), np.nan)
    for j, k in numbers.items():
        for s, side in (("l", 0), ("r", 1)):
            points[:, k + side] = 0.0564 * at[:, capture.at(SIDES[s] + (CMU | {"toe": "ToeBase"})[j])] @ CAMERA.T
    points[5:8, numbers["knee"]] = np.nan
    time = 0.08 * np.arange(len(at))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        person = from_keypoints(time, points, layout)
    assert person.metadata["retarget"]["notes"][0].startswith("vertical axis: -y")
    found = errors(person[8:], {name: x[8:] for name, x in places.items()})
    assert found.max() < LIMIT, found.round(1)
    points[:, numbers["hip"]] = np.nan
    with pytest.raises(InputError, match=r"'l_hip' is missing for more than 0\.5 s"):
        from_keypoints(time, points, layout)
    with pytest.raises(InputError, match=r"layout='mediapip'.*Did you mean 'mediapipe'"):
        from_keypoints(time, points, "mediapip")
    with pytest.raises(InputError, match=r"person of .* m\. Give scale="):
        from_keypoints(time, {name: 3.0 * x for name, x in places.items()})
