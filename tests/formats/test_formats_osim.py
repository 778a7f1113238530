"""OpenSim models: what the figure has, what is left out, and what is refused with file and line."""

import re

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi import formats
from anthropi.cli import app
from anthropi.errors import FormatError, InputError
from anthropi.figure import Coupling
from anthropi.figure.joints import PiecewiseCurve
from anthropi.formats.figures import osim, toml
from anthropi.formats.figures.osim.functions import FUNCTIONS as CURVES
from anthropi.formats.figures.osim.functions import curve_of
from anthropi.formats.figures.xml import parse_xml
from formats.osim_samples import FUNCTIONS, OLD, SAMPLES, WHOLE, coordinate, function, joint, model, pair
from formats.osim_samples import body as body_text


def written(folder, text, name="a.osim"):
    path = folder / name
    path.write_text(text)
    return path


def reading(folder, text, **options):
    return osim.read(written(folder, text), **options)


def curve(kind, inside=None, arguments=1):
    return curve_of(parse_xml(function(kind, inside).encode(), "a.osim", keep_text=True), arguments)


def test_the_figure_has_links_joints_markers_shapes_couplings_and_state(tmp_path):
    found = reading(tmp_path, WHOLE)
    figure = found.figure
    assert figure.name == "sample" and [x.name for x in figure.links] == ["base", "arm"]
    assert figure.dofs == ("rail.rail_x", "elbow.motion.bend", "elbow.motion.twist")
    np.testing.assert_allclose(figure.gravity, [0.0, 0.0, -9.80665], atol=1e-15)
    arm = figure.links[1]
    assert arm.mass == 1.5 and arm.centre.tolist() == [0.01, -0.1, 0.02]
    assert arm.tensor.tolist() == [[0.04, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.03]]
    assert [(s.kind, s.size, s.name) for s in arm.shapes] == [("sphere", (0.03,), "heel")]
    assert figure.markers[0].link == "arm"
    np.testing.assert_allclose(figure.limits, [[-1.3] * 3, [1.2] * 3])
    (coupling,) = figure.loops
    assert isinstance(coupling, Coupling) and (coupling.dof, coupling.source) == ("rail.rail_x", "elbow.motion.bend")
    x, slope, _ = curve("SimmSpline").at(0.1)
    np.testing.assert_allclose(found.state.q, [0.5 * x, 0.1, -0.2], rtol=1e-15)  # the coupled one follows the other
    np.testing.assert_allclose(found.state.u, [0.1 * slope, 0.2, 0.2], rtol=1e-14)
    closed = ap.loops.close_loops(figure, found.state.q + np.array([0.1, 0.0, 0.0]))
    assert closed[0] == pytest.approx(0.5 * curve("SimmSpline").value([closed[1]]), abs=1e-12)
    u = np.array([0.5 * curve("SimmSpline").at(closed[1])[1], 1.0, 0.3])
    udot = ap.loops.loop_dynamics(figure, closed, u, np.array([0.2, -0.1, 0.4])).udot
    first, second = curve("SimmSpline").at(closed[1])[1:]
    assert udot[0] == pytest.approx(0.5 * (first * udot[1] + second), abs=1e-9)  # f' u' + f'' u²


