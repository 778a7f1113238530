"""A six-legged robot walks over rough ground, turns left and stops.

It walks in alternating tripods. The control law runs inside the kernel and follows a speed and a heading. Writes
out/roach.png (the path from above with footprints, stance times, body height) and out/roach.html, a page that plays the
walk.
"""

import numpy as np
from _roach import roach_sheet

import anthropi as ap
from anthropi.contact.geometry.height_field import HeightField
from anthropi.gait.walker.hexapod import headings, measure, roach_walk

ROUGH = 0.013  # [m] amplitude of the heights: a tenth of the body's height
ORDERS = [(1.0, 0.0, 0.0), (12.0, 0.3, 0.0), (10.0, 0.3, np.pi / 2), (6.0, 0.5, np.pi / 2), (3.0, 0.0, np.pi / 2)]


def ground():
    """Return ground that is flat at the start and end, with random heights on a grid of 0.1 m in between."""
    heights = np.random.default_rng(8).uniform(-ROUGH, ROUGH, (65, 80))
    heights[:15] = heights[-1:] = 0.0
    heights[:, 65:] = 0.0
    return HeightField(heights, (-1.0, -1.2), 0.1)


def check(walk, scene):
    found = measure(walk, scene)
    assert found.steps >= 100, "a hundred tripod steps"
    assert found.touched == 0.0, "nothing but its feet touches the ground"
    assert found.height[0] > 0.115 and found.height[1] < 0.145, "its body stays at its height"
    assert found.slip[1] < 0.12 * found.step, "its feet slip little: 0.113 with steps of 0.1 ms"
    assert abs(headings(walk)[-1] - np.pi / 2) < np.deg2rad(2.0), "it has turned left"
    ahead = measure(walk.slice(3.0, 13.0), scene).speed
    assert abs(ahead / 0.3 - 1.0) < 0.05, "as fast as commanded"
    assert np.abs(walk.u[-1]).max() < 1e-3, "it stands at the end"
    return found


if __name__ == "__main__":
    figure = ap.sample("roach")
    scene = ap.Scene(figure, ground=ground())
    walk = roach_walk(scene, ORDERS)
    print(check(walk, scene))
    roach_sheet("out/roach.png", walk, scene)
    words = "Six legs in tripods; the rough ground is drawn flat. Drag to turn, scroll to come nearer, space to play."
    walk.export("out/roach.html", title="Roach", caption=words, view=(-60, 25), follow=True)
