"""MuJoCo's own reading of a file, beside ours."""

import re

import numpy as np

from anthropi.algorithms.bias_forces import bias_forces
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix


def mujoco_model(text: str):
    """MuJoCo's model of an MJCF text; <include>s and materials that are not there are taken out first.

    The suite's humanoid includes ./common/*.xml, which the shared data do not have: without this MuJoCo reads nothing.
    """
    import mujoco

    if "<include" in text:
        text = re.sub(r"<include[^>]*/>", "", text)
        text = re.sub(r'\smaterial="[^"]*"', "", text)
    return mujoco.MjModel.from_xml_string(text)


def compare(figure, model, qs) -> dict[str, float]:
    """The largest differences of masses, tensors, limits and, at coordinates qs, poses, centres and sites."""
    import mujoco

    data = mujoco.MjData(model)
    worst = dict.fromkeys(("mass", "tensor", "limits", "springs", "rotation", "position", "centre", "site"), 0.0)

    def see(what, a, b):
        worst[what] = max(worst[what], float(np.abs(np.asarray(a) - b).max(initial=0.0)))

    body = {link.name: model.body(link.name).id for link in figure.links}
    for link in figure.links:
        b = body[link.name]
        see("mass", link.mass, model.body_mass[b])
        C = np.zeros(9)
        mujoco.mju_quat2Mat(C, model.body_iquat[b])
        C = C.reshape(3, 3)
        see("tensor", link.tensor, (C * model.body_inertia[b]) @ C.T)
    at = 0
    for joint in figure.joints:
        for k in range(joint.nu):
            j = model.dof_jntid[at]
            if model.jnt_type[j] in (2, 3) and model.jnt_limited[j]:
                see("limits", [joint.lower[k], joint.upper[k]], model.jnt_range[j])
            theirs = [np.ravel(a)[0] for a in (model.jnt_stiffness[j], model.dof_damping[at], model.dof_armature[at])]
            see("springs", [joint.stiffness[k], joint.damping[k], joint.armature[k]], theirs)
            at += 1
    for q in qs:
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        k = kinematics(figure, q)
        for i, link in enumerate(figure.links):
            b = body[link.name]
            C = data.xmat[b].reshape(3, 3)
            see("rotation", k.rotation[i], C)
            see("position", k.position[i], data.xpos[b] + C @ anchor(model, b))
            if link.mass:
                see("centre", k.position[i] + k.rotation[i] @ link.centre, data.xipos[b])
        for marker in figure.markers:
            i = figure.link_index(marker.link)
            see("site", k.position[i] + k.rotation[i] @ marker.point, data.site(marker.name).xpos)
    return worst


def anchor(model, b: int) -> np.ndarray:
    """Where our link's frame sits in MuJoCo's body's: at its last joint."""
    count = model.body_jntnum[b]
    return np.array(model.jnt_pos[model.body_jntadr[b] + count - 1]) if count else np.zeros(3)


def model_of(path):
    """MuJoCo's model of a file."""
    import mujoco

    return mujoco.MjModel.from_xml_path(str(path))


def compare_dynamics(figure, model, count: int = 3) -> dict[str, float]:
    """The largest differences of poses, mass matrices and bias forces at random states, bodies by their order.

    Mass matrices are relative to their diagonals, bias forces to the largest one.
    """
    import mujoco

    figure = figure.changed(loops=())
    first = 0 if figure.links[0].name == "world" else 1
    assert (figure.nq, figure.nu, figure.n) == (model.nq, model.nv, model.nbody - first)
    data, rng = mujoco.MjData(model), np.random.default_rng(7)
    worst = dict.fromkeys(("rotation", "position", "centre", "M", "bias"), 0.0)

    def see(what, a, b, scale=1.0):
        worst[what] = max(worst[what], float((np.abs(np.asarray(a) - b) / scale).max(initial=0.0)))

    for _ in range(count):
        data.qpos[:], data.qvel[:] = figure.random(rng), rng.normal(size=figure.nu)
        mujoco.mj_forward(model, data)
        k = kinematics(figure, data.qpos)
        for i, link in enumerate(figure.links):
            C = data.xmat[i + first].reshape(3, 3)
            see("rotation", k.rotation[i], C)
            see("position", k.position[i], data.xpos[i + first] + C @ anchor(model, i + first))
            if link.mass:
                see("centre", k.position[i] + k.rotation[i] @ link.centre, data.xipos[i + first])
        if figure.nu:
            M = np.zeros((model.nv, model.nv))
            mujoco.mj_fullM(model, data, M)
            diagonal = np.sqrt(np.diag(M))
            see("M", mass_matrix(figure, data.qpos), M, np.outer(diagonal, diagonal))
            see(
                "bias",
                bias_forces(figure, data.qpos, data.qvel),
                data.qfrc_bias,
                max(np.abs(data.qfrc_bias).max(), 1e-3),
            )
    return worst
