"""The edits of a figure as its methods; each is a file of its own beside this one."""

from typing import Any

__all__ = ["Edits"]


class Edits:
    """What can be made of a figure: every method returns new ones and leaves it as it is.

    A state q (nq,), u (nu,), or many of them (batch, …), may be given and comes back as the new figure's.
    """

    def reroot(self, link: str, q=None, u=None, at=None) -> Any:
        """The same figure described from another link, which then has the free joint (thesis 7).

        Joints on the way are reversed and links on the way take their frame to their new inboard joint; where every
        body, marker and loop is, and how it moves, stays as it is. Returns the figure; with q (figure, q); with u too
        (figure, q, u). `at` (Transform) puts the new root's frame elsewhere on it: that is how to come back exactly.

        >>> figure2, q2, u2 = figure.reroot("l_foot", q, u)  # doctest: +SKIP
        """
        from anthropi.figure.editing.rerooting import reroot

        return reroot(self, link, q, u, at)

    def lock(self, names, q=None) -> Any:
        """The figure with joints ("l_elbow") or degrees of freedom ("l_hip.x") held at q (neutral by default).

        `locked.state_from(figure, q, u)` and `figure.state_from(locked, q, u)` carry states over.
        """
        from anthropi.figure.editing.locking import lock

        return lock(self, names, q)

    def unlock(self, names=None) -> Any:
        """The figure with locked joints or degrees of freedom let go; all of them by default."""
        from anthropi.figure.editing.locking import unlock

        return unlock(self, names)

    def state_from(self, source, q, u=None) -> Any:
        """The state (q, u) of a figure with the same joints, as a state of this one; without u, q alone.

        Locked joints of the source give where they are locked and stand still; those of this figure take nothing.
        """
        from anthropi.figure.editing.transfer import state_from

        return state_from(self, source, q, u)

    def scale(self, factor: Any = 1.0, mass=None) -> Any:
        """The figure `factor` times as large, or {link: factor}, with the same density.

        mass : total mass [kg] to come to, masses in proportion; or {link: mass}.
        """
        from anthropi.figure.editing.scaling import scale

        return scale(self, factor, mass)

    def mirror(self, q=None, u=None) -> Any:
        """The figure in the mirror y → -y, left and right renamed; with a state as in `reroot`."""
        from anthropi.figure.editing.scaling import mirror

        return mirror(self, q, u)

    def attach(self, other, link: str, joint, prefix: str = "") -> Any:
        """The figure with another one hanging on a link by a joint, which takes the place of the other's root joint.

        joint : a joint, placed in the link. prefix : goes before all names of the other figure.
        The state is this figure's, then the joint's, then the other's without its root joint.
        """
        from anthropi.figure.editing.joining import attach

        return attach(self, other, link, joint, prefix)

    def detach(self, link: str, q=None, u=None) -> Any:
        """What is left without a link and all that hangs on it, and that as a figure with a free root.

        Returns (rest, part), or with a state ((rest, q, u), (part, q, u)).
        """
        from anthropi.figure.editing.joining import detach

        return detach(self, link, q, u)

    def merge_fixed(self) -> Any:
        """The figure with every link behind a weld or a locked joint made part of the link it is fixed to."""
        from anthropi.figure.editing.locking import merge_fixed

        return merge_fixed(self)
