"""The skin of a person: closed, smooth in motion, with a front, and with the proportions of men and women."""

import json
import zlib

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.formats.pages.appearance import appearance
from anthropi.formats.pages.skin import make_skin
from anthropi.formats.pages.skin.body import body_skin
from anthropi.formats.pages.skin.body.person import person_of

MEASURES = ("deltoids", "hips", "waist", "waist depth", "chest depth")
ANSUR = {  # means of ANSUR II (Gordon 2014): stature [m], mass [kg], then breadths and depths per stature
    "m": (1.756, 85.5, dict(zip(MEASURES, (0.2906, 0.1969, 0.1859, 0.1354, 0.1445), strict=True))),
    "f": (1.629, 67.8, dict(zip(MEASURES, (0.2765, 0.2173, 0.1842, 0.1308, 0.1519), strict=True))),
}


def matrices(quaternions):
    w, x, y, z = quaternions.T
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]  # fmt: skip
    return np.stack(rows, -1).reshape(-1, 3, 3)


def posed(figure, skin, q):
    """Return the vertices of a skin in a pose, as the page and the GLB file place them."""
    k, bind = kinematics(figure, q), matrices(skin.bind[:, 3:])
    inner = np.einsum("lji,lnj->lni", bind, skin.positions[None] - skin.bind[:, None, :3])
    placed = np.einsum("lij,lnj->lni", k.rotation, inner) + k.position[:, None]
    rows = np.arange(len(skin.positions))[:, None]
    return (skin.weights[..., None] * placed[skin.joints, rows]).sum(1)


def vertex_of(figure):
    return ap.kinematics(figure, ap.standing(figure)).marker("vertex")[2]


def bent(figure, q, joint, vector):
    i = figure.joint_index(joint)
    q = q.copy()
    q[figure.q_of[i]] = figure.joints[i].integrate(q[figure.q_of[i]], np.array(vector, float))
    return q


def stride(figure):
    """Return a pose between walking and running: hips 50° and -25°, the knee of the swing leg 70°."""
    q = bent(figure, ap.standing(figure), "l_hip", (0.0, -0.87, 0.0))
    q = bent(figure, q, "r_hip", (0.0, 0.44, 0.0))
    return bent(figure, q, "l_knee", (0.0, 1.2, 0.0) if figure.joints[figure.joint_index("l_knee")].nu == 3 else (1.2,))


def welded(skin):
    """Return for each vertex the number of its place, and the triangles between different places."""
    _, place = np.unique(skin.positions, axis=0, return_inverse=True)
    triangles = place.ravel()[skin.triangles.astype(int)]
    a, b, c = triangles.T
    return place.ravel(), triangles[(a != b) & (b != c) & (c != a)]


def volume(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return float((np.cross(a, b) * c).sum() / 6.0)


@pytest.fixture(scope="module")
def people():
    """Give the figure and the skin of a man and a woman of the mean stature and mass of ANSUR II."""
    figures = {sex: ap.human(height, mass, sex) for sex, (height, mass, _) in ANSUR.items()}
    return {sex: (figure, make_skin(figure)) for sex, figure in figures.items()}


def body_of(figure, skin, *names):
    """Return which vertices move mostly with some links."""
    return np.isin(skin.joints[:, 0], [figure.link_index(name) for name in names])


@pytest.mark.slow
@pytest.mark.parametrize("sex", ["m", "f"])
def test_only_the_sheets_of_the_face_are_open(people, sex):
    _, skin = people[sex]
    place, triangles = welded(skin)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    unique, count = np.unique(np.sort(edges, 1), axis=0, return_counts=True)
    at = np.zeros((place.max() + 1, 3))
    at[place] = skin.positions
    height = skin.positions[:, 2].max()
    open_edges = at[unique[count % 2 == 1]].mean(1)
    assert len(open_edges) < 260  # edges of eyes, brows and lips
    assert (open_edges[:, 0] > 0.0).all() and (open_edges[:, 2] > 0.87 * height).all()


@pytest.mark.slow
@pytest.mark.parametrize("detail", ["standard", "thesis42"])
def test_a_stride_keeps_volume_and_lengths(detail):
    figure = ap.human(detail=detail)
    skin = make_skin(figure)
    before, after = skin.positions.astype(float), posed(figure, skin, stride(figure))
    kept = volume(after, skin.triangles.astype(int)) / volume(before, skin.triangles.astype(int))
    assert 0.96 < kept < 1.04
    edges = np.concatenate([skin.triangles[:, [0, 1]], skin.triangles[:, [1, 2]]]).astype(int)
    long = [np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1) for x in (before, after)]
    ratio = (long[1] / np.maximum(long[0], 1e-9))[long[0] > 0.008]
    assert ratio.max() < 3.2  # groin, buttock and knee stretch
    assert np.percentile(ratio, 99.0) < 1.5


