"""MJCF's <asset>: colours of materials and files of meshes; the rest is looks and is noted."""

from pathlib import Path

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.files import confined
from anthropi.formats.mjcf.geoms import mesh_file
from anthropi.formats.mjcf.known import ELSEWHERE, refuse_element
from anthropi.formats.mjcf.settings import Settings
from anthropi.formats.reading import Notes
from anthropi.formats.xml import Node

__all__ = ["Assets"]

KNOWN = ("material", "mesh", "texture", "hfield", "skin")


class Assets:
    """The materials and meshes of a file, by name."""

    def __init__(self, root: Node, settings: Settings, defaults, folder: Path, notes: Notes):
        self.colours: dict[str, tuple[float, ...]] = {}
        self.meshes: dict[str, tuple[str, tuple[float, ...]]] = {}
        for section in root.all("asset"):
            for node in section.children:
                if node.tag not in KNOWN:
                    refuse_element(node, "asset", (*KNOWN, *ELSEWHERE))
                if node.tag == "material":
                    full = defaults.full(node, "")
                    if "rgba" in full.attributes:
                        self.colours[node.get("name", "") or ""] = tuple(full.numbers("rgba", 4).tolist())
                elif node.tag == "mesh":
                    self._mesh(defaults.full(node, ""), settings, folder)
                else:
                    notes.add(f"{node.file}: <asset>", f"<{node.tag}> is not part of a figure", matters=False)

    def _mesh(self, node: Node, settings: Settings, folder: Path) -> None:
        reference = node.get("file") or ""
        name = node.get("name") or Path(reference).stem
        file = mesh_file(reference, settings) if reference else ""
        if file:
            confined(folder, file, node.where)
            if not settings.strip_path:
                confined(folder, reference, node.where)
        scale = tuple(node.numbers("scale", 3, (1.0, 1.0, 1.0)).tolist())
        self.meshes[name] = (file, scale)

    def mesh(self, geom: Node) -> tuple[str, tuple[float, ...]]:
        """File and scale of a geom's mesh."""
        name = geom.need("mesh")
        if name not in self.meshes:
            listed = ", ".join(self.meshes) or "none"
            raise FormatError(f"{geom.where} shows the mesh '{name[:80]}', which no <asset> has."
                              f"{did_you_mean(name, self.meshes)} Meshes: {listed[:300]}.")  # fmt: skip
        file, scale = self.meshes[name]
        if not file:
            raise FormatError(f"{geom.where} shows the mesh '{name[:80]}', which has no file. Save it in one, or load "
                              'the model with by="mujoco".')  # fmt: skip
        return file, scale
