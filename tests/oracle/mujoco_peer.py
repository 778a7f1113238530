"""A figure in MuJoCo: the same poses, motions and bodies. Every step is a body of its own, the last one with the mass.

MuJoCo has no screw: it is a slide and a hinge with one velocity. Its free joint stands in the world only; elsewhere it
is three slides and a ball.
"""

import mujoco
import numpy as np

from oracle.figures import HERE, UNITS, Rotation, Step, all_steps


def quaternion(C) -> np.ndarray:
    """(w, x, y, z) of a rotation matrix."""
    return Rotation.from_matrix(np.asarray(C, float)).as_quat(scalar_first=True)


class MujocoPeer:
    """The figure at one state, computed by MuJoCo; results in our conventions and our u.

    points : (link number, (3,) in the link frame) whose Jacobians are wanted.
    """

    def __init__(self, fig, q, u, udot, points=()):
        self.fig, self.points = fig, points
        spec = mujoco.MjSpec()
        spec.option.gravity = np.zeros(3)
        bodies, placed = {-1: spec.worldbody}, []
        for i, own in all_steps(fig, q):
            body = bodies[fig.parent[i]]
            own = [s for step in own for s in self._known(step, fig.parent[i] < 0 and step is own[0])]
            for k, step in enumerate(own):
                name = f"l{i}" if k == len(own) - 1 else f"l{i}.{k}"
                body = self._body(body, step, name)
                placed += [(name, step)] if step.kind != "none" else []
            bodies[i] = body
            self._mass(body, fig.links[i])
        self.model = spec.compile()
        self._take_mass([b for b in range(1, self.model.nbody) if "." in self.model.body(b).name])
        self.data = mujoco.MjData(self.model)
        self.B = np.zeros((self.model.nv, fig.nu))
        for name, step in placed:  # MuJoCo numbers depth first
            joint = self.model.joint(name)
            self.data.qpos[joint.qposadr[0] : joint.qposadr[0] + len(step.q)] = step.q
            self.B[joint.dofadr[0] : joint.dofadr[0] + len(step.B)] = step.B
        self.data.qvel, self.data.qacc = self.B @ u, self.B @ udot
        for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_comVel, mujoco.mj_rnePostConstraint):
            stage(self.model, self.data)

    @staticmethod
    def _known(step, in_world: bool):
        """A step as MuJoCo's joints."""
        if step.kind == "screw":
            slide = Step(step.place, "slide", step.axis, q=step.pitch * step.q, B=step.pitch * step.B)
            return [slide, Step(HERE, "hinge", step.axis, q=step.q, B=step.B)]
        if step.kind != "free":
            return [step]
        if in_world:  # coordinates are the world's then, wherever the joint is placed
            C = Rotation.from_matrix(step.place.rotation)
            turn = C * Rotation.from_quat(step.q[3:], scalar_first=True)
            p = step.place.origin + C.apply(step.q[:3])
            B = np.concatenate([C.as_matrix() @ step.B[:3], step.B[3:]])
            return [Step(HERE, "free", q=np.concatenate([p, turn.as_quat(scalar_first=True)]), B=B)]
        slides = [Step(step.place if k == 0 else HERE, "slide", UNITS[k], q=step.q[k : k + 1], B=step.B[k : k + 1])
                  for k in range(3)]  # fmt: skip
        return [*slides, Step(HERE, "ball", q=step.q[3:], B=step.B[3:])]

    @staticmethod
    def _body(parent, step, name):
        turn = (1.0, 0.0, 0.0, 0.0) if step.place is HERE else quaternion(step.place.rotation)
        body = parent.add_body(name=name, pos=np.asarray(step.place.origin, float), quat=turn)
        body.mass, body.inertia, body.ipos, body.explicitinertial = 1.0, np.ones(3), np.zeros(3), True
        if step.kind != "none":
            kinds = {"hinge": mujoco.mjtJoint.mjJNT_HINGE, "slide": mujoco.mjtJoint.mjJNT_SLIDE,
                     "ball": mujoco.mjtJoint.mjJNT_BALL, "free": mujoco.mjtJoint.mjJNT_FREE}  # fmt: skip
            joint = body.add_joint(name=name, type=kinds[step.kind])
            if step.axis is not None:
                joint.axis = np.asarray(step.axis, float)
        return body

    @staticmethod
    def _mass(body, link):
        """Give a body the link's mass, in principal axes (by NumPy: MuJoCo's own are good to 1e-12)."""
        moments, axes = np.linalg.eigh(np.asarray(link.tensor, float))
        body.mass, body.ipos, body.inertia = float(link.mass), np.asarray(link.centre, float), moments
        body.iquat = quaternion(axes * np.linalg.det(axes))

    def _take_mass(self, bodies):
        """Frames inside a joint have none; MuJoCo's compiler asks for it."""
        model = self.model
        model.body_mass[bodies] = 0.0
        model.body_inertia[bodies] = 0.0
        model.body_subtreemass[:] = model.body_mass
        for b in range(model.nbody - 1, 0, -1):
            model.body_subtreemass[model.body_parentid[b]] += model.body_subtreemass[b]

    def kinematics(self):
        """Rotation, position, ω, v, α, a of every link, as our `Kinematics`."""
        rows: list[list] = [[] for _ in range(6)]
        v, a = np.zeros(6), np.zeros(6)
        kind = mujoco.mjtObj.mjOBJ_XBODY
        for i in range(self.fig.n):
            b = self.model.body(f"l{i}").id
            mujoco.mj_objectVelocity(self.model, self.data, kind, b, v, 0)
            mujoco.mj_objectAcceleration(self.model, self.data, kind, b, a, 0)
            own = (self.data.xmat[b].reshape(3, 3), self.data.xpos[b], v[:3], v[3:], a[:3], a[3:])
            for row, x in zip(rows, own, strict=True):
                row.append(np.array(x))
        return [np.stack(row) for row in rows]

    def jacobian(self, n: int):
        """J and J' of point n, world, angular rows first."""
        i, point = self.points[n]
        b = self.model.body(f"l{i}").id
        x = self.data.xpos[b] + self.data.xmat[b].reshape(3, 3) @ np.asarray(point, float)
        results = []
        for function in (mujoco.mj_jac, mujoco.mj_jacDot):
            linear, angular = np.zeros((2, 3, self.model.nv))
            function(self.model, self.data, linear, angular, x, b)
            results.append(np.concatenate([angular, linear]) @ self.B)
        return results

    def inverse_dynamics(self, f_ext):
        """τ dual to our u; f_ext (links, 6): moment, force in link frames. Rotors, springs and dampers left out."""
        needed, pushed = np.zeros((2, self.model.nv))
        self.model.opt.gravity = self.fig.gravity
        mujoco.mj_rne(self.model, self.data, 1, needed)
        self.model.opt.gravity = np.zeros(3)
        for i, f in enumerate(f_ext):
            b = self.model.body(f"l{i}").id
            C = self.data.xmat[b].reshape(3, 3)
            mujoco.mj_applyFT(self.model, self.data, C @ f[3:], C @ f[:3], self.data.xpos[b], b, pushed)
        return self.B.T @ (needed - pushed)

    def mass_matrix(self):
        """M of our u, without rotors."""
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_makeM(self.model, self.data)
        mujoco.mj_fullM(self.model, self.data, M)
        return self.B.T @ M @ self.B
