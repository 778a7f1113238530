"""Tables of captured motion: coordinates come back as they went out, markers are followed by inverse kinematics."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatError, InputError
from anthropi.figure import Marker
from anthropi.motion import Keyframes, Motion, from_markers
from anthropi.motion.link_poses import link_poses

TIMES = np.linspace(0.0, 1.0, 11)


def arm():
    """Three links on balls and hinges with a marker or two each: a small figure, and so a small kernel."""
    chain = ap.sample("chain", links=3, joint="revolute")
    spots = [(0.1, 0.05, 0.0), (-0.05, 0.0, -0.3), (0.0, 0.1, -0.6)]
    marks = [Marker(f"m{i}{k}", link.name, spot) for i, link in enumerate(chain.links) for k, spot in enumerate(spots)]
    return chain.changed(markers=tuple(marks))


FIGURE = arm()
ANGLES = """# an arm that swings
time,joint_0,joint_1 [deg],joint_2
0.0,0.1,10,0.3
0.1,0.2,20,0.2
0.2,0.3,30,0.1
"""
WAY = np.stack([0.8 * np.sin(TIMES), 0.5 * TIMES, 0.3 - 0.2 * TIMES], axis=1)


def seen(figure=FIGURE, q=WAY):
    k = link_poses(figure, q)
    return {m.name: k.point(figure.link_index(m.link), m.point) for m in figure.markers}


def trc(markers, unit: float = 1000.0) -> str:
    """A .trc file of these markers, y up, x forward."""
    names = list(markers)
    lines = ["PathFileType\t4\t(X/Y/Z)\tx.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
             f"10\t10\t{len(TIMES)}\t{len(names)}\tmm", "Frame#\tTime\t" + "\t\t\t".join(names),
             "\t\t" + "\t".join(f"{a}{n + 1}" for n in range(len(names)) for a in "XYZ"), ""]  # fmt: skip
    for k, t in enumerate(TIMES):
        cells = []
        for name in names:
            x, y, z = markers[name][k] * unit
            cells += ["", "", ""] if np.isnan(x) else [f"{v:.7f}" for v in (x, z, -y)]
        lines.append("\t".join([str(k + 1), f"{t:g}", *cells]))
    return "\n".join([*lines, ""])


TRC = trc(seen())


def test_coordinates_are_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(ANGLES)
    motion = ap.load_motion(path, figure=FIGURE)
    assert np.allclose(motion.q, [[0.1, np.pi / 18, 0.3], [0.2, np.pi / 9, 0.2], [0.3, np.pi / 6, 0.1]], atol=1e-15)
    assert np.allclose(ap.load_motion(path, figure=FIGURE, degrees=True).q[:, 0], np.deg2rad([0.1, 0.2, 0.3]))
    path.write_text(ANGLES.replace(",", ";").replace("joint_0", "frame").replace("\n", "\r\n"))
    left = ap.load_motion(path, figure=FIGURE, q0=[0.7, 0.0, 0.0])
    assert np.array_equal(left.q[:, 0], [0.7] * 3) and np.array_equal(left.q[:, 1:], motion.q[:, 1:])


def test_a_person_goes_out_and_comes_back(tmp_path):
    person = ap.human()
    keys = {0.0: ap.standing(person), 1.0: person.random(1)}
    motion = Keyframes(person, keys).motion(TIMES)
    for degrees in (True, False):
        motion.save(tmp_path / "p.csv", degrees=degrees)
        back = ap.load_motion(tmp_path / "p.csv", figure=person)
        assert np.abs(person.difference(motion.q, back.q)).max() < 1e-12
    assert (tmp_path / "p.csv").read_text().startswith("time [s],root.px [m],root.py [m],root.pz [m],root.rx [rad]")


def test_markers_are_followed(tmp_path):
    path = tmp_path / "m.trc"
    path.write_text(TRC)
    motion = ap.load_motion(path, figure=FIGURE, q0=WAY[0])
    assert np.abs(motion.q - WAY).max() < 1e-5
    assert motion.channels["marker_error"].shape == (11, 9) and motion.channels["marker_error"].max() < 1e-6
    assert motion.metadata["markers"]["scale"] == 1.0

    rows = {f"{name}_{a}": x[:, n] for name, x in seen().items() for n, a in enumerate("xyz")}
    table = [",".join(["time", *rows]), *(",".join(map(repr, map(float, r))) for r in zip(TIMES, *rows.values()))]  # noqa: B905
    (tmp_path / "m.csv").write_text("\n".join(table))
    again = ap.load_motion(tmp_path / "m.csv", figure=FIGURE, q0=WAY[0])
    assert np.abs(again.q - WAY).max() < 1e-5


def test_units_in_brackets_count_for_markers_too(tmp_path):
    """Cells in quotes, y in centimetres, the rest in millimetres; told units count before those of the file."""
    places = {name: x * [1000.0, 100.0, 1000.0] for name, x in seen().items()}
    head = ["time", *(f"{name}.{axis} [{'cm' if axis == 'y' else 'mm'}]" for name in places for axis in "xyz")]
    rows = [[t, *np.concatenate([x[k] for x in places.values()])] for k, t in enumerate(TIMES)]
    text = "\n".join([",".join(head), *(",".join(f'"{x!r}"' for x in map(float, row)) for row in rows), ""])
    (tmp_path / "way.csv").write_text(text)
    found = ap.load_motion(tmp_path / "way.csv", figure=FIGURE)
    assert np.abs(found.q - WAY).max() < 1e-4
    (tmp_path / "way.csv").write_text(text.replace("[cm]", "[mm]"))
    assert ap.load_motion(tmp_path / "way.csv", figure=FIGURE).channels["marker_error"].max() > 0.01


def test_markers_that_were_lost_count_for_nothing_or_are_filled(tmp_path):
    markers = seen()
    for name in ("m20", "m21", "m22"):
        markers[name][4:7] = np.nan
    path = tmp_path / "m.trc"
    path.write_text(trc(markers))
    motion = ap.load_motion(path, figure=FIGURE, q0=WAY[0])
    lost = np.isnan(motion.channels["marker_error"])
    assert lost.sum() == 9 and lost[4:7, 6:].all()
    assert np.abs(motion.q[:, :2] - WAY[:, :2]).max() < 1e-5
    assert np.abs(motion.q[4:7, 2] - WAY[4:7, 2]).max() > 1e-3  # nothing says where the last link is: it stays
    filled = ap.load_motion(path, figure=FIGURE, q0=WAY[0], gap=0.5)
    assert not np.isnan(filled.channels["marker_error"]).any()
    assert np.abs(filled.q[4:7, 2] - WAY[4:7, 2]).max() < 0.02  # straight lines in place of arcs
    with pytest.raises(InputError, match=r"only 2 markers are seen.*gap"):
        from_markers(FIGURE, TIMES, {n: x for n, x in markers.items() if n in ("m00", "m10", "m20")})


def test_weights_and_names():
    markers = {f"X{name}": x for name, x in seen().items()}
    names = {f"X{m.name}": m.name for m in FIGURE.markers}
    markers["Xm21"] = markers["Xm21"] + [0.0, 0.05, 0.0]  # the others know better
    even = from_markers(FIGURE, TIMES, markers, names=names, q0=WAY[0], passes=20)
    light = from_markers(FIGURE, TIMES, markers, names=names, q0=WAY[0], weights={"Xm21": 1e-3}, passes=20)
    off = [np.abs(m.q - WAY).max() for m in (even, light)]
    assert off[1] < 1e-4 < off[0]
    assert max(light.metadata["markers"]["largest error"], key=light.metadata["markers"]["largest error"].get) == "Xm21"
    for options, words in (({}, "Assign them: names="), ({"names": {"Y": "m00"}}, "was not seen"),
                           ({"names": {"Xm00": "m99"}}, "Did you mean 'm00'|does not have"),
                           ({"names": names, "weights": {"m00": 1.0}}, "which is not used"),
                           ({"names": names, "gap": -1.0}, "0 or more")):  # fmt: skip
        with pytest.raises(InputError, match=words):
            from_markers(FIGURE, TIMES, markers, **options)


def test_a_figure_is_scaled_to_a_standing_part():
    from anthropi.figure.joints import Free

    free = FIGURE.changed(joints=(Free(name="root"), *FIGURE.joints[1:]))
    q = np.concatenate([np.tile([0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0], (11, 1)), WAY[:, 1:]], axis=1)
    q[:4] = q[0]
    markers = {name: 1.25 * x for name, x in seen(free, q).items()}
    motion = from_markers(free, TIMES, markers, q0=q[0], static=(0.0, 0.3))
    assert abs(motion.metadata["markers"]["scale"] - 1.25) < 1e-5
    assert np.nanmax(motion.channels["marker_error"]) < 2e-5
    k = link_poses(motion.figure, motion.q)
    found = k.point(motion.figure.link_index(free.markers[-1].link), motion.figure.markers[-1].point)
    assert np.abs(found - markers[free.markers[-1].name]).max() < 2e-5
    with pytest.raises(InputError, match="static="):
        from_markers(free, TIMES, markers, static=True)


BROKEN = {
    "no figure": (".csv", ANGLES, {"figure": None}, "figure=ap.human"),
    "empty": (".csv", "\n# nothing\n", {}, "is empty"),
    "no header": (".csv", "0,1,2,3\n", {}, "line 1: column 1 is called '0'"),
    "no time": (".csv", ANGLES.replace("time", "zeit"), {}, "line 2: no column 'time'"),
    "twice": (".csv", ANGLES.replace("joint_2", "joint_0"), {}, "line 2: two columns are called 'joint_0'"),
    "unknown": (
        ".csv",
        ANGLES.replace("joint_2", "joint_3"),
        {},
        "line 2: column 'joint_3' is not a degree of freedom",
    ),
    "neither": (".csv", "time,knee\n0,1\n", {}, "line 1: column 'knee' is neither"),
    "two axes": (".csv", "time,a.x,a.y\n0,1,2\n", {}, "line 1: marker 'a' has x, y; it needs x, y and z"),
    "short row": (".csv", ANGLES.replace("20,0.2", "20"), {}, "line 4: the row has 3 cells; the header has 4"),
    "no number": (".csv", ANGLES.replace("20,0.2", "zwei,0.2"), {}, "line 4: cell 3 is 'zwei'"),
    "empty cell": (".csv", ANGLES.replace("20,0.2", ",0.2"), {}, "line 4: 'joint_1 .deg.' has no number"),
    "time falls": (".csv", ANGLES.replace("\n0.2,", "\n0.05,"), {}, "line 5: the time 0.05 s does not come after"),
    "a length in degrees": (
        ".csv",
        "time,a.x [deg],a.y,a.z\n0,1,2,3\n",
        {},
        "'a.x .deg.' is a length.*.m., .cm., .mm.",
    ),
    "an angle in metres": (".csv", ANGLES.replace("[deg]", "[m]"), {}, "line 2: column 'joint_1 .m.' is an angle"),
    "one in two units": (
        ".csv",
        ANGLES.replace("joint_2", "joint_1"),
        {},
        "line 2: two columns give the degree of freedom",
    ),
    "a row of units": (".csv", ANGLES.replace("\n0.0", "\ns,rad,deg,rad\n0.0"), {}, "line 3: .*header: 'l_knee .deg.'"),
    "names in a list": (".trc", TRC, {"names": ["m00"]}, "give {measured name:"),
    "a name for half a place": (".trc", TRC, {"names": {"m00": ("link_0",)}}, "'m00' is assigned to"),
    "a gap in words": (".trc", TRC, {"gap": "long"}, "gap='long'"),
    "no rows": (".csv", "time,joint_0\n", {}, "has a header but no rows"),
    "alien option": (".csv", ANGLES, {"gap": 1.0}, "'gap' does not apply"),
    "wrong option": (".csv", ANGLES, {"figur": 1.0}, "no option 'figur'.*Did you mean 'figure'"),
    "trc head": (".trc", TRC.replace("PathFileType", "Path"), {}, "line 1: a .trc file must begin"),
    "trc unit": (".trc", TRC.replace("\tmm", "\tfeet"), {}, "line 3: Units are 'feet'"),
    "trc frames": (
        ".trc",
        TRC.replace("\t11\t", "\t12\t", 1),
        {"strict": True},
        "line 3: NumFrames is '12', but the file contains 11",
    ),
    "trc columns": (".trc", TRC.replace("Frame#", "Row"), {}, "line 4: the first columns are 'Row Time'"),
    "units": (".trc", TRC, {"units": "feet"}, "units='feet'"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_tables_are_refused(what, tmp_path):
    ending, text, options, words = BROKEN[what]
    path = tmp_path / f"broken{ending}"
    path.write_text(text)
    with pytest.raises(InputError if what == "wrong option" else FormatError, match=words):
        ap.load_motion(path, **({"figure": FIGURE} | options))


def test_what_a_table_cannot_hold(tmp_path):
    for motion, words in ((Motion(FIGURE, [0.0], np.zeros((2, 1, 3))), "rollout"),
                          (Motion(FIGURE, [0.0], [[np.nan] * 3]), "not finite")):  # fmt: skip
        with pytest.raises(FormatError, match=words):
            motion.save(tmp_path / "x.csv")