def test_the_ground_is_turned_to_z_up(tmp_path):
    """OpenSim's y is up and z to the right: sliding along z of the ground is sliding along -y of the world."""
    own = "".join(coordinate(c, 0.0) for c in "abcxyz")
    text = model(body_text("base"), joint("FreeJoint", "root", "/ground", "/bodyset/base", "", own, offsets=False))
    figure = reading(tmp_path, text).figure
    q = dict.fromkeys(figure.dofs, 0.0) | {"root.x": 1.0, "root.y": 2.0, "root.z": 3.0}
    k = ap.kinematics(figure, np.array(list(q.values())))
    np.testing.assert_allclose(k.position[0], [1.0, -3.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(k.rotation[0], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-15)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_saved_as_toml_and_read_back_exactly(name, tmp_path):
    found = reading(tmp_path, SAMPLES[name])
    again = toml.parse(toml.text(found.figure, found.state), "a.toml")
    assert again.figure.key == found.figure.key and np.array_equal(again.state.q, found.state.q)


@pytest.mark.parametrize("name", ["both", "hip", "EllipsoidJoint", "ScapulothoracicJoint", "old"])
def test_inverse_after_direct_dynamics_gives_back_the_forces(name, tmp_path):
    figure = reading(tmp_path, SAMPLES[name]).figure
    rng = np.random.default_rng(1)
    q, u, tau = figure.random(rng), *rng.normal(size=(2, figure.nu))
    udot = ap.direct_dynamics(figure, q, u, tau)
    np.testing.assert_allclose(ap.inverse_dynamics(figure, q, u, udot), tau, atol=1e-10)  # condition about 1e3


def test_locked_coordinates_are_locked_or_not(tmp_path):
    locked = coordinate("bend", 0.3, "<locked>true</locked>")
    for text in (
        SAMPLES["SimmSpline"].replace(coordinate("bend"), locked),
        pair(joint("PinJoint", "elbow", "/bodyset/base", "/bodyset/arm", "", locked)),
    ):
        held, free = reading(tmp_path, text), reading(tmp_path, text, locks=False)
        assert held.figure.dofs == ("rail.rail_x",) and free.figure.dofs == ("rail.rail_x", "elbow.bend")
        assert held.figure.unlock().dofs == free.figure.dofs and free.state.q[1] == 0.3
        places = [ap.kinematics(one.figure, one.state.q).position for one in (held, free)]
        np.testing.assert_allclose(places[0], places[1], atol=1e-15)
    text = SAMPLES["both"].replace(coordinate("twist", -0.2), coordinate("twist", -0.2, "<locked>true</locked>"))
    held, free = reading(tmp_path, text), reading(tmp_path, text, locks=False)
    assert held.figure.dofs == ("rail.rail_x", "elbow.bend") and "twist" in str(held.notes[0])
    places = [ap.kinematics(one.figure, one.state.q).rotation for one in (held, free)]
    np.testing.assert_allclose(places[0], places[1], atol=1e-14)


def test_ranges_become_limits_as_asked(tmp_path):
    text = SAMPLES["hip"].replace("<clamped>true</clamped>", "<clamped>false</clamped>", 2)
    for ranges, finite in (("clamped", 2), ("all", 4), ("none", 0)):
        assert np.isfinite(reading(tmp_path, text, ranges=ranges).figure.limits[0]).sum() == finite
    with pytest.raises(InputError, match="Did you mean 'all'"):
        reading(tmp_path, text, ranges="al")


def test_offsets_of_old_files_are_rounded_as_opensim_does(tmp_path):
    for rounded, x in ((True, 0.123457), (False, 0.123456789)):
        figure = reading(tmp_path, OLD, rounded=rounded).figure
        assert figure.joints[1].placement.origin[0] == x
    newer = OLD.replace("20303", "40000")
    assert reading(tmp_path, newer).figure.joints[1].placement.origin[0] == 0.123456789


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_derivatives_of_functions_are_exact(kind):
    found = curve(kind)
    for x in (-1.4, -0.9, -0.2, 0.33, 0.7, 1.1, 1.7):
        h = 1e-4
        f = [found.value([x + k * h]) for k in (-2, -1, 0, 1, 2)]
        value, first, second = found.at(x)
        assert value == f[2]
        assert first == pytest.approx((f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h), abs=1e-9)
        assert second == pytest.approx((-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h), abs=2e-6)


def test_values_of_functions():
    """Values of OpenSim 4.6, to six digits."""
    x = (-1.0, 0.25, 0.5, 1.5, 2.0, 4.0)
    points = "<x>0 1 3</x><y>0 2 1</y>"
    edges = "<transition_start_time>0</transition_start_time><transition_end_time>1</transition_end_time>"
    for kind, inside, wanted in (
        ("StepFunction", edges + "<start_value>2</start_value><end_value>5</end_value>", (2, 2.310547, 3.5, 5, 5, 5)),
        ("Sine", "<amplitude>2</amplitude><omega>3</omega><phase>0.1</phase><offset>0.5</offset>",
         (0.021501, 2.002561, 2.499147, -1.487382, 0.135675, -0.399295)),
        ("PiecewiseLinearFunction", points, (-2, 0.5, 1, 1.75, 1.5, 0.5)),
        ("PiecewiseConstantFunction", points, (0, 0, 0, 2, 2, 1)),
    ):  # fmt: skip
        np.testing.assert_allclose([curve(kind, inside).value([t]) for t in x], wanted, atol=1e-6, err_msg=kind)


def test_the_spline_continues_straight():
    spline = curve("SimmSpline")
    assert isinstance(spline, PiecewiseCurve) and (spline.coefficients[[0, -1], 2:] == 0.0).all()


def test_every_function_is_in_the_samples():
    assert {*CURVES} - {*FUNCTIONS} == {
        "MultivariatePolynomialFunction", "NaturalCubicSpline", "natCubicSpline", "ExpressionBasedFunction",
    }  # fmt: skip


def test_a_joint_that_closes_a_ring_is_a_loop(tmp_path):
    text = SAMPLES["two roots"].replace("</objects></JointSet>", "{}</objects></JointSet>")
    pin = joint("PinJoint", "ring", "/bodyset/base", "/bodyset/arm", "", coordinate("c"))
    (loop,) = reading(tmp_path, text.format(pin)).figure.loops
    assert (loop.kind, loop.link_a, loop.link_b) == ("hinge", "base", "arm")
    free = joint("FreeJoint", "ring", "/bodyset/base", "/bodyset/arm", "", "".join(map(coordinate, "cdefgh")))
    with pytest.raises(FormatError, match=r"a\.osim:6: <FreeJoint name='ring'> closes a ring .* BallJoint"):
        reading(tmp_path, text.format(free))


def test_bodies_and_joints_may_be_components_and_have_no_name(tmp_path):
    """As OpenSim 4.5 can write them."""
    text = SAMPLES["PinJoint"].replace("<BodySet><objects>", "<components>").replace("</objects></BodySet>", "")
    text = text.replace("<JointSet><objects>", "").replace("</objects></JointSet>", "</components>")
    figure = reading(tmp_path, text).figure
    assert [x.name for x in figure.links] == ["base", "arm"] and figure.dofs == ("rail.rail_x", "elbow.q0")
    nameless = reading(tmp_path, SAMPLES["PinJoint"].replace(' name="elbow"', "")).figure
    assert nameless.dofs == ("rail.rail_x", "joint_1.q0")


def test_constraints_are_loops(tmp_path):
    text = (
        '<ConstraintSet><objects><PointConstraint name="p"><socket_body_1>/bodyset/arm</socket_body_1><socket_body_2>'
        "/ground</socket_body_2><location_body_1>0.1 0 0</location_body_1><location_body_2>0 1 2</location_body_2>"
        '</PointConstraint><WeldConstraint name="w"><socket_frame1>/bodyset/base</socket_frame1><socket_frame2>/ground'
        '</socket_frame2></WeldConstraint><PointOnLineConstraint name="l"><socket_line_body>/ground</socket_line_body>'
        "<socket_follower_body>/bodyset/arm</socket_follower_body><line_direction_vec>0 2 0</line_direction_vec>"
        '</PointOnLineConstraint><RollingOnSurfaceConstraint name="r"/><PointConstraint name="off"><isEnforced>false'
        "</isEnforced></PointConstraint></objects></ConstraintSet>"
    )
    found = reading(tmp_path, SAMPLES["PinJoint"].replace("</Model>", text + "</Model>"))
    loops = found.figure.loops
    assert [(x.name, x.kind, x.link_a, x.link_b) for x in loops] == [
        ("p", "point", "arm", ""), ("w", "weld", "base", ""), ("l", "line", "", "arm"),
    ]  # fmt: skip
    np.testing.assert_allclose(loops[0].at_b.origin, [0.0, -2.0, 1.0])
    np.testing.assert_allclose(loops[2].at_a.rotation[:, 2], [0.0, 0.0, 1.0], atol=1e-15)  # y of OpenSim is up
    assert [n.matters for n in found.notes if "'r'" in n.where or "'off'" in n.where] == [True, False]


def test_what_a_figure_does_not_have_is_noted_and_refused_if_strict(tmp_path):
    text = SAMPLES["PinJoint"].replace(
        "</Model>",
        '<ForceSet><objects><Thelen2003Muscle name="m"/><HuntCrossleyForce name="h"><HuntCrossleyForce::Parameters/>'
        "</HuntCrossleyForce></objects></ForceSet></Model>",
    )
    path = written(tmp_path, text)
    words = [str(n) for n in osim.read(path).notes]
    assert any("Thelen2003Muscle" in w and "read_muscles" in w for w in words) and any(
        "HuntCrossley" in w for w in words
    )
    with pytest.raises(FormatError, match=r"more than a figure: .*strict"):
        osim.read(path, strict=True)
    with pytest.warns(ap.errors.FormatWarning, match="HuntCrossleyForce"):
        ap.load(path)
    osim.read(written(tmp_path, SAMPLES["PinJoint"]), strict=True)


def test_bodies_without_mass_and_impossible_tensors(tmp_path):
    text = SAMPLES["PinJoint"].replace("<mass>1.5</mass>", "<mass>0</mass>").replace("0.04 0.05 0.03 0.002", "0 0 0 0")
    found = reading(tmp_path, text)
    assert found.figure.mass == 0.0 and "moves no mass; an armature of 1e-06" in str(found.notes)
    found = reading(tmp_path, SAMPLES["PinJoint"].replace("0.04 0.05 0.03 0.002", "0.04 0.05 0.3 0.002"))
    assert "nearest one" in str(found.notes) and found.notes[0].changed
    moments = np.linalg.eigvalsh(found.figure.links[1].tensor)
    assert moments[2] <= (moments[0] + moments[1]) * (1.0 + 1e-14)  # rounding


def test_muscles_with_fixed_points_are_read(tmp_path):
    point = '<PathPoint name="{}"><location>{}</location><socket_parent_frame>{}</socket_parent_frame></PathPoint>'
    path = "".join(point.format(*row) for row in (("a", "0 1 2", "/ground"), ("b", "0.1 0 0", "/bodyset/arm")))
    muscle = (
        '<Thelen2003Muscle name="{}"><GeometryPath><PathPointSet><objects>{}</objects></PathPointSet></GeometryPath>'
        "<max_isometric_force>500</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length>"
        "<tendon_slack_length>0.2</tendon_slack_length><pennation_angle_at_optimal>0.3</pennation_angle_at_optimal>"
        "</Thelen2003Muscle>"
    )
    moving = path.replace("PathPoint name", "MovingPathPoint name", 1).replace("</PathPoint>", "</MovingPathPoint>", 1)
    rows = muscle.format("good", path) + muscle.format("bad", moving)
    text = SAMPLES["PinJoint"].replace("</Model>", f"<ForceSet><objects>{rows}</objects></ForceSet></Model>")
    found = osim.read_muscles(written(tmp_path, text))
    (good,) = found.muscles
    assert (good.name, good.max_force, good.optimal_length, good.slack_length, good.pennation) == (
        "good",
        500,
        0.1,
        0.2,
        0.3,
    )
    assert good.deactivation_time == 0.05 and [p[0] for p in good.path] == ["", "arm"]
    np.testing.assert_allclose(good.path[0][1], [0.0, -2.0, 1.0])
    assert "'bad'" in found.notes[0].where and "MovingPathPoint" in found.notes[0].what
    ap.actuators.Muscles(osim.read(tmp_path / "a.osim").figure, found.muscles)


PIN, SINE = SAMPLES["PinJoint"], SAMPLES["Sine"]
REFUSED = {
    "no model": (WHOLE.replace("<Model", "<Models").replace("</Model>", "</Models>"), "<Models>, not a <Model>"),
    "version 1": (WHOLE.replace("40000", "10604"), "OpenSim 1. Open it in OpenSim 4"),
    "version": (WHOLE.replace("40000", "4"), r"a\.osim:2: the version is '4'"),
    "no bodies": (model("", ""), "no <Body> besides the ground"),
    "body twice": (model(body_text("a") * 2, ""), r"a\.osim:5: <Body name='a'>: two objects"),
    "no joint": (model(body_text("a"), ""), r"a\.osim:5: <Body name='a'> has no joint.*FreeJoint"),
    "joint kind": (PIN.replace("PinJoint", "PinJoin"), "unknown joint <PinJoin>. Did you mean 'PinJoint'"),
    "frame": (PIN.replace("/bodyset/arm<", "/bodyset/arms<"), "does not exist. Did you mean 'arm'"),
    "ring of frames": (PIN.replace("<socket_parent>/bodyset/arm<", "<socket_parent>in_child<"), "in a ring"),
    "ring of bodies": (
        PIN.replace("<socket_parent_frame>/ground<", "<socket_parent_frame>/bodyset/arm<"), "form a cycle"),
    "coordinates": (SAMPLES["UniversalJoint"].replace(coordinate("q1", 0.1), ""), r"has 1 coord.* has 2"),
    "idle coordinate": (SAMPLES["Constant"].replace("<coordinates>bend<", "<coordinates><"), "of 1, but has 0"),
    "unknown coordinate": (SINE.replace("<coordinates>bend<", "<coordinates>bent<"), "Did you mean 'bend'"),
    "function": (SINE.replace("Sine", "Sinus"), r"a\.osim:6: <Sinus name='function'>: unknown function"),
    "points": (SAMPLES["SimmSpline"].replace("-1.2 -0.7", "-1.2 -1.2"), "its x do not increase"),
    "point count": (SAMPLES["SimmSpline"].replace("<x>-1.2", "<x>-2 -1.2"), "has 7 x and 6 y"),
    "smoothing": (SAMPLES["GCVSpline"].replace("<error_variance>0", "<error_variance>1"), "smooths its points"),
    "axis": (SINE.replace("<axis>0 0 1<", "<axis>0 0 0<"), "Give an axis that is not zero"),
    "nan": (WHOLE.replace("<mass>1.5", "<mass>nan"), "<mass> of <Body name='base'>: 'nan' is not a finite number"),
    "numbers": (WHOLE.replace("0.01 -0.1 0.02<", "0.01 -0.1<"), "<mass_center> of <Body name='base'> has 2"),
    "negative mass": (WHOLE.replace("<mass>1.5", "<mass>-1"), "-1 kg. It must not be negative"),
    "flag": (WHOLE.replace("<clamped>true", "<clamped>yes"), "<clamped> of <Coordinate name='rail_x'> is 'yes'"),
    "range": (WHOLE.replace("-1.3 1.2", "1.3 1.2"), "lower limit must come first"),
    "default": (WHOLE.replace("<default_value>0.1", "<default_value>1e200"), r"default values: .* not a config"),
    "radius": (WHOLE.replace("<radius>0.03", "<radius>0"), "radius 0 m. Give a positive length"),
    "no name": (WHOLE.replace('<Marker name="tip">', "<Marker>"), "<Marker> has no name"),
    "nested multipliers": (
        SINE.replace(function("Sine"), "<function>" + "<MultiplierFunction><function>" * 30 + "</function>"
                                "</MultiplierFunction>" * 30 + "</function>"), "nested more than 20 levels"),
    "expression": (SINE.replace(function("Sine"), '<ExpressionBasedFunction name="function"><expression>1+x'
                                           "</expression></ExpressionBasedFunction>"), r"'1\+x' cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_is_refused_with_the_place_and_the_next_step(case, tmp_path):
    text, words = REFUSED[case]
    with pytest.raises(FormatError, match=words) as caught:
        reading(tmp_path, text)
    assert str(caught.value).startswith("a.osim") and len(str(caught.value)) < 600


def test_files_of_tools_say_what_they_are(tmp_path):
    text = '<OpenSimDocument Version="40000"><InverseDynamicsTool name="t"/></OpenSimDocument>'
    with pytest.raises(FormatError, match=re.escape("contains <InverseDynamicsTool>, not a <Model>")):
        formats.read(written(tmp_path, text))
    path = written(tmp_path, WHOLE, "model.xml")
    assert formats.read(path).figure.n == 2  # found by its content


def test_the_command_line_shows_converts_and_refuses(tmp_path):
    path = written(tmp_path, WHOLE)
    shown = CliRunner().invoke(app, ["info", str(path)], env={"COLUMNS": "200"})
    assert shown.exit_code == 0 and "2 links, 3 degrees of freedom" in shown.output
    done = CliRunner().invoke(app, ["convert", str(path), str(tmp_path / "b.toml")], env={"COLUMNS": "200"})
    assert done.exit_code == 0 and ap.load(tmp_path / "b.toml").key == osim.read(path).figure.key
    left = '<ControllerSet><objects><PrescribedController name="c"/></objects></ControllerSet>'
    text = SAMPLES["PinJoint"].replace("</Model>", f"{left}</Model>")
    refused = CliRunner().invoke(app, ["info", str(written(tmp_path, text)), "--strict"], env={"COLUMNS": "200"})
    assert refused.exit_code != 0 and "more than a figure" in refused.output and "Traceback" not in refused.output