@pytest.mark.slow
def test_standing_it_has_the_height_of_the_figure_and_stands_on_the_floor(people):
    for figure, skin in people.values():
        points = posed(figure, skin, ap.standing(figure))
        assert abs(points[:, 2].min()) < 0.005
        assert -0.002 < points[:, 2].max() - vertex_of(figure) < 0.02  # hair


@pytest.mark.slow
@pytest.mark.parametrize("sex", ["m", "f"])
def test_the_head_has_a_front(people, sex):
    figure, skin = people[sex]
    stature = ANSUR[sex][0]
    points = posed(figure, skin, ap.standing(figure)) / stature
    head = points[body_of(figure, skin, "head")]
    middle = head[np.abs(head[:, 1]) < 0.004]
    front = middle[middle[:, 0] > 0.03]
    nose = front[front[:, 0].argmax()]
    assert 0.905 < nose[2] < 0.935  # between the mouth and the eyes
    for low, high in ((0.885, 0.90), (0.94, 0.97)):  # mouth and forehead lie behind it
        part = front[(front[:, 2] > low) & (front[:, 2] < high)]
        assert nose[0] - part[:, 0].max() > 0.004
    dark = skin.colours[body_of(figure, skin, "head")].sum(1) < 90  # pupils
    assert dark.any() and (head[dark][:, 0] > 0.03).all()
    assert {1.0, -1.0} == set(np.sign(head[dark][:, 1]))


def measures(figure, skin):
    stature = vertex_of(figure)
    points = posed(figure, skin, ap.standing(figure)) / stature
    x, y, z = points.T
    trunk = body_of(figure, skin, "pelvis", "abdomen", "thorax", "l_thigh", "r_thigh")
    arms = body_of(figure, skin, "l_upper_arm", "r_upper_arm")

    def extent(values, part, low, high):
        return float(np.ptp(values[part & (z > low) & (z < high)]))

    middle = trunk & (np.abs(y) < 0.06)
    return {
        "deltoids": extent(y, arms, 0.70, 0.85),
        "hips": extent(y, trunk, 0.47, 0.53),
        "waist": extent(y, trunk, 0.597, 0.607),
        "waist depth": extent(x, middle, 0.597, 0.607),
        "chest depth": extent(x, middle, 0.70, 0.76),
    }


@pytest.mark.slow
@pytest.mark.parametrize("sex", ["m", "f"])
def test_breadths_and_depths_are_those_of_the_survey(people, sex):
    own = measures(*people[sex])
    for name, wanted in ANSUR[sex][2].items():
        assert own[name] == pytest.approx(wanted, rel=0.08), name  # clothes add 1 to 3 %


