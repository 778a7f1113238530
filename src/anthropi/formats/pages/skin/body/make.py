"""Make the skin of a human figure.

The body is shaped as it stands (`trunk`, `limbs`, `head`), moved to the bind pose, in which arms and legs are away from
the trunk and from each other, and meshed there (`mesh`). Each vertex gets weights (`weights`) and a colour (`clothes`).
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.figure import Figure
from anthropi.formats.pages.skin.body.clothes import COLOURS, EDGES, LAYERS, covers, rises
from anthropi.formats.pages.skin.body.face import sheets
from anthropi.formats.pages.skin.body.head import CHIN, hair, head
from anthropi.formats.pages.skin.body.limbs import arm, carried, leg
from anthropi.formats.pages.skin.body.mesh import Plane, Region, closed_mesh, cut_along, layered, project, tangent
from anthropi.formats.pages.skin.body.person import Person, person_of
from anthropi.formats.pages.skin.body.solids import Blend, changed, evaluate, join, turn_x
from anthropi.formats.pages.skin.body.trunk import trunk
from anthropi.formats.pages.skin.body.weights import part_weights
from anthropi.formats.pages.skin.weights import largest_four

__all__ = ["Pose", "body_skin"]

ARM_ANGLE, LEG_ANGLE = np.deg2rad(28.0), np.deg2rad(8.0)  # of the bind pose
WIDE_ANGLE = np.deg2rad(14.0)  # by which both grow with the girth above 1
NECK = 867.0  # height of the plane between the regions of the body and the head
CELLS = {"body": 8.4, "head": 3.1, "hand": 2.8, "foot": 5.2}  # thousandths of the stature


class Pose(NamedTuple):
    """A limb in the bind pose: rotated by `turn` about `about`. side : 1 for the left, -1 for the right."""

    turn: np.ndarray
    about: np.ndarray
    side: float

    def standing(self, points: np.ndarray) -> np.ndarray:
        """Return points of the bind pose in the standing frame of a left limb."""
        return ((points - self.about) @ self.turn + self.about) * np.array([1.0, self.side, 1.0])

    def bent(self, points: Any) -> np.ndarray:
        """Return points of the standing frame of a left limb in the bind pose."""
        return (np.asarray(points) * np.array([1.0, self.side, 1.0]) - self.about) @ self.turn.T + self.about


class Sculpture(NamedTuple):
    """The solids of a person in the bind pose, and the poses of the limbs ("l_arm", "l_leg", …)."""

    trunk: Blend
    head: Blend
    limbs: dict[str, Blend]
    ends: dict[str, Blend]
    poses: dict[str, Pose]
    sides: dict[str, Person]


def body_skin(figure: Figure, own: tuple[int, ...]) -> Any:
    """Return the fields of a `Skin`, in their order; None if these links of the figure are not a person."""
    p = person_of(figure, own)
    if p is None:
        return None
    made = _sculpture(p)
    whole = join(
        16.0, join(10.0, made.trunk, made.head, *hair(p)),
        *((join(4.0, made.limbs[name], made.ends[name]), 16.0 if name[2:] == "arm" else 18.0) for name in made.limbs),
    )  # fmt: skip

    def field(points, margin):
        return evaluate(whole, points.astype(np.float32), margin)

    points, triangles = closed_mesh(field, _regions(p, made))
    shares = part_weights(p, made, points, triangles)
    dressed = _dressed(p, made, field, points, triangles, shares)
    points, normals, colours, w, triangles = _with_face(p, dressed)
    joints, weights = largest_four(_by_link(p, w, own))
    turns, places = _bind(p, made, own)
    bind = np.concatenate([places * p.unit, quaternion_from_matrix(turns)], -1)
    return (
        (points * p.unit).astype(np.float32), normals.astype(np.float32), colours, joints, weights,
        triangles.astype(np.uint32), bind,
    )  # fmt: skip


def _dressed(p: Person, made: Sculpture, field, points, triangles, shares):
    """Cut the mesh along the edges of clothes and hair, and raise and colour them."""
    names, count = list(shares), len(points)
    table = np.concatenate([points, covers(p, made, points, shares), np.stack(list(shares.values()), 1)], 1)
    values = slice(3, 3 + len(LAYERS) + len(EDGES))
    for k in range(1, len(LAYERS)):
        table, triangles = cut_along(table, triangles, 3 + k)
    points = table[:, :3]
    points[count:] = project(field, points[count:])
    cover, w = table[:, values], table[:, values.stop :]
    layer = np.zeros(len(triangles), int)
    for k in range(1, len(LAYERS)):
        layer[cover[triangles, k].sum(1) > 0.0] = k
    _, normals = tangent(field, points)
    shade = _shade(field, points, normals)
    shade = np.where(points[:, 2] > CHIN, 0.5 + 0.5 * shade, shade)  # of the face less
    source, own, points, normals, triangles = layered(points, normals, triangles, layer, rises(p, cover))
    palette = np.array([COLOURS[p.sex][name] for name in LAYERS])
    return points, normals, palette[own] * shade[source, None], dict(zip(names, w[source].T, strict=True)), triangles


def _shade(field, points, normals) -> np.ndarray:
    """Return how light each vertex is: less in hollows, where the surface is near in front of it."""
    dark = np.zeros(len(points))
    for span, strength in ((4.0, 0.34), (11.0, 0.22)):
        gap = field(points + span * normals, 2.0 * span)
        dark += strength * np.clip(1.0 - gap / span, 0.0, 1.0)
    return 1.0 - dark


def _with_face(p: Person, dressed):
    """Add eyes, brows and lips to a mesh."""
    points, normals, colours, w, triangles = dressed
    face = head(p)
    added = sheets(p, lambda at, margin: evaluate(face, at.astype(np.float32), margin))
    count, own = len(points), w["head"]
    for sheet in added:
        triangles = np.concatenate([triangles, sheet.triangles + count])
        count += len(sheet.points)
    points = np.concatenate([points, *(sheet.points for sheet in added)])
    normals = np.concatenate([normals, *(sheet.normals for sheet in added)])
    colours = np.concatenate([colours, *(sheet.colours for sheet in added)])
    more = count - len(own)
    w = {name: np.concatenate([values, np.full(more, float(name == "head"))]) for name, values in w.items()}
    return points, normals, np.rint(255.0 * np.clip(colours, 0.0, 1.0)).astype(np.uint8), w, triangles


def _sculpture(p: Person) -> Sculpture:
    limbs, ends, poses, sides = {}, {}, {}, {}
    more = WIDE_ANGLE * max(p.wide(1.0) - 1.0, 0.0)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        own = carried(p if side == "l" else _other_side(p))
        sides[side] = own
        for kind, make, mark, angle in (("arm", arm, "shoulder", ARM_ANGLE), ("leg", leg, "hip", LEG_ANGLE)):
            pose = Pose(turn_x(sign * (angle + more)), p.points[f"{side}_{mark}"], sign)

            def placed(solid, pose=pose):
                solid = solid if pose.side > 0 else solid.mirrored()
                return solid.moved(pose.turn, pose.about)

            long, end = make(own)
            limbs[f"{side}_{kind}"], ends[f"{side}_{kind}"] = changed(long, placed), changed(end, placed)
            poses[f"{side}_{kind}"] = pose
    return Sculpture(trunk(p), head(p), limbs, ends, poses, sides)


def _other_side(p: Person) -> Person:
    """Return the mirror image of a person, whose left side is the right side of this one."""
    flip = np.array([1.0, -1.0, 1.0])
    points = {
        {"l_": "r_", "r_": "l_"}.get(name[:2], name[:2]) + name[2:]: at * flip if at.shape else at
        for name, at in p.points.items()
    }
    return replace(p, points=points)


def _regions(p: Person, made: Sculpture) -> list[Region]:
    """Return the regions: the body, the head, the hands and the feet."""
    world, up = np.eye(3), np.array([0.0, 0.0, 1.0])
    neck = np.array([-4.0, 0.0, NECK])
    cuts = [Plane(neck, up, 95.0)]
    low, high = neck - (91.0, 86.0, 12.0), np.array([90.0, 86.0, 1030.0])
    fine = [Region(world, low, high, CELLS["head"], (Plane(neck, -up, 1e4),))]
    wide = 130.0 * p.wide(1.5)
    corners = [np.array([(-wide, -wide, 400.0), (wide, wide, 900.0)])]
    for name, pose in made.poses.items():
        own, kind = made.sides[name[0]], "hand" if name.endswith("arm") else "foot"
        chain, lift = (
            (("shoulder", "elbow", "wrist"), 6.0) if kind == "hand" else (("hip", "knee", "ankle"), 26.0)
        )  # fmt: skip
        ends = [own.points[f"l_{mark}"] for mark in chain]
        at, down = ends[-1] + lift * up, -pose.turn @ up
        cuts.append(Plane(pose.bent(at), down, 60.0))
        if kind == "hand":
            box = np.array([(-45.0, -45.0, own.points["l_fingertip"][2] - 12.0), (62.0, 40.0, at[2] + 10.0)])
        else:
            heel, tip = own.points["l_heel"][0], own.points["l_toe_tip"][0]
            box = np.array([(heel - 14.0, -48.0, -12.0), (tip + 14.0, 48.0, at[2] + 14.0)])
        box[:, 1] += at[1]
        if pose.side < 0.0:
            box[:, 1] = -box[::-1, 1]
        shift = pose.turn.T @ pose.about - pose.about  # the axes of the region pass through the origin of the bind pose
        a, b = box + shift
        fine.append(Region(pose.turn, a, b, CELLS[kind], (Plane(pose.bent(at), -down, 1e4),)))
        bent = np.stack([pose.bent(end) for end in ends])
        corners.append(np.stack([bent.min(0), bent.max(0)]) + np.array([[-45.0], [45.0]]) * p.wide(1.0))
    low, high = np.min([c[0] for c in corners], 0), np.max([c[1] for c in corners], 0)
    return [Region(world, low, high, CELLS["body"], tuple(cuts)), *fine]


def _by_link(p: Person, w: dict[str, np.ndarray], own: tuple[int, ...]) -> np.ndarray:
    """Return the weights (n, links) from those of the parts of the body."""
    number = {i: k for k, i in enumerate(own)}
    found = np.zeros((len(next(iter(w.values()))), len(own)))
    for part, values in w.items():
        found[:, number[p.carrier[part]]] += values
    return found


def _bind(p: Person, made: Sculpture, own: tuple[int, ...]):
    """Return the rotations and positions of the links in the bind pose."""
    turns, places = p.rotation[list(own)].copy(), p.position[list(own)].copy()
    number = {i: k for k, i in enumerate(own)}
    done = set()
    for part, i in p.carrier.items():
        kind = "arm" if part[2:] in ("upper_arm", "forearm", "hand") or part[-2:] in ("_1", "_2", "_3") else None
        kind = "leg" if part[2:] in ("thigh", "shank", "foot", "toes") else kind
        if kind and i not in done:
            pose, k = made.poses[f"{part[0]}_{kind}"], number[i]
            places[k] = pose.turn @ (places[k] - pose.about) + pose.about
            turns[k] = pose.turn @ turns[k]
            done.add(i)
    return turns, places
