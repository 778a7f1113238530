"""Meshes of MJCF: inertia, fitted primitives and files, beside MuJoCo; hostile meshes; meshes of written files."""

import struct

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.errors import FormatError, FormatWarning
from anthropi.figure import Figure, Link, Shape, Weld
from anthropi.formats import limits
from anthropi.formats.figures import mjcf
from anthropi.formats.mesh_files import MeshData, binary_stl, load_mesh, read_mesh
from formats.peer import compare_dynamics, model_of

RNG = np.random.default_rng(4)


def star(seed: int, rough: float = 0.35) -> MeshData:
    """A closed mesh that is not convex: an octahedron, divided twice, with vertices at random distances."""
    corners = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float)
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    points, known = [tuple(c) for c in corners], {}

    def middle(i: int, j: int) -> int:
        key = (min(i, j), max(i, j))
        if key not in known:
            known[key] = len(points)
            p = np.add(points[i], points[j])
            points.append(tuple(p / np.linalg.norm(p)))
        return known[key]

    for _ in range(2):
        faces = [
            t
            for a, b, c in faces
            for ab, bc, ca in [(middle(a, b), middle(b, c), middle(c, a))]
            for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        ]
    far = 1.0 + rough * np.random.default_rng(seed).normal(size=len(points)).clip(-2, 2)
    at = np.array(points) * far[:, None] * [0.1, 0.07, 0.15] + [0.02, -0.01, 0.03]
    return MeshData(at.astype(np.float32).astype(float), np.array(faces))


def obj(mesh: MeshData) -> str:
    lines = ["v " + " ".join(repr(float(x)) for x in p) for p in mesh.vertices]
    return "\n".join([*lines, *("f " + " ".join(str(i + 1) for i in f) for f in mesh.faces)]) + "\n"


def msh(mesh: MeshData) -> bytes:
    head = struct.pack("<4i", len(mesh.vertices), 0, 0, len(mesh.faces))
    return head + mesh.vertices.astype("<f4").tobytes() + mesh.faces.astype("<i4").tobytes()


def model(folder, mesh: str, geom: str = 'type="mesh" mesh="m"', top: str = "", body: str = ""):
    path = folder / "model.xml"
    path.write_text(
        f'<mujoco>{top}<asset><mesh name="m" {mesh}/></asset><worldbody><body name="a"><joint axis="1 2 0"/>'
        f'<geom size="0.05" pos="0 0 0.2"/><body name="b" pos="0.1 0 0.2" euler="10 20 30"><joint axis="0 1 1"/>'
        f'<geom {geom} pos="0.1 0.2 0.3" euler="20 -40 10"/>{body}</body></body></worldbody></mujoco>'
    )
    return path


def agrees(path, **options) -> Figure:
    """Read a file here and by MuJoCo: poses, mass matrix and bias forces are equal."""
    figure = mjcf.read(path, **options).figure
    worst = compare_dynamics(figure, model_of(path))
    assert max(worst.values()) < 1e-10, worst  # measured: 1e-14
    return figure


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["stl", "obj", "msh"])
@pytest.mark.parametrize("mode", ["", "legacy", "exact", "shell"])
def test_inertia_of_a_mesh_agrees_with_mujoco(kind, mode, tmp_path):
    mesh = star(1)
    content = {"stl": binary_stl(mesh), "obj": obj(mesh).encode(), "msh": msh(mesh)}[kind]
    (tmp_path / f"part.{kind}").write_bytes(content)
    extra = f'inertia="{mode}"' if mode else ""
    agrees(model(tmp_path, f'file="part.{kind}" {extra}'))


@pytest.mark.oracle
def test_inertia_of_a_convex_hull_agrees_with_mujoco(tmp_path):
    pytest.importorskip("scipy")
    (tmp_path / "part.obj").write_text(obj(star(2)))
    agrees(model(tmp_path, 'file="part.obj" inertia="convex" scale="1 2 0.5"'))
    points = " ".join(map(repr, star(3).vertices.ravel().tolist()))
    agrees(model(tmp_path, f'vertex="{points}"'))  # without faces: those of the hull


@pytest.mark.oracle
@pytest.mark.parametrize("scale", ["2 2 2", "1 2 0.5", "-1 1 1", "1 -2 1"])
@pytest.mark.parametrize("weight", ['density="300"', 'mass="2"'])
def test_scale_and_reference_pose_of_a_mesh_agree_with_mujoco(scale, weight, tmp_path):
    (tmp_path / "part.obj").write_text(obj(star(4)))
    mesh = f'file="part.obj" scale="{scale}" refpos="0.1 0.2 0.05" refquat="1 0.2 0.3 0" inertia="exact"'
    agrees(model(tmp_path, mesh, f'type="mesh" mesh="m" {weight}'))


