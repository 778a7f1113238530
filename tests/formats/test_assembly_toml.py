"""assembly.toml: what it holds comes back, what is wrong is refused with words, and the command line solves it."""

import random
import re
import time
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

from anthropi.cli import app
from anthropi.constraints.assembly import Assembly, Body
from anthropi.constraints.primitives import Dot1, guides_of
from anthropi.errors import AnthropiError, FormatError
from anthropi.formats.figures import assembly as files
from formats.mutations import spoiled
from unit.constraints.assemblies import CONSTRAINTS, four_bar, gears, limited_gears

ENGINE = """\
format = "anthropi assembly 1"
name = "engine"

[[body]]
name = "block"
fixed = true

[[body.shape]]
kind = "cylinder"
size = [0.05, 0.02]
origin = [0.0, 0.05, 0.0]
euler = { order = "xyz", angles = [1.5707963267948966, 0.0, 0.0] }

[[body]]
name = "crank"
origin = [0.3, 0.2, 0.1]
angle_axis = { angle = 1.0, axis = [1.0, 1.0, 0.0] }

[[body.shape]]
kind = "cylinder"
size = [0.06, 0.012]
euler = { order = "xyz", angles = [1.5707963267948966, 0.0, 0.0] }

[[body.shape]]
kind = "capsule"
size = [0.012, 0.04]
origin = [0.04, -0.02, 0.0]
euler = { order = "xyz", angles = [1.5707963267948966, 0.0, 0.0] }

[[body]]
name = "rod"
origin = [-0.2, -0.1, 0.15]
rotation_vector = [0.5, -1.0, 2.0]

[[body.shape]]
kind = "capsule"
size = [0.01, 0.15]
origin = [0.0, 0.0, 0.075]

[[body]]
name = "piston"
origin = [0.1, -0.3, 0.3]
rotation_vector = [2.0, 0.0, 1.0]

[[body.shape]]
kind = "cylinder"
size = [0.04, 0.06]

[[constraint]]
name = "main bearing"
type = "hinge"
a = { body = "block", along = [0.0, 1.0, 0.0] }
b = { body = "crank", along = [0.0, 1.0, 0.0] }

[[constraint]]
name = "crank pin"
type = "hinge"
a = { body = "crank", at = [0.04, -0.03, 0.0], along = [0.0, 1.0, 0.0] }
b = { body = "rod", along = [0.0, 1.0, 0.0] }

[[constraint]]
name = "piston pin"
type = "cylinder"
a = { body = "rod", at = [0.0, 0.0, 0.15], along = [0.0, 1.0, 0.0] }
b = { body = "piston", along = [0.0, 1.0, 0.0] }

[[constraint]]
name = "bore"
type = "cylinder"
a = { body = "block", at = [0.0, -0.03, 0.2] }
b = { body = "piston" }
"""


def run(*words):
    return CliRunner().invoke(app, [str(w) for w in words], env={"COLUMNS": "200"})


def written(folder, words=ENGINE, name="engine.toml"):
    path = folder / name
    path.write_bytes(words.encode() if isinstance(words, str) else words)
    return path


# reading and writing


def test_every_constraint_comes_back():
    rng = np.random.default_rng(0)
    every = [make(rng) for make, _ in CONSTRAINTS.values()] + limited_gears(rng)
    first = Assembly([Body(n, rng.normal(size=3), rng.normal(size=4), fixed=n == "a") for n in "abcd"], every)
    second = files.parse(files.text(first))
    assert np.array_equal(first.coordinates.start(), second.coordinates.start()) and second.bodies[0].fixed
    for a, b in zip(first.constraints, second.constraints, strict=True):
        assert type(a) is type(b) and a.name == b.name and a.removes == b.removes
        for p, q in zip((*a.primitives(), *guides_of(a)), (*b.primitives(), *guides_of(b)), strict=True):
            for f, g in zip(p.features(), q.features(), strict=True):
                assert type(f) is type(g) and f.body == g.body
                np.testing.assert_allclose(f[1], g[1], rtol=3e-16, atol=0)  # an angle's directions are made unit twice
    assert len(files.parse(files.text(second)).constraints) == len(first.constraints)


def test_every_type_is_tested():
    rng = np.random.default_rng(1)
    made = {type(c) for c in [*(make(rng) for make, _ in CONSTRAINTS.values()), *limited_gears(rng)]}
    from anthropi.formats.figures.assembly import TYPES

    assert {kind.make for kind in TYPES.values()} == made


