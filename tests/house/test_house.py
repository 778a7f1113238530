"""The figures of `make house`: what they count, and those that the tree keeps."""

import ast

import pytest

import house
from source_imports import cycles, edges, modules, private_imports, room_cycles, splinters
from source_names import identifiers, retired, script_identifiers, vague_constants, words

KEPT = [  # measures whose goal is reached and stays so
    "Python files",
    "lines of the largest file",
    "splinters",
    "import cycles between subpackages",
    "import cycles between modules",
    "private imports across modules",
    "root names",
    "retired identifiers",
]


@pytest.fixture(scope="module")
def measured():
    return {measure.title: measure for measure in house.measures(types=False)}


@pytest.mark.slow
@pytest.mark.parametrize("title", KEPT)
def test_the_tree_keeps_its_goal(measured, title):
    measure = measured[title]
    assert measure.met, f"{title}: {measure.value}, goal {measure.goal}:\n" + "\n".join(measure.details)


@pytest.mark.slow
def test_the_report_names_every_measure(measured):
    text = house.report(list(measured.values()))
    assert all(title in text for title in measured)
    assert len(text.splitlines()) < 100


@pytest.fixture
def package(tmp_path):
    """Write a package from {path: text} and read it."""

    def write(files):
        for name, text in files.items():
            path = tmp_path / "pack" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return modules(tmp_path / "pack")

    return write


def test_cycles_are_those_of_top_level_imports(package):
    read = package({
        "__init__.py": "",
        "a.py": "from pack import b",
        "b.py": "from pack.c import thing",
        "c.py": "import pack.a\ndef thing(): pass",
        "d.py": "import pack.e",
        "e.py": "def f():\n    import pack.d\nif TYPE_CHECKING:\n    import pack.d",
    })  # fmt: skip
    assert cycles(edges(read, True)) == [["pack.a", "pack.b", "pack.c"]]
    assert cycles(edges(read, False)) == [["pack.a", "pack.b", "pack.c"], ["pack.d", "pack.e"]]


def test_rooms_are_compared_within_their_folder(package):
    read = package({
        "__init__.py": "from pack.left import one",
        "base.py": "",
        "left/__init__.py": "from pack.left.one import x",
        "left/one.py": "from pack.right.two import y\nfrom pack import base\nx = 1",
        "left/three.py": "",
        "right/__init__.py": "",
        "right/two.py": "from pack.left.three import z\ny = 1",
    })  # fmt: skip
    assert cycles(edges(read, True)) == []
    assert room_cycles(read) == [["pack.left", "pack.right"]]


def test_splinters_are_short_and_have_one_importer(package):
    read = package({
        "__init__.py": "LAZY = {'x': 'pack.lazy'}",
        "user.py": "from pack import short, shared, long\n" + "#\n" * 60,
        "other.py": "def f():\n    from pack.shared import x\n" + "#\n" * 60,
        "short.py": "x = 1",
        "shared.py": "x = 1",
        "lazy.py": "x = 1",
        "long.py": "#\n" * 60,
    })  # fmt: skip
    assert splinters(read) == ["pack.lazy (1 lines, for pack)", "pack.short (1 lines, for pack.user)"]


def test_private_imports_are_found_in_both_forms(package):
    read = package({
        "__init__.py": "__version__ = '1'",
        "a.py": "_x = 1",
        "b.py": "from pack.a import _x\nfrom pack import a, __version__\nprint(a._x, a.__doc__)\nfrom os import _exit",
    })  # fmt: skip
    assert private_imports(read) == ["pack.b:1: from pack.a import _x", "pack.b:3: pack.a._x"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [("touch_names", ["touch", "names"]), ("NoWay", ["no", "way"]), ("_BEND", ["bend"]), ("keepDesk", ["keep", "desk"]),
     ("halfway", ["halfway"]), ("HTTPServer", ["http", "server"]), (".tell", ["tell"])],
)  # fmt: skip
def test_identifiers_split_into_words(name, parts):
    assert words(name) == parts


def test_identifiers_are_found_wherever_python_has_them():
    code = """
import a.b as c
def d(e, *, f: g = 1):
    global h
    return f"{i.j}" + k(l=2)
match m:
    case {**n}: pass
"""
    found = {name for name, _ in identifiers(ast.walk(ast.parse(code)))}
    assert {"a", "b", "c", "d", "e", "f", "g", "h", "i", ".j", "k", "l", "m", "n"} <= found


def test_scripts_are_read_without_comments_and_strings():
    text = "// told\nconst a = 'blow' + \"grip\" + `wish`; /* calm\n */ b.way();"
    assert [name for name, _ in script_identifiers(text)] == ["const", "a", "b", "way"]


def test_retired_words_are_found_in_names_and_files(package, tmp_path):
    read = package({
        "__init__.py": "",
        "now.py": "x = 1  # told\ny = 'blow'",
        "effort_limits.py": "def tell(path):\n    path.touch()\n    return path.tell()",
        "b.py": "touch_down = touch_down + 1",
    })  # fmt: skip
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "desk.ts").write_text("let noWay = 1;")
    assert sorted(retired(read, scripts)) == [
        "b.py:1: touch_down → contact (2 times)",
        "desk.ts:1: noWay → path, navigation",
        "desk.ts:1: the name 'desk.ts' → session",
        "effort_limits.py:1: tell → command",
        "now.py:1: the name 'now.py' → observation",
    ]


def test_vague_constants_are_numbers_at_module_level(package):
    read = package(
        {"a.py": "NEAR = 1e-3\n_TINY, FAR = -1, 2\nLEAST: int = 2\nMOST = 'all'\nMAX_STEPS = 3\ndef f():\n    SOON = 1"}
    )
    assert [line.split()[-1] for line in vague_constants(read)] == ["NEAR", "_TINY", "FAR", "LEAST"]


def test_a_missed_goal_fails_the_check_only(monkeypatch, capsys):
    found = [house.Measure("files", 3, ["a", "b", "c"], "at most 2", lambda value: value <= 2)]
    monkeypatch.setattr(house, "measures", lambda types: found)
    for arguments, status in ((["house.py"], 0), (["house.py", "--check"], 1), (["house.py", "--all"], 0)):
        monkeypatch.setattr("sys.argv", arguments)
        assert house.main() == status
        assert "MISSED" in capsys.readouterr().out