@pytest.mark.oracle
def test_polygons_and_objects_of_an_obj_file_agree_with_mujoco(tmp_path):
    """MuJoCo reads the first object, cuts polygons like tinyobjloader, and leaves out faces of over 100 corners."""
    angle = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    radius = np.where(np.arange(24) % 2, 1.0, 0.4)
    rim = [(5 + r * np.cos(a), 3 + r * np.sin(a)) for r, a in zip(radius, angle, strict=True)]
    many = [(np.cos(a), np.sin(a)) for a in np.linspace(0.0, 2.0 * np.pi, 101, endpoint=False)]
    points = [(x, y, z) for z in (0.0, 1.0) for x, y in rim] + [(x, y, 3.0) for x, y in many]
    top, bottom = range(24, 48), reversed(range(24))
    sides = [(i, (i + 1) % 24, 24 + (i + 1) % 24, 24 + i) for i in range(24)]
    faces = [tuple(top), tuple(bottom), *sides, tuple(range(48, 149))]
    text = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in np.array(points).tolist()) + "o first\n"
    text += "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces) + "o second\nf 1 2 3 4\n"
    (tmp_path / "part.obj").write_text(text)
    path = model(tmp_path, 'file="part.obj" scale="0.1 0.1 0.1"')
    agrees(path)
    assert model_of(path).mesh_facenum[0] == len(load_mesh(tmp_path / "part.obj", as_mujoco=True).faces)
    assert len(read_mesh(tmp_path / "part.obj")) > len(load_mesh(tmp_path / "part.obj", as_mujoco=True).faces)


@pytest.mark.oracle
@pytest.mark.parametrize("aabb", ["false", "true"])
@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "ellipsoid", "box"])
def test_primitives_fitted_to_a_mesh_agree_with_mujoco(kind, aabb, tmp_path):
    (tmp_path / "part.stl").write_bytes(binary_stl(star(5, 0.1)))
    path = model(tmp_path, 'file="part.stl"', f'type="{kind}" mesh="m" fitscale="0.9"', f'<compiler fitaabb="{aabb}"/>')
    shape = agrees(path).links[1].shapes[0]
    theirs = model_of(path)
    size = {"capsule": (1.0, 2.0), "cylinder": (1.0, 2.0), "box": (2.0, 2.0, 2.0)}.get(kind, (1.0,) * 3)
    assert np.allclose(shape.size, theirs.geom_size[1][: len(shape.size)] * size[: len(shape.size)], rtol=1e-12)
    assert np.allclose(shape.placement.origin, theirs.geom_pos[1], rtol=0, atol=1e-12)


