"""script.toml → script."""

import os
from pathlib import Path

from pydantic import ValidationError

from anthropi.contact.touches import touch_names
from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.script.figures import cast
from anthropi.formats.script.plan import plan_of
from anthropi.formats.script.scenes import ground_of, scene_of
from anthropi.formats.script.schema import Document
from anthropi.formats.script.script import RATE, Script
from anthropi.formats.script.words import complaint, told
from anthropi.formats.toml.reader import load_toml, read_words
from anthropi.simulation.methods import METHODS
from anthropi.simulation.time_loop import MEAN_CHANNELS, STATE_CHANNELS

__all__ = ["parse", "read"]

CHANNELS = (*MEAN_CHANNELS, *STATE_CHANNELS)

TOUCHES = 3000  # most: each is some hundred operations


def read(path: str | os.PathLike) -> Script:
    """Which script does a file hold?"""
    return parse(read_words(path), Path(path).name, Path(path).parent)


def parse(words: str, name: str = "script.toml", folder: Path | None = None) -> Script:
    """`read`, of text; `name` is what errors call it, `folder` where the files lie that it names."""
    raw = load_toml(words, name)
    try:
        found = Document.model_validate(raw)
    except ValidationError as error:
        raise FormatError(complaint(error, raw, name)) from None
    unit = 3.141592653589793 / 180.0 if found.angles == "degrees" else 1.0
    ground = ground_of(found.scene.ground, name, unit)
    own = cast(found, name, folder or Path(), ground)
    scene = scene_of(found, name, own, ground)
    count = len(touch_names(scene))
    if count > TOUCHES:
        raise FormatError(f"{name}: scene: {count:,} things may touch; at most {TOUCHES:,}. Name fewer 'features', or "
                          "fewer pairs in 'touching'.")  # fmt: skip
    plan = plan_of(found, name, own)
    record, run = found.record, found.run
    with told(f"{name}: record"):
        if record.every is not None and record.rate is not None:
            raise FormatError("'every' and 'rate' say the same. Keep one.")
        for channel in record.channels or ():
            if channel not in CHANNELS:
                raise FormatError(f"no channel '{channel[:40]}'.{did_you_mean(channel, CHANNELS)} Channels: "
                                  f"{', '.join(CHANNELS)}.")  # fmt: skip
    with told(f"{name}: run"):
        if run.method is not None and run.method not in METHODS:
            raise FormatError(f"no method '{run.method[:40]}'.{did_you_mean(run.method, METHODS)} Methods: "
                              f"{', '.join(METHODS)}.")  # fmt: skip
    script = Script(found.name, name, scene, plan, own.names, run.duration, run.dt, record.every, record.rate or RATE,
                    None if record.channels is None else tuple(record.channels), run.method, run.seed,
                    run.conserve)  # fmt: skip
    with told(f"{name}: run"):
        script.steps()
    return script
