"""Methods of `Figure` that return edited figures. The functions they call are in the other files of this folder."""

from typing import Any

__all__ = ["Edits"]


class Edits:
    """Editing methods of a figure. Every method returns a new figure.

    A method that accepts a state q (nq,), u (nu,), or a batch of states, also returns it converted to the new figure.
    """

    def reroot(self: Any, link: str, q: Any = None, u: Any = None, at: Any = None) -> Any:
        """Return the same figure with another link as the root, which then has the free joint.

        Joints on the path between the roots are reversed, and links on it move their frame to their new inboard joint.
        Positions and velocities of all bodies, markers and loops stay the same (docs/equations/thesis.md, chapter 7).

        Parameters
        ----------
        link : the new root. q, u : a state. at : pose of the new root's frame in its old frame, needed to return to the
            original figure exactly; by default the same frame.

        Returns
        -------
        The figure; or (figure, q) if q is given; or (figure, q, u) if q and u are given.

        >>> figure2, q2, u2 = figure.reroot("l_foot", q, u)  # doctest: +SKIP
        """
        from anthropi.figure.editing.rerooting import reroot

        return reroot(self, link, q, u, at)

    def lock(self: Any, names: Any, q: Any = None) -> Any:
        """Return the figure with joints ("l_elbow") or degrees of freedom ("l_hip.x") locked at q (by default neutral).

        `locked.state_from(figure, q, u)` and `figure.state_from(locked, q, u)` convert states.
        """
        from anthropi.figure.editing.locking import lock

        return lock(self, names, q)

    def unlock(self: Any, names: Any | None = None) -> Any:
        """Return the figure with locked joints or degrees of freedom unlocked; by default all of them."""
        from anthropi.figure.editing.locking import unlock

        return unlock(self, names)

    def state_from(self: Any, source: Any, q: Any, u: Any = None) -> Any:
        """Convert a state (q, u) of `source`, a figure with the same joints, to this figure; without u, return q alone.

        Joints are matched by name, so that the figures may list them in different orders. q (…, nq), u (…, nu).
        Joints locked in `source` give their locked configuration and zero velocity. Joints locked in this figure are
        skipped.
        """
        from anthropi.figure.editing.transfer import state_from

        return state_from(self, source, q, u)

    def reorder(self: Any, links: Any) -> Any:
        """Return the same figure with its links, and with them q and u, in another order.

        links : names of all links, each parent before its children; or a figure whose order is taken.
        `figure.reorder(links).state_from(figure, q, u)` converts a state, and `motion.onto(…)` a motion.
        """
        from anthropi.figure.editing.transfer import reorder

        return reorder(self, links)

    def scale(self: Any, factor: Any = 1.0, mass: Any = None) -> Any:
        """Return the figure scaled by a factor, or by {link: factor}, with the same density.

        mass : total mass [kg] of the result, distributed in proportion; or {link: mass}.
        """
        from anthropi.figure.editing.scaling import scale

        return scale(self, factor, mass)

    def mirror(self: Any, q: Any = None, u: Any = None) -> Any:
        """Return the figure mirrored by y → -y, left and right exchanged in names; a state works as in `reroot`."""
        from anthropi.figure.editing.scaling import mirror

        return mirror(self, q, u)

    def attach(self: Any, other: Any, link: str, joint: Any, prefix: str = "") -> Any:
        """Return the figure with another figure attached to a link by a joint, which replaces the other's root joint.

        joint : its placement is relative to the link. prefix : added before all names of the other figure.
        The new state is this figure's, then the joint's, then the other figure's without its root joint.
        """
        from anthropi.figure.editing.joining import attach

        return attach(self, other, link, joint, prefix)

    def detach(self: Any, link: str, q: Any = None, u: Any = None) -> Any:
        """Split off a link and all its descendants as a new figure with a free root.

        Returns (rest, part), or with a state ((rest, q, u), (part, q, u)).
        """
        from anthropi.figure.editing.joining import detach

        return detach(self, link, q, u)

    def merge_fixed(self: Any) -> Any:
        """Return the figure with each link merged into its parent if a weld or a locked joint connects them."""
        from anthropi.figure.editing.locking import merge_fixed

        return merge_fixed(self)