@pytest.mark.slow
@pytest.mark.parametrize("sex", ["m", "f"])
def test_shoulders_slope_down_without_a_crease(people, sex):
    figure, skin = people[sex]
    points = posed(figure, skin, ap.standing(figure)) / ANSUR[sex][0] * 1000.0
    own = body_of(figure, skin, "thorax", "l_clavicle", "l_upper_arm")
    edges = skin.triangles[own[skin.triangles].all(1)].astype(int)
    ends = points[np.concatenate([edges[:, [0, 1]], edges[:, [1, 2]], edges[:, [2, 0]]])]
    top = []
    for at in np.arange(56.0, 140.0, 4.0):  # the silhouette from the front
        a, b = ends[(ends[:, 0, 1] <= at) & (ends[:, 1, 1] > at)].transpose(1, 0, 2)
        top.append((a[:, 2] + (at - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 2] - a[:, 2])).max())
    assert np.diff(top).max() < 0.5  # thousandths of the stature
    assert np.diff(top[11:], 2).max() < 0.5  # convex where the arm begins, 100 thousandths from the middle


@pytest.mark.slow
@pytest.mark.parametrize("mass", [55.0, 67.8, 85.5])
@pytest.mark.parametrize("sex", ["m", "f"])
def test_hands_hang_beside_the_clothes(sex, mass):
    figure = ap.human(ANSUR[sex][0], mass, sex)
    skin = make_skin(figure)
    points = posed(figure, skin, ap.standing(figure)) / ANSUR[sex][0] * 1000.0
    hand = points[body_of(figure, skin, "l_hand")]
    other = points[body_of(figure, skin, "pelvis", "l_thigh")]
    body: dict[tuple[int, int], float] = {}  # cells of the side view: the widest point
    for x, y, z in other:
        cell = (round(x / 8.0), round(z / 8.0))
        body[cell] = max(body.get(cell, 0.0), y)
    gaps = [y - body.get((round(x / 8.0), round(z / 8.0)), -1e3) for x, y, z in hand]
    assert min(gaps) > 0.0  # thousandths of the stature


@pytest.mark.slow
def test_men_and_women_differ_in_the_right_direction(people):
    man, woman = (measures(*people[sex]) for sex in "mf")
    assert man["deltoids"] / man["hips"] > 1.10 * woman["deltoids"] / woman["hips"]
    assert woman["waist"] / woman["hips"] < 0.94 * man["waist"] / man["hips"]
    assert woman["chest depth"] > man["chest depth"]


@pytest.mark.slow
def test_mass_makes_it_wider():
    thin, heavy = (measures(f, make_skin(f)) for f in (ap.human(1.75, 55.0), ap.human(1.75, 110.0)))
    assert all(heavy[name] > 1.05 * thin[name] for name in thin)


@pytest.mark.parametrize("detail", ["simple27", "simple36", "thesis42", "thesis51", "standard", "full"])
@pytest.mark.parametrize("sex", ["m", "f"])
def test_the_sex_is_read_from_the_figure(detail, sex):
    figure = ap.human(1.7, 65.0, sex, detail)
    person = person_of(figure, tuple(range(figure.n)))
    assert person.sex == sex and person.unit == pytest.approx(1.7e-3)


@pytest.mark.slow
def test_the_skin_stays_small_in_a_page():
    shown = appearance(ap.human())["skin"]
    assert len(zlib.compress(json.dumps(shown).encode(), 9)) < 0.85e6  # bytes; a page has a third more, in base64


@pytest.mark.slow
@pytest.mark.parametrize("height, mass, sex", [(0.4, 700.0, "f"), (2.8, 2.0, "m")])
def test_extreme_people_have_a_skin(height, mass, sex):
    figure = ap.human(height, mass, sex)
    skin = make_skin(figure)
    assert np.isfinite(skin.positions).all() and volume(skin.positions.astype(float), skin.triangles.astype(int)) > 0.0
    assert np.ptp(skin.positions[:, 2]) == pytest.approx(height, rel=0.05)


@pytest.mark.slow
def test_the_same_figure_gives_the_same_bits():
    figure = ap.human()
    one, two = (body_skin(figure, tuple(range(figure.n))) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_other_figures_are_not_people():
    assert appearance(ap.human(), skin=False)["person"]
    for name in ("bench42", "double_pendulum", "roach"):
        assert not appearance(ap.sample(name), skin=False)["person"]