def test_shapes_and_places_come_back():
    first = files.parse(ENGINE)
    second = files.parse(files.text(first))
    for a, b in zip(first.bodies, second.bodies, strict=True):
        assert np.array_equal(a.quaternion, b.quaternion) and np.array_equal(a.position, b.position)
        for s, t in zip(a.shapes, b.shapes, strict=True):
            assert (s.kind, s.size, s.colour, s.name) == (t.kind, t.size, t.colour, t.name)
            assert np.array_equal(s.placement.rotation, t.placement.rotation)
            assert np.array_equal(s.placement.origin, t.placement.origin)


def test_a_solved_assembly_is_written_where_it_is(tmp_path):
    solved = files.parse(ENGINE).solve()
    files.write(solved, tmp_path / "solved.toml")
    again = files.read(tmp_path / "solved.toml")
    assert np.array_equal(again.coordinates.start(), solved.x)
    assert max(v for v, _ in again.solve().residuals.values()) < 1e-12


def test_what_a_file_cannot_hold_is_refused():
    odd = Assembly([Body("a")], [Dot1(*[four_bar().constraints[0].primitives()[3].u._replace(body="a")] * 2)])
    with pytest.raises(FormatError, match="is a Dot1, which an assembly"):
        files.text(odd)
    _, other, _, gear, _ = gears(np.random.default_rng(2))
    with pytest.raises(FormatError, match="which is not in the assembly"):
        files.text(Assembly([Body(n) for n in "abcd"], [other, gear]))


def test_schema():
    assert files.schema()["properties"]["format"]["const"] == "anthropi assembly 1"


# what is wrong

