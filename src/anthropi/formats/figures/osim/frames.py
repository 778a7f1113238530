"""Frames of OpenSim models: bodies, offset frames, and the paths in sockets that lead to them."""

from dataclasses import dataclass, field

from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.figures.osim.elements import name_of, objects, pose, short, socket
from anthropi.formats.figures.xml import Node

__all__ = ["GROUND", "Frames"]

GROUND = "ground"
MAX_CHAIN = 50  # offset frames in frames


@dataclass
class Frames:
    """The frames of a model: its bodies, and offset frames, by the name of their owner and their own name.

    bodies : {name: element}; "ground" may be missing. offsets : {(owner, name): element}.
    """

    bodies: dict[str, Node]
    offsets: dict[tuple[str, str], Node] = field(default_factory=dict)

    def add(self, owner: str, node: Node) -> None:
        """Collect the offset frames that are components of an object of the model."""
        for tag in ("frames", "components"):
            for one in objects(node, tag):
                if one.tag.endswith("OffsetFrame"):
                    self.offsets[owner, name_of(one)] = one

    def find(self, path: str, owner: str, where: Node, depth: int = 0) -> tuple[str, Transform]:
        """Return the body at the end of a path ("" for the ground), and the pose of the frame in it.

        path : "/bodyset/pelvis", "pelvis_offset", "../pelvis" … owner : the object whose frames a path without folders
        means. where : the element that contains the path, for messages.
        """
        if depth > MAX_CHAIN:
            raise FormatError(
                f"{where.where}: offset frames are fixed to each other in a ring, or more than {MAX_CHAIN}."
            )
        steps = [step for step in path.split("/") if step not in ("", ".", "..")]
        name = steps[-1] if steps else ""
        holder = steps[-2] if len(steps) > 1 else owner
        node = self.offsets.get((holder, name))
        if node is None and name in self.bodies:
            return name, identity()
        if node is None and name == GROUND:
            return "", identity()
        if node is None:
            same = [key for key in self.offsets if key[1] == name]
            if len(same) != 1:
                known = [*self.bodies, GROUND, *(key[1] for key in self.offsets)]
                raise FormatError(
                    f"{where.where} refers to the frame '{short(path)}', which does not exist."
                    f"{did_you_mean(name, known)} Bodies: {', '.join(self.bodies)[:300]}."
                )
            holder, node = same[0][0], self.offsets[same[0]]
        above = socket(node, "parent")
        if not above:
            raise FormatError(f"{node.where} lacks <socket_parent>, the frame to which it is fixed. Add it.")
        body, before = self.find(_from(above, holder), holder, node, depth + 1)
        return body, before @ pose(node, ("translation",), ("orientation",))


def _from(path: str, holder: str) -> str:
    """Return the owner itself for the path ".." of one of its frames."""
    return holder if path.strip() == ".." else path
