"""A figure that moves as if another of its links were the root; what acts on it is found in its own coordinates.

Re-rooting (figure/editing/rooting.py) turns the joints on the way from the root to the new one round. With u = B u* for
such a joint, B from its reversed state, and frames of links on the way moved by X,

    τ* = Bᵀ τ,   f* = X⁻¹ f                                                    (1)  power stays what it is
    forces at the root joint act on its link as f = [τ_ω; Cᵀ τ_v]              (2)
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.figure.editing.rooting import new_frames, rerooted_state
from anthropi.figure.joints.poses import is_identity
from anthropi.simulation.drive import Drive, by_link, total_force

__all__ = ["Rooted"]


class Rooted:
    """A figure described from a link. tree : the figure to compute with."""

    def __init__(self, figure, link: str):
        self.figure, self.link = figure, link
        self.tree = figure.reroot(link)
        self.frames = new_frames(figure, link)
        root = figure.links[0].name
        self._whole = self.tree.reroot(root, at=self.frames[root].inverse())  # the figure, its links in another order
        path = figure.path(figure.link_index(link))
        self.turned = {figure.joints[i].name for i in path[1:]}

    def there(self, q, u):
        """The state (q, u) of the figure as one of the tree."""
        return rerooted_state(self.figure, self.link, q, u)

    def back(self, q, u):
        """The state of the tree as one of the figure."""
        root, whole = self.figure.links[0].name, self._whole
        q, u = rerooted_state(self.tree, root, q, u, self.frames[root].inverse())
        at = [whole.joint_index(joint.name) for joint in self.figure.joints]
        return np.concatenate([q[whole.q_of[i]] for i in at]), np.concatenate([u[whole.u_of[i]] for i in at])

    def drive(self, q, u, given: Drive) -> Drive:
        """What acts on the figure in the state q, u of the tree, acting on the tree (1), (2). Explicit."""
        own_q, own_u = self.back(q, u)
        tau, figure = total_force(self.figure, given, own_q, own_u), self.figure
        f_ext = by_link(given.f_ext)
        root = tau[figure.u_of[0]]
        if any(not (isinstance(x, float) and x == 0.0) for x in root):
            C = rot.matrix_from_quaternion(own_q[3:7])
            at_root = np.concatenate([root[3:], matvec(transpose(C), root[:3])])  # (2)
            f_ext = f_ext | {0: at_root + f_ext[0] if 0 in f_ext else at_root}
        forces = []
        for i, joint in enumerate(self.tree.joints):
            if i == 0:
                forces.append(np.zeros(6))
                continue
            own = tau[figure.u_of[figure.joint_index(joint.name)]]
            if joint.name in self.turned:
                units = np.eye(joint.nu)
                B = [joint.reverse_state(q[self.tree.q_of[i]], e)[1] for e in units]
                own = np.array([(b * own).sum() for b in B])  # (1)
            forces.append(own)
        return Drive(tau=np.concatenate(forces), f_ext={self._link(i): self._seen(i, f) for i, f in f_ext.items()})

    def _link(self, i: int) -> int:
        return self.tree.link_index(self.figure.links[i].name)

    def _seen(self, i: int, f):
        """A force (6,) on link i in the frame it has in the tree."""
        X = self.frames[self.figure.links[i].name]
        return f if is_identity(X) else X.undo_force(f)
