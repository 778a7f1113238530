"""Content keys of functions: every change that a recorded function could read changes the key, nothing else does."""

import os
import subprocess
import sys
import types
from dataclasses import dataclass, fields, replace

import pytest

import anthropi as ap
from anthropi.compiler.content import ContentWalk, content_key
from anthropi.gait.walker.parameters import load_walker
from anthropi.gait.walker.walker import Walker

HELPERS = """
gain = 2.0
table = {"a": 1.0}
def damp(x):
    return -0.5 * x
def unused(x):
    return 3.0 * x
"""
USER = """
import functools
from dataclasses import dataclass
from enum import Enum

import numpy as np

import content_helpers
from anthropi.algebra.scalar import where

STIFFNESS = 10.0
CURVE = [0.0, 1.0, 2.0]
WEIGHTS = np.array([1.0, 2.0])

class Side(Enum):
    LEFT = 1
    RIGHT = 2

def spring(x, scale=3.0):
    return -STIFFNESS * x * scale

class Base:
    offset = 0.25
    def law(self, x):
        return spring(x) + self.offset

class Law(Base):
    def __init__(self, figure=None):
        self.figure, self.numbers, self.side = figure, {"kp": 1.0, "kd": 2.0}, Side.LEFT
    def law(self, x):
        return super().law(x) + self.shifted(x)
    @property
    def twice(self):
        return 2.0 * self.numbers["kp"]
    @staticmethod
    def shifted(x):
        return x + 1.0

@dataclass
class Settings:
    kp: float = 5.0
    kd: float = 6.0

def counter(start):
    count = start
    def add(step):
        nonlocal count
        count += step
    def controller(x):
        def inner(y):
            return y * 7.0 + count
        return inner(x) + content_helpers.damp(x) * content_helpers.gain
    return controller, add

@functools.lru_cache
def even(n):
    return n == 0 or odd(n - 1)

def odd(n):
    return n != 0 and even(n - 1)

def scaled(factor, x):
    return factor * x

def late(x):
    from content_helpers import damp
    return damp(x)

law, settings = Law(), Settings()
controller, add = counter(1.0)
partial = functools.partial(scaled, 4.0)
def everything(x):
    curved = [c * x for c in CURVE]
    side = where(x < 0.0, 1.0, 2.0)
    steady = settings.kp + WEIGHTS @ WEIGHTS + curved[0] + side + even(3)
    return law.law(x) + controller(x) + partial(x) + late(x) + steady
"""


def load(name: str, source: str) -> types.ModuleType:
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, f"{name}.py", "exec"), vars(module))
    return module


@pytest.fixture(autouse=True)
def no_modules_are_left():
    yield
    for name in ("content_helpers", "content_user"):
        sys.modules.pop(name, None)


def user(source: str = USER, helpers: str = HELPERS) -> types.ModuleType:
    load("content_helpers", helpers)
    return load("content_user", source)


# changes

TEXT_CHANGES = {
    "helper body": ("return -STIFFNESS * x * scale", "return -STIFFNESS * x + scale"),
    "constant of a nested function": ("y * 7.0", "y * 7.5"),
    "sign of zero": ("CURVE = [0.0,", "CURVE = [-0.0,"),
    "global number": ("STIFFNESS = 10.0", "STIFFNESS = 11.0"),
    "integer for float": ("STIFFNESS = 10.0", "STIFFNESS = 10"),
    "default argument": ("scale=3.0", "scale=3.5"),
    "attribute of a base class": ("offset = 0.25", "offset = 0.5"),
    "method of a base class": ("spring(x) + self.offset", "spring(x) - self.offset"),
    "static method": ("return x + 1.0", "return x + 2.0"),
    "property": ("return 2.0 * self", "return 3.0 * self"),
    "closure cell": ("counter(1.0)", "counter(2.0)"),
    "argument of a partial": ("scaled, 4.0", "scaled, 5.0"),
    "default of a dataclass": ("kp: float = 5.0", "kp: float = 5.5"),
    "value in a dict": ('"kd": 2.0', '"kd": 2.5'),
    "order of a dict": ('{"kp": 1.0, "kd": 2.0}', '{"kd": 2.0, "kp": 1.0}'),
    "value of an enum": ("LEFT = 1", "LEFT = 3"),
    "cached function": ("n == 0 or", "n <= 0 or"),
    "mutually recursive function": ("n != 0 and", "n > 0 and"),
}


@pytest.mark.parametrize("change", TEXT_CHANGES)
def test_a_change_of_a_users_source_changes_the_key(change):
    before = content_key(user().everything)
    old, new = TEXT_CHANGES[change]
    assert USER.count(old) == 1
    after = content_key(user(USER.replace(old, new)).everything)
    assert before is not None and after is not None
    assert before != after


@pytest.mark.parametrize("old, new", [("gain = 2.0", "gain = 2.5"), ("-0.5 * x", "-0.6 * x")])
def test_a_change_of_what_is_read_from_a_users_module_changes_the_key(old, new):
    before = [content_key(f) for f in (user().everything, sys.modules["content_user"].late)]
    after = [
        content_key(f)
        for f in (user(helpers=HELPERS.replace(old, new)).everything, user(helpers=HELPERS.replace(old, new)).late)
    ]
    assert before[0] != after[0]
    assert (before[1] != after[1]) == ("0.5" in old)


