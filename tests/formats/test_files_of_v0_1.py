"""Files written by version 0.1.0 load today and mean the same.

`tests/files/v0_1/README.md` says how they were made.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.formats.figures.assembly import read as read_assembly
from anthropi.formats.scripts import read as read_script
from anthropi.gait.walker import load_walker
from anthropi.gait.walker.performer import load_routine
from anthropi.studio.project.file import load_project

FILES = Path(__file__).resolve().parents[1] / "files" / "v0_1"
EXPECTED = FILES / "expected.json"
CLOSE = 1e-9  # relative: what NumPy and a short simulation may differ by between CPUs


def figure(path):
    return meaning(ap.load(path))


def meaning(own):
    """Names, and the numbers that depend on all of a figure: its inertia, bias forces, limits, markers."""
    rng = np.random.default_rng(1)
    q, u = own.random(rng), rng.uniform(-1.0, 1.0, own.nu)
    tree = own.changed(loops=())
    return {
        "name": own.name, "links": [link.name for link in own.links], "dofs": list(own.dofs), "mass": own.mass,
        "kinds": [joint.kind for joint in own.joints], "gravity": own.gravity, "limits": own.limits,
        "markers": {marker.name: [marker.link, *vectors(marker)] for marker in own.markers},
        "shapes": [[shape.kind, list(shape.size)] for link in own.links for shape in link.shapes],
        "loops": [[loop.name, loop.kind, loop.link_a, loop.link_b] for loop in own.loops],
        "mass matrix": np.abs(ap.mass_matrix(tree, q)).sum(0), "forces": ap.inverse_dynamics(tree, q, u, 0.0 * u),
    }  # fmt: skip


def vectors(marker):
    """The point of a marker, or the direction of one that has no place."""
    return [getattr(marker, name) for name in ("point", "direction") if hasattr(marker, name)]


def motion(path):
    return recorded(ap.load_motion(path))


def recorded(own):
    """Frames, channels, events and what is known about the run."""
    events = [[type(event).__name__, *(x for x in event if isinstance(x, (str, float)))] for event in own.events]
    return {
        "figure": own.figure.name, "dofs": list(own.figure.dofs), "time": own.time, "q": own.q, "u": own.u,
        "channels": {name: [list(x.shape), x.sum(), np.abs(x).sum()] for name, x in own.channels.items()},
        "events": events, "walk": {n: x for n, x in own.metadata.get("walk", {}).items() if n != "plan"},
    }  # fmt: skip


def script(path):
    """What it starts from, what is in the scene, and what happens when."""
    own = read_script(path)
    scene, plan = own.scene, own.plan
    return {
        "name": own.name, "figures": list(own.figures), "dofs": list(scene.figure.dofs), "q": own.q, "u": own.u,
        "run": [own.duration, own.dt, own.every, own.rate, own.method, own.seed], "gravity": scene.figure.gravity,
        "contact": type(scene.contact).__name__, "contacts": own.contacts, "friction": scene.material.friction,
        "obstacles": [obstacle.name for obstacle in scene.obstacles], "limits": type(scene.limits).__name__,
        "events": [event.time for event in plan.events], "frozen": list(plan.frozen),
        "counts": [len(x) for x in (plan.poses, plan.changes, plan.kicks, plan.forces, plan.locks)],
    }  # fmt: skip


def run_script(path):
    """The same, and fifty milliseconds of it."""
    run = read_script(path).run(duration=0.05, dt=5e-3, opt="now")
    return script(path) | {
        "end": [run.q[-1], run.u[-1]],
        "channels": sorted(set(run.channels) - {"contact_point"}),
    }  # recorded since 0.2


def walker(path):
    own = load_walker(str(path))
    sums = {name: [list(x.shape), x.sum(), np.abs(x).sum()] for name, x in own.parameters.items()}
    return {"parameters": sums, "start": own.start, "speed": own.speed, "made": own.made}


def piece(path):
    own = load_routine(str(path))
    return {"duration": own.duration, "made": own.made, "numbers": own.numbers, "keys": [list(key) for key in own.keys]}


def assembly(path, start=None):
    own = read_assembly(path)
    return {"name": own.name, "bodies": [body.name for body in own.bodies], "places": own.solve(start=start).x,
            "constraints": [[type(c).__name__, c.name] for c in own.constraints]}  # fmt: skip


def movable_assembly(path):
    """A four-bar that can still move: which of its poses is found may change; the one found by 0.1 stays a solution."""
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))[path.name]
    read_assembly(path).solve()
    return assembly(path, start=np.array(expected["places"]))


def project(path):
    """Figures, motions, and all that is set, as the numbers that a user entered."""
    own = load_project(path)
    (item,), (made,), (force,) = own.items, own.motions, own.forces
    (control,), keys, (camera,) = item.controls.values(), item.keys, own.camera_keys
    curves = [[curve.dof, list(curve.times), list(curve.values)] for rows in own.profiles.values() for curve in rows]
    return {
        "name": own.name, "shown": own.shown, "figure": meaning(item.figure), "q": item.state.q, "u": item.state.u,
        "motion": recorded(made.motion), "title": made.title, "kind": made.kind,
        "force": [force.link, list(force.vector), force.start, force.end],
        "control": [list(item.controls), control.of, list(control.times), list(control.values)],
        "keys": [[key.time, key.values] for key in keys], "camera": [camera.time, list(camera.camera.eye)],
        "world": [list(own.world.gravity), own.world.ground.kind, own.world.ground.seed, own.world.contact],
        "gait": [own.gait.steps, own.gait.velocity, own.gait.style], "profiles": curves,
    }  # fmt: skip


READERS = {
    "every_joint.toml": figure, "stewart.toml": figure, "hopper.toml": figure, "script.toml": script,
    "boxes.toml": run_script, "walker.toml": walker, "piece.toml": piece,
    "walk.npz": motion, "swing.h5": motion, "frames": motion,
    "assembly.toml": movable_assembly, "assembly_solved.toml": assembly, "project.anthropi": project,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_file_of_v0_1_loads_and_means_the_same(name):
    if name.endswith(".h5"):
        pytest.importorskip("h5py")
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))[name]
    assert_same(plain(READERS[name](FILES / name)), expected, name)


def assert_same(found, expected, where: str) -> None:
    """Compare nested data: numbers closely, everything else exactly."""
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for name in expected:
            assert_same(found[name], expected[name], f"{where}: {name}")
    elif isinstance(expected, list) and not _numbers(expected):
        assert len(found) == len(expected), where
        for k, (a, b) in enumerate(zip(found, expected, strict=True)):
            assert_same(a, b, f"{where}[{k}]")
    elif _numbers(expected):
        scale = np.nanmax(np.abs(np.ravel(np.where(np.isfinite(expected), expected, 0.0))), initial=1e-300)
        np.testing.assert_allclose(found, expected, rtol=CLOSE, atol=CLOSE * scale, err_msg=where)
    else:
        assert found == expected, where


def _numbers(value) -> bool:
    """Whether it is a number, or an array of them."""
    if isinstance(value, list):
        return bool(value) and all(_numbers(x) for x in value) and len({np.shape(x) for x in value}) == 1
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain(value):
    """Arrays and tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {name: plain(x) for name, x in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(x) for x in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
