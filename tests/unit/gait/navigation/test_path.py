"""Shortest paths around outlines: closed forms, comparison with a visibility graph, laws, and goals without a path."""

import heapq

import numpy as np
import pytest

from anthropi.errors import AnthropiError, InputError
from anthropi.gait.navigation import NoPath, Path, disc, polygon, shortest

START, GOAL = np.array([-2.0, 0.0]), np.array([2.0, 0.0])


def some(seed, many=4):
    """Inflated discs, boxes and triangles between (0, 0) and (6, 0), which have room."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < many:
        centre = np.array([rng.uniform(0.5, 5.5), rng.uniform(-1.5, 1.5)])
        if rng.random() < 0.5:
            o = disc(centre, rng.uniform(0.1, 0.5), name=f"disc {len(found)}")
        else:
            o = polygon(centre + rng.uniform(-0.6, 0.6, (rng.integers(3, 7), 2)), name=f"polygon {len(found)}")
        o = o.inflated(rng.uniform(0.05, 0.4))
        if min(o.gap([0.0, 0.0]), o.gap([6.0, 0.0])) > 0.05:
            found.append(o)
    return found


def test_nothing_in_the_way_is_a_straight_line():
    path = shortest(START, GOAL, [disc([0.0, 1.5], 1.0)])
    assert path.length == pytest.approx(4.0) and path.round == () and len(path.points) == 2


def test_round_a_disc_it_is_two_tangents_and_an_arc():
    path = shortest(START, GOAL, [disc([0.0, 0.0], 1.0, name="pillar")])
    arc = np.pi - 2.0 * np.arccos(0.5)
    assert path.length == pytest.approx(2.0 * np.sqrt(3.0) + arc, rel=5e-4)  # chords of 6° for arcs: 1 - 6°²/24
    assert path.round == ("pillar",)


def test_round_the_end_of_a_wall():
    wall = polygon([[0.0, -3.0], [0.0, 1.0]], name="wall").inflated(0.5)
    far, angle = np.hypot(2.0, 1.0), np.arctan2(1.0, 2.0)
    arc = 2.0 * (angle + np.arcsin(0.5 / far)) * 0.5  # the tangent rises by angle + arcsin(r / far)
    assert shortest(START, GOAL, [wall]).length == pytest.approx(2.0 * np.sqrt(far**2 - 0.25) + arc, rel=5e-4)


def test_along_a_box_it_keeps_the_radius_and_the_sides():
    box = polygon([[-1.0, -1.0], [1.0, -1.0], [1.0, 0.8], [-1.0, 0.8]]).inflated(0.3)
    path = shortest([-3.0, 0.0], [3.0, 0.0], [box])
    gaps = box.gap(path.at(np.linspace(0.0, path.length, 400)))
    assert path.points[:, 1].max() == pytest.approx(1.1) and gaps.min() > -5e-4  # the sag of chords


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_shortest_and_enters_nothing(seed):
    outlines = some(seed)
    try:
        path = shortest([0.0, 0.0], [6.0, 0.0], outlines)
    except NoPath:
        assert beside([0.0, 0.0], [6.0, 0.0], outlines) == np.inf
        return
    dense = path.at(np.linspace(0.0, path.length, 1500))
    assert min(o.gap(dense).min() for o in outlines) > -1e-3, "chords of 6° leave an arc of 0.7 m by 1 mm"
    oracle = beside([0.0, 0.0], [6.0, 0.0], outlines)
    assert 0.98 * oracle < path.length < oracle + 1e-3  # corners beyond arcs; straight lines tested every 10 cm or less
    back = shortest([6.0, 0.0], [0.0, 0.0], outlines)
    assert back.length == pytest.approx(path.length, rel=1e-6), "there and back are as long"
    fewer = shortest([0.0, 0.0], [6.0, 0.0], outlines[:-1])
    assert fewer.length <= path.length + 1e-9, "another obstacle never makes it shorter"


CORNERS = 16


def beside(start, goal, outlines):
    """The shortest path over corners just outside circles about every corner: a plain visibility graph."""
    turn = np.arange(CORNERS) * 2.0 * np.pi / CORNERS
    ring = np.stack([np.cos(turn), np.sin(turn)], -1) / np.cos(np.pi / CORNERS)
    nodes = np.concatenate([[start, goal], *(c + o.radius * ring for o in outlines for c in o.core)])
    nodes = nodes[np.all([o.gap(nodes) >= -1e-6 for o in outlines], axis=0)]
    steps = np.linspace(0.0, 1.0, 40)[:, None]
    best, queue = {}, [(0.0, 0)]
    while queue:
        d, i = heapq.heappop(queue)
        if i in best:
            continue
        best[i] = d
        if i == 1:
            return d
        lines = nodes[i] + steps[:, None] * (nodes - nodes[i])
        free = np.all([(o.gap(lines) >= -1e-6).all(0) for o in outlines], axis=0)
        for j in np.nonzero(free)[0]:
            if j not in best:
                heapq.heappush(queue, (d + float(np.hypot(*(nodes[j] - nodes[i]))), int(j)))
    return np.inf


def test_who_is_inside_or_closed_in_has_no_way():
    pillar = disc([0.0, 0.0], 1.0, name="pillar")
    with pytest.raises(NoPath, match=r"goal \(0.50, 0.00\) lies 0.50 m inside .* 'pillar'"):
        shortest(START, [0.5, 0.0], [pillar])
    with pytest.raises(NoPath, match=r"start \(0.00, 0.90\) lies 0.10 m inside"):
        shortest([0.0, 0.9], GOAL, [pillar])
    turn = np.arange(8) * np.pi / 4.0
    fence = [disc(GOAL + np.array([np.cos(a), np.sin(a)]), 0.42, name=f"post {k}") for k, a in enumerate(turn)]
    with pytest.raises(NoPath, match=r"block it"):
        shortest(START, GOAL, fence)
    assert shortest(START, GOAL, fence[1:]).length > 4.0, "one post less opens it"
    with pytest.raises(InputError, match=r"start is \[0\.0\]"):
        shortest([0.0], GOAL, [])
    assert issubclass(NoPath, AnthropiError)


def test_a_path_goes_on_at_its_ends():
    path = Path.of([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]])
    assert path.length == 6.0
    assert path.at([-1.0, 2.5, 5.5, 9.0]).tolist() == [[0.0, 0.0], [1.5, 2.0], [3.0, 4.5], [3.0, 5.0]]