@pytest.mark.oracle
@pytest.mark.parametrize("weight", ['density="5"', 'mass="2"'])
@pytest.mark.parametrize(
    "geom", ["sphere 0.1", "capsule 0.1 0.2", "cylinder 0.1 0.2", "box 0.1 0.2 0.3", "ellipsoid 0.1 0.2 0.3"]
)
def test_inertia_of_surfaces_agrees_with_mujoco(geom, weight, tmp_path):
    kind, _, size = geom.partition(" ")
    text = f'type="{kind}" size="{size}" shellinertia="true" {weight}'
    figure = mjcf.read(path := model(tmp_path, 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"', text))
    worst = compare_dynamics(figure.figure, model_of(path))
    assert max(worst.values()) < 1e-8, worst  # the surface of an ellipsoid is a difference of solids that are near


MESHES = {
    "too many triangles": ("part.stl", binary_stl(star(1)), "limit mesh_triangles"),
    "flat": ("part.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n", "flat or very small"),
    "a point": ("part.obj", b"v 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", "surface of the mesh is too small"),
    "no vertex": ("part.obj", b"f 1 2 3\n", "part.obj has 1 triangles"),
    "a missing vertex": ("part.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "vertex that does not exist"),
    "a missing vertex of a polygon": ("part.obj", b"v 0 0 0\nf 1 2 3 4 9\n", "not defined before it"),
    "NaN": ("part.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", "finite"),
    "a false header": ("part.msh", struct.pack("<4i", 4, 0, 0, 1), "header does not fit"),
    "a huge header": ("part.msh", struct.pack("<4i", 2**31 - 1, 0, 0, 1), "limit mesh_triangles"),
    "a negative header": ("part.msh", struct.pack("<4i", -4, 0, 0, 4), "header does not fit"),
    "an unknown format": ("part.ply", b"ply", "is not a mesh"),
}


@pytest.mark.parametrize("case", MESHES)
def test_hostile_meshes_are_refused(case, tmp_path):
    name, data, message = MESHES[case]
    (tmp_path / name).write_bytes(data)
    with limits.changed(mesh_triangles=100), pytest.raises(FormatError, match=message):
        mjcf.read(model(tmp_path, f'file="{name}"'))


def test_a_polygon_that_cannot_be_split_quickly_is_refused(tmp_path):
    points = np.random.default_rng(1).normal(size=(100, 2))
    text = "".join(f"v {x} {y} 0\n" for x, y in points) + ("f " + " ".join(map(str, range(1, 101))) + "\n") * 50
    (tmp_path / "part.obj").write_text(text)
    with limits.changed(mesh_triangles=5000), pytest.raises(FormatError, match="attempts to split its faces"):
        load_mesh(tmp_path / "part.obj")


@pytest.mark.parametrize("reference", ["../part.stl", "/etc/passwd", "parts/../../part.stl"])
def test_meshes_of_other_folders_need_permission(reference, tmp_path):
    (tmp_path / "part.stl").write_bytes(binary_stl(star(1)))
    (tmp_path / "in").mkdir()
    path = model(tmp_path / "in", f'file="{reference}"')
    with pytest.raises(FormatError, match=r"leads out of .*folders=\['|absolute path"):
        mjcf.read(path)
    if reference == "../part.stl":
        shape = mjcf.read(path, folders=[tmp_path]).figure.links[1].shapes[0]
        assert (shape.file, shape.folder) == ("part.stl", str(tmp_path.resolve()))
        assert mjcf.read(path, folders=tmp_path, by="mujoco").figure.links[1].shapes[0].file == "part.stl"


# written files


@pytest.mark.oracle
def test_written_meshes_are_beside_the_file(tmp_path):
    mesh = star(1)
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in t)
        + "endloop\nendfacet\n"
        for t in mesh.corners.tolist()
    )
    flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"
    files = {
        "binary.stl": binary_stl(mesh),
        "text.stl": f"solid a\n{facets}endsolid a\n".encode(),
        "flat.obj": flat.encode(),
    }
    source, other = tmp_path / "source", tmp_path / "other"
    source.mkdir()
    other.mkdir()
    shapes = []
    for name, data in files.items():
        (source / name).write_bytes(data)
        shapes.append(Shape("mesh", (1.0, 2.0, 1.0), name="skin", file=name, folder=str(source)))
    figure = Figure("f", [Link("a", 1.0, np.zeros(3), np.eye(3), shapes)], [Weld(name="w")], [-1])
    assert mjcf.write(figure, other / "f.xml") == ()
    assert sorted(p.name for p in (other / "f_meshes").iterdir()) == ["binary.stl", "flat.obj", "text.stl"]
    written = model_of(other / "f.xml")
    assert (written.ngeom, written.nmesh) == (3, 3)
    for k, name in enumerate(files):
        theirs = written.mesh_vert[written.mesh_vertadr[k] :][: written.mesh_vertnum[k]]
        assert abs(np.ptp(theirs, axis=0)).max() > 0.1, name
    again = mjcf.read(other / "f.xml").figure.links[0].shapes
    assert [(s.file, s.folder) for s in again] == [(f"f_meshes/{n}", str(other.resolve())) for n in files]
    assert mjcf.write(figure, source / "here.xml") == () and not (source / "here_meshes" / "binary.stl").exists()


def test_meshes_that_cannot_be_written_are_noted(tmp_path):
    shape = Shape("mesh", (1.0, 1.0, 1.0), file="gone.stl")
    figure = Figure("f", [Link("a", 1.0, np.zeros(3), np.eye(3), [shape])], [Weld(name="w")], [-1])
    with pytest.warns(FormatWarning, match=r"mesh 'gone.stl': it is left out, because it cannot be read"):
        ap.save(figure, tmp_path / "f.xml")
    assert formats.read(tmp_path / "f.xml").figure.links[0].shapes == ()


def test_the_folder_of_a_mesh_is_not_part_of_the_figure(tmp_path):
    (tmp_path / "part.stl").write_bytes(binary_stl(star(1)))
    figure = mjcf.read(model(tmp_path, 'file="part.stl"')).figure
    formats.write(figure, tmp_path / "f.toml")
    assert formats.read(tmp_path / "f.toml").figure.key == figure.key
    moved = tmp_path / "moved"
    moved.mkdir()
    (moved / "f.toml").write_bytes((tmp_path / "f.toml").read_bytes())
    assert formats.read(moved / "f.toml").figure.key == figure.key
