"""Scripts as files: figures, a scene, what drives them and what happens when. `read(file).run()` makes a motion."""

from anthropi.formats.script.reader import parse, read
from anthropi.formats.script.schema import schema
from anthropi.formats.script.script import Script

__all__ = ["Script", "parse", "read", "schema"]
