"""Uneven ground on the stage: it is drawn wherever the figure is, and the camera keeps the figure in the picture."""

from dataclasses import replace

import pytest

from anthropi.studio.messages import Ground
from anthropi.studio.project.scene import height_at

pytestmark = pytest.mark.slow

HEIGHT = """([x, y]) => {  // of the drawn ground: the triangle of the mesh that contains this place
    const mesh = anthropi.stage.ground.root.children.find(own => own.isMesh && own.geometry.attributes.color);
    const p = mesh?.geometry.attributes.position.array ?? [];
    for (let k = 0; k < p.length; k += 9) {
        const [ax, ay, az, bx, by, bz, cx, cy, cz] = p.slice(k, k + 9);
        const cross = (ux, uy, vx, vy) => ux * vy - uy * vx, area = cross(bx - ax, by - ay, cx - ax, cy - ay);
        const u = cross(x - ax, y - ay, cx - ax, cy - ay) / area, v = cross(bx - ax, by - ay, x - ax, y - ay) / area;
        if (u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 1e-6) return az + u * (bz - az) + v * (cz - az);
    }
    return null;
}"""
IN_PICTURE = """() => {  // whether head and feet are inside the picture
    const { stage } = anthropi, view = stage.views[0];
    return ['head', 'l_foot', 'r_foot'].every(name => {
        const link = view.look.links.findIndex(own => own.name === name);
        const p = view.point(link, [0, 0, 0]).project(stage.cameras.camera);
        return Math.abs(p.x) < 1 && Math.abs(p.y) < 1;
    });
}"""


def walk_to(page, server, places) -> None:
    """Send live frames 0.1 s apart with the figure at places (forward, up) [m]."""
    from studio.browser.conftest import until

    for k, (forward, up) in enumerate(places):
        server.frame(k + 1, 0.1 * (k + 1), forward, up)
        if k % 10 and k + 1 < len(places):
            continue  # several frames may be drawn at once
        until(page, f"Math.abs(anthropi.stage.cameras.last.x - {forward}) < 0.4")


@pytest.mark.parametrize(
    "ground",
    [Ground("slope", slope=0.1), Ground("stairs", height=0.1, size=0.4), Ground("waves", height=0.2, size=4.0)],
)
def test_the_ground_is_drawn_under_a_walker_that_climbs(faked, ground):
    page, server = faked
    server.world = replace(server.world, ground=ground)
    server.show_project()
    server.live("running")
    walk_to(page, server, [(x, float(height_at(ground, x, 0.0))) for x in (0.0, 30.0, 60.0)])
    for x in (55.0, 60.0, 65.0):
        assert page.evaluate(HEIGHT, [x + 0.01, 0.3]) == pytest.approx(float(height_at(ground, x, 0.0)), abs=0.12)
    assert page.evaluate(IN_PICTURE)


def test_the_camera_climbs_with_the_figure(faked):
    """The target of the camera stays at the height of the pelvis."""
    page, server = faked
    server.live("running")
    walk_to(page, server, [(0.13 * k, 0.04 * k) for k in range(31)])
    assert page.evaluate(IN_PICTURE)
    pelvis, target = page.evaluate("[anthropi.stage.views[0].poses[2], anthropi.stage.cameras.controls.target.z]")
    assert abs(target - pelvis) < 0.55  # a climb of 1.2 m; the camera lags behind by 0.36 m


def test_a_ground_that_changes_during_a_live_run_is_drawn(faked):
    from studio.browser.conftest import until

    page, server = faked
    server.live("running")
    walk_to(page, server, [(0.0, 0.0), (1.0, 0.0)])
    server.world = replace(server.world, ground=Ground("waves", height=0.2, size=4.0, origin=(1.0, 0.0, 0.0)))
    server.show_project()
    until(page, "anthropi.stage.ground.root.children.some(own => own.geometry.attributes.color)")
    assert page.evaluate(HEIGHT, [7.01, 0.3]) == pytest.approx(
        float(height_at(server.world.ground, 7.01, 0.0)), abs=0.02
    )
