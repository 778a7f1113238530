"""The page of a walk: curves over the gait cycle, the norm beside them, and the figure that walks by the norm."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.gait import gait_angles, walk_page
from anthropi.gait.reference.norms import curve
from anthropi.gait.report.walk_page import page_norms
from studio.browser.conftest import content, new_page, shoot, until

pytestmark = pytest.mark.slow
ANGLES = ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")


@pytest.fixture(scope="module")
def motion():
    return ap.walk(ap.human(), speed=1.3, steps=8)


@pytest.fixture(scope="module")
def file(motion, tmp_path_factory):
    live = ap.WalkingSession(motion.figure, start="walk")
    return walk_page(motion, tmp_path_factory.mktemp("page") / "walk.html", live=live, title="A walk", rate=None)


@pytest.fixture(scope="module")
def page(chromium, file):
    page = new_page(chromium)
    page.goto(file.as_uri())
    until(page, "anthropi.app.store.get('ghost') && anthropi.cycle.element.dataset.phase")
    page.evaluate("anthropi.app.store.set('playing', false)")
    yield page
    page.context.close()
    content(page)


def curve_of(page, side, name):
    """Return the strides of a leg, with phases and values of a curve in the second one."""
    return page.evaluate(f"""() => {{
        const s = anthropi.cycle.strides, rows = s.strides('{side}');
        return [rows, s.curve('{side}', '{name}', rows[1])];
    }}""")


@pytest.mark.parametrize("side", ["l", "r"])
def test_the_curves_are_those_of_the_gait_report(page, motion, side):
    strikes = [e.time for e in motion.events if (e.foot, e.what) == (side, "strike")]
    wanted = gait_angles(motion.figure, motion.q, side)
    for name in ANGLES:
        rows, points = curve_of(page, side, name)
        assert [row["start"] for row in rows] == pytest.approx(strikes[:-1])
        phases, values = np.array(points).T
        time = rows[1]["start"] + phases * (rows[1]["end"] - rows[1]["start"])
        own = np.interp(time, motion.time, np.degrees(wanted[name]))
        assert np.abs(values - own).max() < 0.05, name  # [°] poses are rounded to 2⁻¹⁴
    _, points = curve_of(page, side, "grf_vertical")
    assert 1.0 < max(value for _, value in points) < 1.6  # body weights


def test_the_ghost_walks_by_the_norm(page, motion):
    """Its knee follows the norm, its feet do not slide, and it is level with the walk."""
    times = np.linspace(2.0, 3.0, 60)
    found = np.array(
        page.evaluate(f"""() => {times.tolist()}.map(t => {{
        const ghost = anthropi.app.store.get('ghost'), motion = anthropi.app.store.get('motion');
        const poses = ghost.poses(0, t, new Float32Array(7 * {motion.figure.n})), s = anthropi.cycle.strides;
        const foot = motion.header.gait.sides.l.foot, own = motion.poses(0, t, new Float32Array(poses.length));
        return [s.at('l', t).phase, anthropi.cycle.angles('l', poses)[1], poses[7 * foot], poses[7 * foot + 2],
            poses[0] - own[0], poses[1] - own[1]];
    }})""")
    )
    phase, knee, along, height, ahead, aside = found.T
    norms = page_norms(motion)
    norm = next(c for c in norms["curves"] if c["name"] == "knee_flexion")
    mean = np.interp(phase, np.linspace(0.0, 1.0, len(norm["mean"])), norm["mean"])
    assert np.sqrt(np.mean((knee - mean) ** 2)) < 4.0  # [°] contact of the feet changes the norm by less
    flat = (phase > 0.12) & (phase < 0.3)
    assert flat.sum() > 5 and np.ptp(along[flat]) < 0.03 and np.ptp(height[flat]) < 0.01  # [m]
    assert np.abs(ahead).max() < 0.15 and np.all((aside > 0.7) & (aside < 1.1))
    unit = curve("knee_flexion", 0.43)
    assert np.degrees(unit.mean(0.7)) == pytest.approx(np.interp(0.7, np.linspace(0, 1, 51), norm["mean"]), abs=2.0)


def test_a_page_for_showing_is_small_and_says_what_it_is(page, file):
    assert file.stat().st_size < 2.5e6
    assert "from the norm" in page.inner_text(".headline")
    assert page.inner_text(".legend").split("\n") == ["simulated", "norm of people at 1.3 m/s"]
    page.click(".legend input")
    assert page.evaluate("anthropi.app.store.get('ghost')") is None
    page.click(".legend input")
    shoot(page, "walk page")


def test_plots_change_between_cycle_and_time(page):
    page.click("[data-over='time']")
    assert page.is_visible(".plots .chart") and not page.is_visible(".cycle-chart")
    page.click("[data-over='cycle']")
    assert page.is_visible(".cycle-chart") and not page.is_visible(".plots .chart")


def test_torques_are_drawn_as_arcs(page, motion):
    """The longest arc is that of the joint with the largest torque."""
    page.evaluate("anthropi.app.store.patch('shown', { torques: true })")
    page.evaluate("anthropi.app.store.set('time', 2.5)")
    arcs = "anthropi.stage.cast.extras[0].torques"
    until(page, f"{arcs}.root.userData.shown > 3")
    link, long = page.evaluate(f"""() => {{
        const all = {arcs}.arcs.filter(a => a.mesh.visible).map(a => [a.link, a.tube.geometry.drawRange.count]);
        return all.sort((a, b) => b[1] - a[1])[0];
    }}""")
    tau = motion.tau[np.argmin(np.abs(motion.time - 2.5))]
    size = [np.linalg.norm(tau[at]) if i else 0.0 for i, at in enumerate(motion.figure.u_of)]
    assert link == int(np.argmax(size)) and long > 0
    page.evaluate("anthropi.app.store.patch('shown', { torques: false })")
    until(page, f"!{arcs}.root.visible")


def test_a_push_goes_on_with_live_curves(page):
    """The last test of this page: the ghost leaves, and strides of the simulation are drawn."""
    page.click("text=Push it")
    until(page, "anthropi.run?.state.state === 'running'")
    assert page.evaluate("anthropi.app.store.get('ghost')") is None
    until(page, "anthropi.cycle.strides.strides('r').length >= 1 && anthropi.cycle.strides.motion.frames > 60")
    page.evaluate("anthropi.run.pause(true)")
    rows, points = page.evaluate("""() => {
        const s = anthropi.cycle.strides, rows = s.strides('r');
        return [rows, s.curve('r', 'knee_flexion', rows[0])];
    }""")
    assert rows[0]["end"] - rows[0]["start"] == pytest.approx(1.03, abs=0.1)  # [s]
    assert (
        len(points) > 30 and 45.0 < max(value for _, value in points) < 80.0
    )  # frames of the worker, however few are drawn
    shoot(page, "walk page pushed")