CHANGES_IN_PLACE = {
    "global list": lambda m: m.CURVE.append(3.0),
    "array element": lambda m: m.WEIGHTS.__setitem__(0, 1.5),
    "closure cell by nonlocal": lambda m: m.add(1.0),
    "attribute of an instance": lambda m: setattr(m.settings, "kp", 5.5),
    "new attribute of an instance": lambda m: setattr(m.law, "extra", 1.0),
    "value in a dict": lambda m: m.law.numbers.update(kp=1.5),
    "enum member": lambda m: setattr(m.law, "side", m.Side.RIGHT),
    "attribute of a user's module": lambda m: setattr(m.content_helpers, "gain", 2.5),
    "function of a user's module": lambda m: setattr(m.content_helpers, "damp", m.content_helpers.unused),
    "method put on a class": lambda m: setattr(m.Base, "law", lambda self, x: x),
    "attribute of a function": lambda m: setattr(m.spring, "note", 1.0),
    "default argument": lambda m: setattr(m.spring, "__defaults__", (3.5,)),
    "helper bound anew": lambda m: setattr(m, "spring", m.scaled),
    "captured figure": lambda m: setattr(m.law, "figure", ap.sample("bench42")),
    "global removed": lambda m: delattr(m, "STIFFNESS"),
}


@pytest.mark.parametrize("change", CHANGES_IN_PLACE)
def test_a_change_in_place_changes_the_key(change):
    module = user()
    before = content_key(module.everything)
    assert before == content_key(module.everything)
    CHANGES_IN_PLACE[change](module)
    after = content_key(module.everything)
    assert before is not None and after is not None
    assert before != after


def test_the_mass_of_a_captured_figure_changes_the_key():
    figure = ap.sample("bench42")
    heavier = figure.with_numbers([f"{figure.links[1].name}.mass"], [1.01 * figure.links[1].mass])
    keys = [content_key(lambda x, f=f: f.mass * x) for f in (figure, heavier, ap.sample("bench42"))]
    assert keys[0] == keys[2] != keys[1]


def test_a_method_of_a_users_joint_changes_the_key_of_its_figure():
    figure = ap.sample("bench42")

    def with_joint(factor):
        @dataclass(frozen=True)
        class Geared(type(figure.joints[1])):
            def bias(self, q, u):
                return factor * super().bias(q, u)

        old = figure.joints[1]
        made = Geared(**{field.name: getattr(old, field.name) for field in fields(old) if field.init})
        return replace(figure, joints=(figure.joints[0], made, *figure.joints[2:]))

    one, other, again = with_joint(1.0), with_joint(2.0), with_joint(1.0)
    assert one.key == other.key
    assert content_key(one) == content_key(again) != content_key(other)


# no changes


def test_the_same_source_gives_the_same_key_again():
    keys = {content_key(user(text).everything) for text in (USER, USER, "\n\n# moved down\n" + USER)}
    assert len(keys) == 1


def test_what_is_not_read_does_not_count():
    before = content_key(user().everything)
    assert before == content_key(user(helpers=HELPERS.replace("3.0 * x", "4.0 * x")).everything)
    assert before == content_key(user(USER + "\nlock = open\n").everything)


@pytest.mark.slow
def test_the_key_is_the_same_in_another_process(tmp_path):
    (tmp_path / "content_helpers.py").write_text(HELPERS)
    (tmp_path / "content_user.py").write_text(USER)
    ask = "import content_user, anthropi as ap; from anthropi.compiler.content import content_key as key\n"
    ask += "print(key(content_user.everything), key({'a', 'b', 'c', 'd'}), key(ap.Scene(ap.sample('bench42'))))"
    here = [content_key(x) for x in (user().everything, {"a", "b", "c", "d"}, ap.Scene(ap.sample("bench42")))]
    for seed in ("1", "2"):
        path = os.pathsep.join([str(tmp_path), *sys.path])
        env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"}
        run = subprocess.run([sys.executable, "-c", ask], env=env, capture_output=True, text=True, check=True)
        assert run.stdout.split() == here


def test_derived_values_kept_on_a_scene_do_not_count():
    scene = ap.Scene(ap.sample("bench42"))
    before = content_key(scene)
    assert len(scene.candidates) > 0 and scene.gravity_magnitude > 0.0
    assert content_key(scene) == before == content_key(ap.Scene(ap.sample("bench42")))


# cycles


def test_a_cycle_has_the_same_key_wherever_it_is_reached_first():
    even, odd = (lambda module: (module.even, module.odd))(user())
    assert content_key(even) is not None
    walk = [content_key(x) for x in ((even, odd), (odd, even))]
    assert walk[0] != walk[1]
    assert content_key((odd, [even])) == content_key((odd, [even]))
    assert content_key([[odd], [even]]) == content_key([[odd], [user().even]])


def test_functions_that_all_call_each_other_take_linear_time():
    names = [f"f{k}" for k in range(60)]
    source = "".join(f"def {n}(x):\n    return [{', '.join(names)}]\n" for n in names)
    walk = ContentWalk()
    assert walk.key(load("content_user", source).f0)
    assert walk.visited < 10 * len(names)


# cost


def test_a_walking_human_takes_few_visits():
    figure = ap.human(detail="standard")
    scene, walker = ap.Scene(figure), Walker(figure, load_walker("natural").parameters)
    walk = ContentWalk()
    assert walk.key((scene, walker)) == content_key((scene, walker))
    assert walk.visited < 300  # about 10 µs each with their numbers and arrays: below 3 ms
