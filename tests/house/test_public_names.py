"""Public names exist, and importing the package costs and changes nothing."""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import anthropi
from anthropi.peer_names import PEER_NAMES

SOURCE = Path(anthropi.__file__).parent
LAYERS = {path.name.removesuffix(".py") for path in SOURCE.iterdir()}
LAZY = {**anthropi._OBJECTS, **anthropi._MODULES}


def modules_with_all():
    """List the modules that say `__all__`; the package itself is lazy and has its own test below."""
    for file in sorted(SOURCE.rglob("*.py")):
        if file != SOURCE / "__init__.py" and re.search(r"^__all__\b", file.read_text(encoding="utf-8"), re.MULTILINE):
            parts = file.relative_to(SOURCE.parent).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def fresh(code: str):
    """Run code in a new interpreter and return what it prints, read as JSON."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE.parent), os.environ.get("PYTHONPATH", "")])}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_every_name_in_all_exists():
    wrong = []
    for module in modules_with_all():
        loaded = importlib.import_module(module)
        missing = [name for name in loaded.__all__ if not hasattr(loaded, name)]
        if missing:
            wrong.append(f"{module}.__all__ names what does not exist: {', '.join(missing)}")
        if len(set(loaded.__all__)) != len(loaded.__all__):
            wrong.append(f"{module}.__all__ names something twice")
    assert not wrong, "\n".join(wrong)


def test_every_lazy_name_loads():
    names = [name for name, module in LAZY.items() if module.split(".")[1] in LAYERS]
    missing = [name for name in names if getattr(anthropi, name, None) is None]
    hidden = [name for name in names if name not in anthropi.__all__ or name not in dir(anthropi)]
    assert names and not missing, f"public names that do not load: {', '.join(missing)}"
    assert not hidden, f"public names that __all__ or dir() lacks: {', '.join(hidden)}"


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(AttributeError, match=r"'recrod'\. Did you mean 'record'\? Public names: .*repeat"):
        _ = anthropi.recrod


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("rnea", "ap.inverse_dynamics"),
        ("aba", "ap.direct_dynamics"),
        ("crba", "ap.mass_matrix"),
        ("mj_step", "ap.Simulation"),
        ("mj_forward", "ap.direct_dynamics"),
        ("forward_kinematics", "ap.kinematics"),
        ("forwardKinematics", "ap.kinematics"),
        ("computeJointJacobians", "ap.jacobian"),
        ("integrate", "figure.integrate"),
        ("neutral", "figure.neutral"),
        ("buildModelFromUrdf", "ap.load"),
        ("MjModel", "ap.Figure"),
    ],
)
def test_a_name_of_another_package_is_answered_with_ours(theirs, ours):
    with pytest.raises(AttributeError, match=re.escape(f"'{theirs}'. In AnthroPI: {ours}")):
        getattr(anthropi, theirs)


def test_the_names_given_for_those_of_other_packages_exist():
    for theirs, ours in PEER_NAMES.items():
        assert theirs == theirs.lower().replace("_", ""), theirs
        assert theirs not in {name.lower().replace("_", "") for name in anthropi.__all__ if name in LAZY}, theirs
        for name in re.findall(r"\b(ap|figure)\.([\w.]*\w)", ours):
            found = anthropi if name[0] == "ap" else anthropi.Figure
            for part in name[1].split("."):
                found = getattr(found, part)


COMPARE = """
import json, sys
before = set(sys.modules)
{code}
new = {{name.partition(".")[0] for name in set(sys.modules) - before
       if getattr(sys.modules[name], "__file__", None) or hasattr(sys.modules[name], "__path__")}}
print(json.dumps(sorted(new - sys.stdlib_module_names - {{"anthropi"}})))
"""


@pytest.mark.parametrize("name", ["__version__", "record", "rotation"])
def test_importing_loads_no_dependency_but_numpy(name):
    if name in LAZY and LAZY[name].split(".")[1] not in LAYERS:
        return  # the layer is not written yet
    assert set(fresh(COMPARE.format(code=f"import anthropi; anthropi.{name}"))) <= {"numpy"}


def test_importing_changes_nothing():
    same = fresh("""
import json, locale, logging, os, signal, sys, warnings
import numpy as np
def settings():
    return [np.get_printoptions(), np.geterr(), warnings.filters[:], logging.root.handlers[:], logging.root.level,
            dict(os.environ), sys.path[:], sys.getrecursionlimit(), locale.getlocale(), signal.getsignal(signal.SIGINT)]
before = settings()
import anthropi
print(json.dumps([str(a) == str(b) for a, b in zip(before, settings())]))
""")
    assert all(same)


def test_importing_is_quick():
    seconds = fresh("""
import json, time
start = time.process_time()
import anthropi
print(json.dumps(time.process_time() - start))
""")
    assert seconds < 0.25  # s of work, so that what else runs on the machine does not count


def test_the_stub_for_type_checkers_names_what_the_package_has():
    """`__init__.pyi` is what tools/root_stub.py writes; run it after changing the table of public names."""
    tools = SOURCE.parents[1] / "tools"
    code = f"import json, sys; sys.path.insert(0, {str(tools)!r}); import anthropi, root_stub\n"
    code += "print(json.dumps(root_stub.stub(anthropi._OBJECTS, anthropi._MODULES)))"
    assert (SOURCE / "__init__.pyi").read_text(encoding="utf-8") == fresh(code)
    listed = re.findall(r"^from \S+ import \S+ as (\w+)$", fresh(code), re.MULTILINE)
    assert sorted(listed) == anthropi.__all__
