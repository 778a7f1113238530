"""A figure in Pinocchio: the same poses, motions and bodies."""

import numpy as np
import pinocchio as pin

from anthropi.algebra.spatial import skew
from oracle.figures import Rotation, all_steps

ALIGNED = pin.LOCAL_WORLD_ALIGNED
ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]


def se3(place) -> pin.SE3:
    return pin.SE3(np.asarray(place.rotation, float), np.asarray(place.origin, float))


def depth_first(fig) -> list[int]:
    """Links in the order Pinocchio wants, unsaid: its `crba` takes a subtree to be a row of neighbours."""
    order, waiting = [], [i for i, parent in enumerate(fig.parent) if parent < 0]
    while waiting:
        order.append(waiting.pop())
        waiting += fig.children[order[-1]]
    return order


class PinocchioPeer:
    """The figure at one state, computed by Pinocchio; results in our conventions and our u.

    points : (link number, (3,) in the link frame) whose Jacobians are wanted.
    """

    def __init__(self, fig, q, u, udot, points=()):
        self.fig, self.model = fig, pin.Model()
        self.model.gravity.linear = np.asarray(fig.gravity)
        # Pinocchio leaves bodies on the world out of all sums, so the base hangs on a hinge that is held still
        held = self.model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "held")
        at: dict[int, tuple] = {-1: (held, pin.SE3.Identity())}
        qs, B, Bdot = [np.zeros(1)], [np.zeros((1, fig.nu))], [np.zeros((1, fig.nu))]
        steps = dict(all_steps(fig, q))
        for i in depth_first(fig):
            own, (joint, place) = steps[i], at[fig.parent[i]]
            for k, step in enumerate(own):
                place = place * se3(step.place)
                if step.kind == "none":
                    continue
                joint = self.model.addJoint(joint, self._joint(step), place, f"j{i}.{k}")
                place = pin.SE3.Identity()
                self._coordinate(step, u, qs, B, Bdot)
            at[i] = joint, place
            link = fig.links[i]
            inertia = pin.Inertia(float(link.mass), np.asarray(link.centre), np.asarray(link.tensor))
            self.model.appendBodyToJoint(joint, inertia, place)
        self.at, self.q = at, np.concatenate(qs)
        self.B, self.Bdot = np.concatenate(B), np.concatenate(Bdot)
        self.u, self.udot = self.B @ u, self.B @ udot + self.Bdot @ u
        self.frames = [self._frame(n, i, s) for n, (i, s) in enumerate(points)]
        self.data = self.model.createData()
        pin.forwardKinematics(self.model, self.data, self.q, self.u, self.udot)
        pin.computeJointJacobiansTimeVariation(self.model, self.data, self.q, self.u)
        pin.updateFramePlacements(self.model, self.data)

    def _frame(self, n: int, i: int, s) -> int:
        joint, place = self.at[i]
        place = place * pin.SE3(np.eye(3), np.asarray(s, float))
        return self.model.addFrame(pin.Frame(f"point {n}", joint, 0, place, pin.FrameType.OP_FRAME))

    @staticmethod
    def _joint(step):
        if step.kind == "ball":
            return pin.JointModelSpherical()
        if step.kind == "free":
            return pin.JointModelFreeFlyer()
        a = np.asarray(step.axis, float)
        if step.kind == "screw":
            return pin.JointModelHelicalUnaligned(a, float(step.pitch))
        return (pin.JointModelRevoluteUnaligned if step.kind == "hinge" else pin.JointModelPrismaticUnaligned)(a)

    @staticmethod
    def _coordinate(step, u, qs, B, Bdot):
        """Pinocchio's quaternion ends with w; its free joint's velocity is in the child frame."""
        zero = np.zeros(step.B.shape)
        if step.kind == "free":
            back = Rotation.from_quat(step.q[3:], scalar_first=True).as_matrix().T
            w = step.B[3:] @ u
            qs.append(np.concatenate([step.q[:3], np.roll(step.q[3:], -1)]))
            B.append(np.concatenate([back @ step.B[:3], step.B[3:]]))
            Bdot.append(np.concatenate([-skew(w) @ back @ step.B[:3], zero[3:]]))
        else:
            qs.append(np.roll(step.q, -1) if step.kind == "ball" else step.q)
            B.append(step.B)
            Bdot.append(zero)

    def kinematics(self):
        """Rotation, position, ω, v, α, a of every link, as our `Kinematics`."""
        rows: list[list] = [[] for _ in range(6)]
        for i in range(self.fig.n):
            joint, place = self.at[i]
            pose = self.data.oMi[joint] * place
            v = pin.getFrameVelocity(self.model, self.data, joint, place, ALIGNED)
            a = pin.getFrameClassicalAcceleration(self.model, self.data, joint, place, ALIGNED)
            own = (pose.rotation, pose.translation, v.angular, v.linear, a.angular, a.linear)
            for row, x in zip(rows, own, strict=True):
                row.append(np.array(x))
        return [np.stack(row) for row in rows]

    def jacobian(self, n: int):
        """J and J' of point n, world, angular rows first."""
        J = pin.getFrameJacobian(self.model, self.data, self.frames[n], ALIGNED)[ANGULAR_FIRST]
        dJ = pin.getFrameJacobianTimeVariation(self.model, self.data, self.frames[n], ALIGNED)[ANGULAR_FIRST]
        return J @ self.B, dJ @ self.B + J @ self.Bdot

    def centroidal(self):
        """A and A', momentum about the centre of mass."""
        pin.dccrba(self.model, self.data, self.q, self.u)
        A, dA = (np.array(x)[ANGULAR_FIRST] for x in (self.data.Ag, self.data.dAg))
        return A @ self.B, dA @ self.B + A @ self.Bdot, A @ self.u

    def centre_of_mass(self):
        """Position, velocity, acceleration, Jacobian."""
        pin.centerOfMass(self.model, self.data, self.q, self.u, self.udot)
        motion = [np.array(x[0]) for x in (self.data.com, self.data.vcom, self.data.acom)]
        return *motion, pin.jacobianCenterOfMass(self.model, self.data, self.q) @ self.B

    def energy(self):
        """Kinetic and potential."""
        return (pin.computeKineticEnergy(self.model, self.data, self.q, self.u),
                pin.computePotentialEnergy(self.model, self.data, self.q))  # fmt: skip

    def inverse_dynamics(self, f_ext):
        """τ dual to our u; f_ext (links, 6): moment, force in link frames. Rotors, springs and dampers left out."""
        forces = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for i, f in enumerate(f_ext):
            joint, place = self.at[i]
            forces[joint] += place.act(pin.Force(f[3:], f[:3]))
        return self.B.T @ pin.rnea(self.model, self.data, self.q, self.u, self.udot, forces)

    def mass_matrix(self):
        """M of our u, without rotors."""
        upper = np.triu(pin.crba(self.model, self.data, self.q))
        return self.B.T @ (upper + np.triu(upper, 1).T) @ self.B
