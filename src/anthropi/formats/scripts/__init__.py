"""Scripts: files that define figures, a scene, controllers and timed events. `read(file).run()` simulates a script."""

from anthropi.formats.scripts.schema import schema
from anthropi.formats.scripts.script import Script, parse, read

__all__ = ["Script", "parse", "read", "schema"]