GEAR = '[[constraint]]\nname = "g"\ntype = "gear"\na = "main bearing"\nb = "main bearing"\nteeth = [%d, 2]\n'
WRONG = {
    "an unknown key": ('name = "crank"', 'name = "crank"\nfixd = true',
                       "'crank' fixd: no such key, did you mean 'fixed'"),
    "an unknown type": ('type = "hinge"', 'type = "hing"', "the unknown type 'hing'. Did you mean 'hinge'"),
    "a key of another type": ('type = "hinge"', 'type = "hinge"\npitch = 1.0', "has no key 'pitch'. Its keys: a, b"),
    "a key that is missing": ('type = "hinge"', 'type = "screw"', "the type screw needs the key 'pitch'"),
    "a feature of another kind": ('b = { body = "crank", along',
                                  'b = { body = "crank", normal', "the key 'normal', which matches no allowed feature"),
    "a body that is not there": ('b = { body = "crank"', 'b = { body = "crnk"',
                                 "'crnk', which does not exist. Did you mean"),
    "not a number": ("origin = [0.3, 0.2, 0.1]", "origin = [0.3, nan, 0.1]", "must be a finite number"),
    "a number too large": ("origin = [0.3, 0.2, 0.1]", "origin = [0.3, 1e12, 0.1]", "at most 1e9 m"),
    "a feature too far": ("at = [0.04, -0.03, 0.0]", "at = [1e300, 0.0, 0.0]", "less than or equal to 1000000000"),
    "four numbers": ("at = [0.04, -0.03, 0.0]", "at = [0.04, -0.03, 0.0, 1.0]", "'crank pin' a at"),
    "a direction without length": ('b = { body = "rod", along = [0.0, 1.0', 'b = { body = "rod", along = [0.0, 0.0',
                                   "not all zero"),
    "a joint where a table is wanted": ('b = { body = "piston" }', 'b = "piston pin"', "give a table with body"),
    "the same name twice": ('name = "crank pin"', 'name = "bore"', "two constraints are called 'bore'"),
    "the same body twice": ('name = "rod"', 'name = "crank"', "bodies of 'engine' are called 'crank'"),
    "another format": ("anthropi assembly 1", "anthropi figure 1", "format: Input should be 'anthropi assembly 1'"),
    "no quaternion": ("rotation_vector = [2.0", "quaternion = [0.0, 0.0, 0.0, 0.0]\\nrotation_vector = [2.0",
                      "Keep only one"),
    "a shape without size": ("size = [0.04, 0.06]", "size = [0.04]", "its cylinder has 1 sizes. Give 2"),
    "a mesh elsewhere": ('kind = "cylinder"\nsize = [0.04, 0.06]',
                         'kind = "mesh"\nfile = "../x.stl"\nsize = [1.0, 1.0, 1.0]',
                         "leads out of"),
    "a gear before its joint": ('[[constraint]]\nname = "main', GEAR % 1 + '\n[[constraint]]\nname = "main',
                                "no joint 'main bearing' is defined before it"),
    "teeth that are none": ('[[constraint]]\nname = "crank', GEAR % 0 + '\n[[constraint]]\nname = "crank', "not zero"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_is_refused(name):
    old, new, words = WRONG[name]
    assert old in ENGINE
    with pytest.raises(FormatError) as caught:
        files.parse(ENGINE.replace(old, new.replace("\\n", "\n"), 1), "engine.toml")
    assert words in str(caught.value) and "engine.toml" in str(caught.value) and len(str(caught.value)) < 1000


HOSTILE = {
    "deep": ENGINE + "x = " + "[" * 100_000 + "]" * 100_000,
    "long integer": ENGINE.replace("0.3, 0.2", "9" * 100_000 + ", 0.2"),
    "binary": random.Random(3).randbytes(300) + b"\xff",
    "empty": "",
    "many bodies": ENGINE + "".join(f'[[body]]\nname = "x{i}"\n' for i in range(20_000)),
    "many keys": "".join(f"k{i} = 1\n" for i in range(50_000)) + ENGINE,
    "truncated": ENGINE[: len(ENGINE) // 2] + "[",
    "null": ENGINE.replace("rod", "r\x00d"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_quickly(name, tmp_path):
    path, start = written(tmp_path, HOSTILE[name]), time.process_time()
    with pytest.raises(FormatError) as caught:
        files.read(path)
    assert time.process_time() - start < 2.0 and len(str(caught.value)) < 1000  # s, of this process


def changed(words, rng):
    """The text with some of its numbers replaced."""
    for _ in range(rng.randrange(1, 4)):
        spot = rng.choice(list(re.finditer(r"-?\d+\.\d+", words)))
        other = rng.choice(["0.0", "-1.0", "1e-300", "1e9", "-1e9", "0.1", "1e-9", "3.0", "1e300"])
        words = words[: spot.start()] + other + words[spot.end() :]
    return words


@pytest.mark.slow
def test_spoiled_files_are_read_or_refused():
    read = 0
    for seed in range(400):
        rng = random.Random(f"assembly {seed}")
        data = (
            changed(ENGINE, rng)
            if seed % 4 == 0
            else spoiled(ENGINE, rng, rng.randrange(1, 5)).decode("utf-8", "replace")
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                found = files.parse(data, "engine.toml")
            except AnthropiError as error:
                assert str(error).strip()
                continue
            read += 1
            assert np.array_equal(files.parse(files.text(found)).coordinates.start(), found.coordinates.start())
            try:
                solved = found.solve(restarts=0)
            except AnthropiError:
                continue
            assert max(v for v, _ in solved.residuals.values()) < 1e-9 * max(1.0, found.size)
            assert solved.freedom + sum(solved.adds.values()) == solved.problems[-1].n and solved.explain()
    assert read > 30  # some survive


# the command


@pytest.mark.slow
def test_assemble_prints_what_holds_and_what_is_left(tmp_path):
    result = run("assemble", written(tmp_path), "--out", tmp_path / "solved.toml", "--plot", tmp_path / "engine.png")
    assert result.exit_code == 0, result.output
    for words in ("engine: 4 bodies, 1 of them fixed, 4 constraints", "main bearing", "hinge", "block, crank",
                  "1 repeat others", "18 degrees of freedom, 17 removed, 1 left", "crank, rod and piston move together",
                  "piston slides along (0, 0, 1), relative to block", "drawn: ", "wrote: "):  # fmt: skip
        assert words in result.output, words
    assert (tmp_path / "engine.png").read_bytes().startswith(b"\x89PNG")
    assert np.abs(files.read(tmp_path / "solved.toml").coordinates.start()[3, :2] - [0.0, -0.03]).max() < 1e-12


@pytest.mark.slow
def test_assemble_ends_with_the_conflict_in_one_line(tmp_path):
    short = ENGINE.replace("at = [0.0, 0.0, 0.15]", "at = [0.0, 0.0, 0.01]").replace(
        "at = [0.0, -0.03, 0.2]", "at = [0.2, 0.0, 0.0]"
    )
    result = run("assemble", written(tmp_path, short), "--out", tmp_path / "solved.toml")
    assert result.exit_code == 2 and not (tmp_path / "solved.toml").exists()
    assert result.output.count("\n") == 1 and "'bore' cannot hold together" in result.output


@pytest.mark.slow
def test_assemble_by_newton_and_refusals(tmp_path):
    path = written(tmp_path)
    assert run("assemble", path, "--out", tmp_path / "solved.toml").exit_code == 0
    near = run("assemble", tmp_path / "solved.toml", "--method", "newton")
    assert near.exit_code == 0 and "1 attempts, 1 evaluations" in near.output
    for words, said in ((["--method", "magic"], "Unknown method 'magic'"), (["--out", path], "is the input file"),
                        (["--plot", tmp_path / "x.png", "--view", "below"], "No view 'below'"),
                        (["--plot", tmp_path / "x.xyz"], "cannot be drawn")):  # fmt: skip
        result = run("assemble", path, *words)
        assert result.exit_code == 2 and said in result.output
    assert run("assemble", tmp_path / "none.toml").exit_code == 2
