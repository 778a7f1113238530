"""BVH: every file of the reference data and some odd ones are where the format says, and go out as they came in."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import FileError, FormatError, InputError
from anthropi.formats import limits
from anthropi.motion import Keyframes, Motion
from anthropi.motion.link_poses import link_poses
from formats.bvh_oracle import joints

NEAR = 1e-6  # [m]: the issue's
AXES = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # y up, z forward → z up, x forward
FILES = """cmu/07_01 cmu/08_01 cmu/09_01 cmu/13_11 cmu/16_11 cmu/16_33 bvh-python/test_freebvh
    bvh-python/test_mocapbank pymo/AV_8Walk_Meredith_HVHA_Rep1""".split()
FOLDED = ("bvh-python/test_mocapbank",)  # its angles jump over the fold of three angles, where two triples are one turn
UNITS = {"cmu": 0.0564, "bvh-python": 0.01, "pymo": 0.0254}

ODD = """HIERARCHY
ROOT hips
{
\tOFFSET 1.0 100 2
\tCHANNELS 5 Zrotation Xposition Yrotation Zposition Xrotation
\tJOINT spine
\t{
\t\tOFFSET 0 20 0
\t\tCHANNELS 1 Yrotation
\t\tJOINT slide
\t\t{
\t\t\tOFFSET 0 30 1
\t\t\tCHANNELS 4 Yposition Zrotation Xposition Xrotation
\t\t\tEnd Site
\t\t\t{
\t\t\t\tOFFSET 0 10 0
\t\t\t}
\t\t}
\t}
\tJOINT leg
\t{
\t\tOFFSET 0 -40 0
\t\tCHANNELS 0
\t\tJOINT foot
\t\t{
\t\t\tOFFSET 0 -40 0
\t\t\tCHANNELS 3 Yrotation Xrotation Zrotation
\t\t\tEnd Site
\t\t\t{
\t\t\t\tOFFSET 0 -5 15
\t\t\t}
\t\t}
\t}
}
MOTION
Frames:\t3
Frame Time:\t.05
10 1 20 2 30 40 1 50 2 60 70 -80 90
370 1.5 -20 2.5 31 41 1.5 51 2.5 61 75 -100 95
-10 2 -25 3 32 42 2 52 3 62 80 -120 99
"""


def world(motion):
    k = link_poses(motion.figure, motion.q)
    found = {link.name: k.position[:, i] for i, link in enumerate(motion.figure.links)}
    return found | {m.name: k.point(motion.figure.link_index(m.link), m.point) for m in motion.figure.markers}


def agrees(motion, text: str, replace: bool = False, axes=AXES) -> float:
    """How far the figure's joints and end sites are from the oracle's [m]."""
    wanted, values = joints(text, replace)
    found, scale = world(motion), motion.metadata["bvh"]["scale"]
    assert np.array_equal(motion.channels["bvh"], values)
    assert len(wanted) >= motion.figure.n
    return max(np.abs(found[name.replace(" end", "_end")] - scale * at @ axes.T).max() for name, at in wanted.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_joints_are_where_the_file_says_and_channels_come_back(name, shared, tmp_path):
    path = shared / "bvh" / f"{name}.bvh"
    motion = ap.load_motion(path)
    about = motion.metadata["bvh"]
    assert about["scale"] == UNITS[name.partition("/")[0]] and "guessed" in about["unit"]
    replaced = any(bone["replaced"] for bone in about["bones"])
    assert replaced == name.startswith("pymo")  # its root's offset is a place in the room, its positions are too
    assert agrees(motion, path.read_text(), replaced) < NEAR
    every = max(1, len(motion) // 5)
    for k in range(0, len(motion), every):  # the figure's own kinematics, and not only those of whole motions
        plain = kinematics(motion.figure, motion.q[k])
        assert np.abs(plain.position - link_poses(motion.figure, motion.q[k : k + 1]).position[0]).max() < 1e-12

    motion.save(tmp_path / "again.bvh")
    again = ap.load_motion(tmp_path / "again.bvh")
    assert np.abs(again.channels["bvh"] - motion.channels["bvh"]).max() < 1e-5
    assert np.abs(again.time - motion.time).max() < 1e-9 and again.figure.n == motion.figure.n

    alone = motion.changed(channels={})  # its coordinates alone: the same places, whichever angles say so
    alone.save(tmp_path / "alone.bvh")
    back = ap.load_motion(tmp_path / "alone.bvh")
    there = world(back)
    assert max(np.abs(there[n] - at).max() for n, at in world(motion).items()) < NEAR
    if name not in FOLDED:
        apart = np.abs(back.channels["bvh"] - motion.channels["bvh"])
        assert np.minimum(apart, np.abs(apart - 360.0)).max() < 1e-5  # the same angles, but for whole turns


def test_odd_channels_are_read_and_written(tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_text(ODD)
    motion = ap.load_motion(path, scale="cm", positions="add")
    assert agrees(motion, ODD) < 1e-12
    kinds = {j.name: j.kind for j in motion.figure.joints}
    assert kinds == {"hips": "free", "spine": "revolute", "slide": "composite", "leg": "weld", "foot": "euler"}
    motion.save(tmp_path / "again.bvh")
    again = ap.load_motion(tmp_path / "again.bvh", scale="cm", positions="add")
    assert np.abs(again.channels["bvh"] - motion.channels["bvh"]).max() < 1e-5
    motion.save(tmp_path / "m.npz")
    Motion.load(tmp_path / "m.npz").save(tmp_path / "from_npz.bvh")
    assert (tmp_path / "from_npz.bvh").read_bytes() == (tmp_path / "again.bvh").read_bytes()

    q = np.array(motion.q)
    q[:, 2] += 0.3  # up, for which the root has no channel: it gets all six
    motion.changed(q=q).save(tmp_path / "six.bvh")
    six = ap.load_motion(tmp_path / "six.bvh", scale="cm", positions="add")
    assert len(six.metadata["bvh"]["bones"][0]["channels"]) == 6
    shift = world(six)["foot"] - world(motion)["foot"]
    assert np.abs(shift - [0.0, 0.0, 0.3]).max() < 1e-8


def test_positions_hold_the_offset_or_come_on_top_of_it(tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_text(ODD)
    for how in ("add", "replace"):
        assert agrees(ap.load_motion(path, positions=how), ODD, how == "replace") < 1e-12
    absolute = ODD.replace(" 40 1 50", " 40 31 50").replace(" 41 1.5 51", " 41 30 51").replace(" 42 2 52", " 42 29 52")
    path.write_text(absolute)
    bones = ap.load_motion(path).metadata["bvh"]["bones"]
    assert [b["name"] for b in bones if b["replaced"]] == ["slide"]  # 29 to 31 is nearer to the offset, 30, than to 0


@pytest.mark.parametrize(("up", "forward"), [("y", "z"), ("y", "x"), ("z", "x"), ("z", "-y"), ("-y", "z"), ("x", "-z")])
def test_any_axes_may_be_up_and_forward(up, forward, tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_text(ODD)
    motion = ap.load_motion(path, up=up, forward=forward, scale=1.0, positions="add")
    unit = {a: s * np.eye(3)["xyz".index(a[-1])] for a, s in ((up, -1.0 if "-" in up else 1.0),
            (forward, -1.0 if "-" in forward else 1.0))}  # fmt: skip
    axes = np.array([unit[forward], np.cross(unit[up], unit[forward]), unit[up]])
    assert agrees(motion, ODD, axes=axes) < 1e-10
    motion.save(tmp_path / "again.bvh")
    again = ap.load_motion(tmp_path / "again.bvh", up=up, forward=forward, scale=1.0, positions="add")
    assert np.abs(again.channels["bvh"] - motion.channels["bvh"]).max() < 1e-5


def test_angles_that_jump_by_a_turn_do_not_make_speed(tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_text(ODD)
    motion = ap.load_motion(path)
    foot = motion.figure.dof_indices("foot")
    assert np.abs(motion.u[:, foot]).max() < np.deg2rad(30.0) / 0.05
    jumping = ODD.replace("-100 95", "-100 -265").replace("41 1.5", "401 1.5")
    path.write_text(jumping)
    smooth = ap.load_motion(path)
    assert np.abs(smooth.q - motion.q).max() < 1e-12
    smooth.save(path)
    assert np.abs(ap.load_motion(path).channels["bvh"] - smooth.channels["bvh"]).max() < 1e-5


def test_blanks_ends_of_lines_marks_and_doubled_names_are_no_matter(tmp_path):
    path = tmp_path / "x.bvh"
    path.write_text(ODD)
    first = ap.load_motion(path)
    other = ODD.replace("\n", "\r\n\r\n").replace("JOINT foot", "joint mixamorig:foot {").replace("\t", "   ")
    lines = other.split("\r\n")
    at = next(k for k, line in enumerate(lines) if "mixamorig:foot" in line)
    lines[at + 2] = ""  # its brace stands on the line above
    other = "\r\n".join(lines).replace("JOINT slide", "JOINT spine").replace("JOINT leg", "JOINT left leg")
    path.write_bytes(b"\xef\xbb\xbf" + other.encode())
    second = ap.load_motion(path)
    assert [x.name for x in second.figure.links] == ["hips", "spine", "spine_2", "left leg", "mixamorig:foot"]
    assert np.array_equal(second.q, first.q)
    second.save(path)
    assert path.read_text().count("JOINT spine\n") == 2  # names go out as they came in


def test_any_figure_goes_out_and_comes_back(tmp_path):
    person = ap.human()
    pose = {"l_shoulder": [0.5, -1.2, 0.3], "r_hip": [0.0, -0.9, 0.2], "r_knee": 1.1, "lumbar": [0.1, 0.2, 0.3]}
    keys = {0.0: dict.fromkeys(pose, 0.0) | {n: [0.0] * 3 for n in pose if n != "r_knee"}, 1.0: pose}
    motion = Keyframes(person, keys, ap.standing(person)).motion(np.linspace(0.0, 1.0, 6))
    motion.save(tmp_path / "person.bvh")
    back = ap.load_motion(tmp_path / "person.bvh")
    assert back.metadata["bvh"]["scale"] == 0.01
    here, there = link_poses(person, motion.q), world(back)
    for i, link in enumerate(person.links):
        assert np.abs(there[link.name] - here.position[:, i]).max() < NEAR
    tip = here.point(person.link_index("l_toes"), person.marker("l_toe_tip").point)
    assert np.abs(there["l_toes_end"] - tip).max() < NEAR

    for name in ("double_pendulum", "roach"):
        figure = ap.sample(name)
        q = np.stack([figure.random(k) for k in range(4)])
        Motion(figure, [0.0, 0.1, 0.2, 0.3], q).save(tmp_path / "other.bvh", scale=1.0, up="z", forward="x")
        other = ap.load_motion(tmp_path / "other.bvh", scale=1.0, up="z", forward="x")
        k, found = link_poses(figure, q), world(other)
        assert max(np.abs(found[x.name] - k.position[:, i]).max() for i, x in enumerate(figure.links)) < NEAR


def test_what_cannot_be_written_is_refused(tmp_path):
    figure = ap.sample("pendulum")
    uneven = Motion(figure, [0.0, 0.1, 0.3], np.zeros((3, 1)))
    for motion, words in ((uneven, "resample"), (Motion(figure, [0.0], np.zeros((2, 1, 1))), "rollout"),
                          (Motion(figure, [0.0], [[np.nan]]), "not finite")):  # fmt: skip
        with pytest.raises(FormatError, match=words):
            motion.save(tmp_path / "x.bvh")
    with pytest.raises(InputError, match=r"no option 'scal'.*Did you mean 'scale'"):
        uneven.save(tmp_path / "x.bvh", scal=1.0)
    with pytest.raises(FormatError, match="evenly spaced in time"):
        uneven.save(tmp_path / "x.trc")
    assert not list(tmp_path.iterdir())


def test_options_are_checked(tmp_path):
    path = tmp_path / "odd.bvh"
    path.write_text(ODD)
    for options, words in (({"scale": "furlong"}, "inch"), ({"scale": -1.0}, "unit in metres"),
                           ({"up": "w"}, "Choose x"), ({"up": "z", "forward": "-z"}, "same axis"),
                           ({"positions": "both"}, "'add'")):  # fmt: skip
        with pytest.raises(FormatError, match=words):
            ap.load_motion(path, **options)
    with pytest.raises(InputError, match="no option"):
        ap.load_motion(path, figure=None)
    assert ap.load_motion(path, scale="inch").metadata["bvh"]["scale"] == 0.0254


ROW = ODD.splitlines()[-1]
BROKEN = {  # what is done to the file: words of the error, with the line
    "first word": (("HIERARCHY", "HIERARCHIE"), "line 1: a BVH file must begin with HIERARCHY"),
    "no root": (("ROOT hips", "JOINT hips"), "line 2: a JOINT is outside the ROOT"),
    "no name": (("JOINT foot", "JOINT"), "line 24: JOINT has no name"),
    "a brace too few": (("15\n\t\t\t}\n", "15\n"), "line 34: joint 'hips' .line 2. has no '}' before MOTION"),
    "a brace too many": (("MOTION", "}\nMOTION"), "line 35: '}' without a '{'"),
    "a brace that opens nothing": (("OFFSET 0 20", "{ OFFSET 0 20"), "line 8: '{' does not follow"),
    "an unknown word": (("CHANNELS 1", "CHANELS 1"), "line 9: 'CHANELS' is not a keyword.*Did you mean 'CHANNELS'"),
    "a wrong channel": (("1 Yrotation", "1 Wrotation"), "line 9: joint 'spine' has an unknown channel 'Wrotation'"),
    "a channel twice": (("Yrotation Xrotation Z", "Yrotation Yrotation Z"), "line 27: .*names a channel twice"),
    "a wrong count of channels": (("CHANNELS 1 Y", "CHANNELS 2 Y"), "line 9: CHANNELS of joint 'spine'"),
    "a short offset": (("OFFSET 0 20 0", "OFFSET 0 20"), "line 8: OFFSET must .*have three numbers"),
    "no offset": (("\t\tOFFSET 0 20 0\n", ""), "line 18: joint 'spine' .*ends without an OFFSET"),
    "an offset that is no number": (("0 20 0", "0 nan 0"), "line 8: an OFFSET is 'nan'"),
    "decimal commas": (("0 20 0", "0 20,5 0"), "line 8: an OFFSET is '20,5'.*not a comma"),
    "two roots": (("MOTION", "ROOT a\n{\nOFFSET 0 0 0\n}\nMOTION"), "2 skeletons, with the roots hips, a; none"),
    "no motion": (("MOTION", ""), "'Frames:' is not a keyword of a skeleton"),
    "no frames": (("Frames:\t3", "Frames:\t0"), "line 36: Frames: 0; expected a count"),
    "frames in words": (("Frames:\t3", "Frames:\tthree"), "line 36: Frames: three"),
    "more frames than lines": (("Frames:\t3", "Frames:\t4"), "Frames: 4 but has 3 lines.*cut off"),
    "fewer frames than lines": (("Frames:\t3", "Frames:\t2"), "line 40: the file gives Frames: 2 but has 3"),
    "no time": (("Time:\t.05", "Time:\t0"), "line 37: the Frame Time is 0 s"),
    "an absurd time": (("Time:\t.05", "Time:\t1e6"), "line 37: the Frame Time is 1e6 s"),
    "a row cut short": ((ROW, ROW[:-3]), "line 40: 12 numbers; the skeleton has 13"),
    "not a number": ((ROW, ROW.replace("-120", "nan")), "line 40: number 12 is 'nan'"),
    "infinite": ((ROW, ROW.replace("-120", "1e999")), "line 40: number 12 is '1e999'"),
    "with underscores": ((ROW, ROW.replace("-120", "1_20")), "line 40: number 12 is '1_20'"),
    "a remark": ((ROW, f"# last\n{ROW}"), "line 40: '# last' is not a frame; expected 13 numbers"),
    "empty": ((ODD, "\n"), "is empty. A BVH file must begin with HIERARCHY"),
    "cut off": ((ODD[400:], ""), "line 27: CHANNELS of joint 'foot' must have a count .*; got '3 Yrotation Xrot'"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_broken_files_are_refused_by_line(what, tmp_path):
    (old, new), words = BROKEN[what]
    assert old in ODD
    path = tmp_path / "broken.bvh"
    path.write_text(ODD.replace(old, new, 1))
    with pytest.raises(FormatError, match=words) as caught:
        ap.load_motion(path)
    assert str(caught.value).startswith("broken.bvh")


def test_wide_letters_are_refused(tmp_path):
    (tmp_path / "wide.bvh").write_bytes(ODD.encode("utf-16"))
    with pytest.raises(FormatError, match=r"is UTF-16 text\. Save it as UTF-8"):
        ap.load_motion(tmp_path / "wide.bvh")


def test_sizes_are_bounded(tmp_path):
    path = tmp_path / "deep.bvh"
    deep = "JOINT a {\nOFFSET 0 0 0\n" * 250
    path.write_text(f"HIERARCHY\nROOT r {{\nOFFSET 0 0 0\n{deep}{'}' * 251}\nMOTION\nFrames: 1\nFrame Time: 0.1\n")
    with pytest.raises(FormatError, match="nested more than 200 levels deep"):
        ap.load_motion(path)
    wide = "JOINT a { OFFSET 0 0 0 }\n" * 2100
    path.write_text(f"HIERARCHY\nROOT r {{\nOFFSET 0 0 0\n{wide}}}\nMOTION\nFrames: 1\nFrame Time: 0.1\n")
    with pytest.raises(FormatError, match="more than 2000 joints"):
        ap.load_motion(path)
    with limits.changed(bvh_bytes=100), pytest.raises(FileError, match="larger than 100 bytes"):
        ap.load_motion(path)


def test_one_joint_without_channels_is_a_motion_too(tmp_path):
    path = tmp_path / "still.bvh"
    path.write_text("HIERARCHY\nROOT r\n{\nOFFSET 1 2 3\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n")
    motion = ap.load_motion(path, scale=1.0)
    assert np.allclose(motion.q, [3, 1, 2, 1, 0, 0, 0])
    motion.save(tmp_path / "again.bvh")
    assert np.allclose(ap.load_motion(tmp_path / "again.bvh", scale=1.0).q, motion.q)
