"""Run an example as a script, and verify the motions that it makes: `python verified_example.py FILE`.

The results of all calls below `if __name__ == "__main__":` are searched for motions, also inside of lists, tuples,
dictionaries and dataclasses. The last line of the output is a JSON object with the number of verified motions and a
description of each law that fails: {"motions": 2, "failed": []}.
"""

import ast
import json
import sys
import types
from dataclasses import fields, is_dataclass
from pathlib import Path

import anthropi as ap

DEPTH = 3  # of containers in containers


class Calls(ast.NodeTransformer):
    """Replace each call f(x) by collect(f(x))."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name("__collect__", ast.Load()), [node], []), node)


def motions_in(value, depth=DEPTH):
    """All motions in a value."""
    if isinstance(value, ap.Motion):
        return [value]
    inner = []
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, (list, tuple, set)):
        inner = list(value)
    elif is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, f.name) for f in fields(value)]
    return [motion for each in inner for motion in motions_in(each, depth - 1)] if depth else []


def motions_of(file: Path) -> tuple[list[ap.Motion], list[ap.Scene]]:
    """Run an example; return its motions and the scenes in its variables."""
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    for part in tree.body:
        if isinstance(part, ast.If) and ast.unparse(part.test) == "__name__ == '__main__'":
            part.body = [Calls().visit(line) for line in part.body]
    found: dict[int, ap.Motion] = {}

    def collect(value):
        found.update({id(motion): motion for motion in motions_in(value)})
        return value

    module = types.ModuleType("__main__")
    module.__file__, module.__collect__ = str(file), collect
    sys.modules["__main__"], sys.argv = module, [str(file)]
    sys.path[0] = str(file.parent)
    exec(compile(ast.fix_missing_locations(tree), str(file), "exec"), module.__dict__)
    return list(found.values()), [value for value in vars(module).values() if isinstance(value, ap.Scene)]


def main(file: Path) -> None:
    motions, scenes = motions_of(file)
    failed = []
    for motion in motions:
        scene = next((scene for scene in scenes if scene.figure is motion.figure), None)
        result = motion.verify(scene)
        rows = [" ".join(row.cells()) for row in result.rows if row.holds is False]
        failed += [f"{motion!r}: {'; '.join(rows)}"] if rows else []
    print(json.dumps({"motions": len(motions), "failed": failed}))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
