"""Scripts as files: figures, a scene, what drives them and what happens when. `read(file).run()` makes a motion."""

from anthropi.formats.scripts.schema import schema
from anthropi.formats.scripts.script import Script, parse, read

__all__ = ["Script", "parse", "read", "schema"]
