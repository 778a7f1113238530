"""Read <replicate> and <attach>, which stand for copies of other elements.

The copy i of <replicate> stands in the frame with the rotation of the Euler angles i e, and the position
p₀ = 0, p_{i+1} = p_i + C_i d, for the attributes `euler` e and `offset` d. Its suffix is `sep` and the number i, with
zeros in front so that all suffixes have the same length.

<attach> stands for a body or frame of another model (or of the same one), or for all that is in the other model's
world. It keeps its own pose, and the settings, default classes and assets of its own model.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import FormatError, did_you_mean
from anthropi.formats import limits
from anthropi.formats.figures.mjcf.context import Context, context_of, note_sections
from anthropi.formats.figures.mjcf.elements import Settings
from anthropi.formats.figures.mjcf.geoms import pose, turned
from anthropi.formats.figures.mjcf.includes import MAX_INCLUDES, read_model
from anthropi.formats.figures.xml import Node

__all__ = ["attached_part", "steps_of"]


def steps_of(node: Node, settings: Settings) -> Iterator[tuple[Transform, str]]:
    """Return the frame and the suffix of each copy that a <replicate> stands for."""
    count = node.number("count")
    if not 0.0 <= count < 1e9 or count != int(count):
        raise FormatError(f'{node.where} has count="{node.get("count")}". Give a whole number.')
    limits.check(node.where, "mujoco_copies", int(count), "copies of elements")
    offset, angles = node.numbers("offset", 3, (0.0, 0.0, 0.0)), node.numbers("euler", 3, (0.0, 0.0, 0.0))
    place, digits = np.zeros(3), len(str(int(count)))
    for i in range(int(count)):
        C = turned(i * angles, settings)
        yield Transform(C, place), f"{node.get('sep', '')}{i:0{digits}d}"
        place = place + C @ offset


def attached_part(node: Node, context: Context) -> tuple[Node, Transform, str, Context]:
    """Return what an <attach> stands for: a <body>, <frame> or <worldbody>, its frame, childclass and context."""
    wanted = next((kind for kind in ("body", "frame") if node.get(kind)), "")
    if node.get("model"):
        model = _model(node, context)
    elif wanted:
        model = context
    else:
        raise FormatError(
            f"{node.where} lacks the attribute 'model'. To copy a part of this model, give body or frame."
        )
    source, childclass = _source(node, wanted, model)
    if id(source) in context.chain:
        raise FormatError(f"{node.where} attaches an element to itself. Attach another body or model.")
    prefix = context.prefix + (node.get("prefix") or "")
    inner = replace(
        model, shared=context.shared, prefix=prefix, suffix=context.suffix, chain=(*context.chain, id(source))
    )
    context.shared.attached.append(inner)
    place = pose(source, model.settings) if source.tag == "frame" else identity()
    return source, place, childclass, inner


def _model(node: Node, context: Context) -> Context:
    """Return the context of the model to which an <attach> refers. Its file is read once."""
    wanted, models = node.need("model"), context.assets.models
    if wanted not in models:
        raise FormatError(
            f"{node.where} refers to the model '{wanted[:80]}', which no <asset> defines."
            f"{did_you_mean(wanted, models)} Models: {', '.join(models)[:300] or 'none'}."
        )
    path = models[wanted]
    real, shared = path.resolve(), context.shared
    if real not in shared.models:
        if len(shared.models) >= MAX_INCLUDES:
            raise FormatError(f"{node.where}: more than {MAX_INCLUDES} models are attached. Put some into one file.")
        files = context.assets.files.of_attached(path)
        root = read_model(path, files, context.notes)
        note_sections(root, path.name, context.notes)
        shared.models[real] = context_of(root, files, context.notes, shared)
    return shared.models[real]


def _source(node: Node, wanted: str, model: Context) -> tuple[Node, str]:
    """Return the element that is attached, and the default class that it inherits."""
    worlds = model.root.all("worldbody")
    if not wanted:
        if len(worlds) != 1:
            raise FormatError(f"{node.where}: the attached model has {len(worlds)} <worldbody>. It must have one.")
        return worlds[0], worlds[0].get("childclass") or ""
    name, waiting = node.need(wanted), [(world, "") for world in reversed(worlds)]
    known = []
    while waiting:
        here, childclass = waiting.pop()
        inner = here.get("childclass") or childclass
        for child in here.children:
            if child.tag == wanted:
                known.append(child.get("name") or "")
                if known[-1] == name:
                    return child, inner
        waiting += [(x, inner) for x in reversed(here.children) if x.tag in ("body", "frame", "replicate")]
    raise FormatError(f"{node.where}: no {wanted} '{name[:80]}' in the model.{did_you_mean(name, known)}")
