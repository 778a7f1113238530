"""The function of a study: how it is named, found again on a worker, and called.

A function is found by its module and name; a function of a script that is run as `__main__`, by the script's file. Its
content key (`compiler/content.py`) covers its code and all helpers, globals and defaults that it reads, so that a
worker with other code is refused, and a changed function is a new study. anthropi's own source is a part of the key.
"""

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from anthropi.compiler.cache import source_digest
from anthropi.compiler.content import content_key
from anthropi.errors import InputError

__all__ = ["FunctionName", "call_names", "function_key", "imported", "name_function"]


SCRIPT = "anthropi_study_"  # prefix of the names under which scripts are imported


class FunctionName(NamedTuple):
    """Where a worker finds a function.

    module : the dotted name of the module; "" for a file.
    name : the name of the function in it.
    file : the path of a script that is not importable by name; "" for a module.
    path : the folders of `sys.path` from which the module was imported, for workers on the same machine.
    """

    module: str
    name: str
    file: str = ""
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.module or self.file}:{self.name}"


def name_function(function: Callable[..., Any]) -> FunctionName:
    """Return where workers find a function; raise an error if they cannot."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if not callable(function) or not isinstance(module, str) or not isinstance(name, str):
        raise InputError(f"{function!r} is not a function of a module. Give a function defined with `def` in a module.")
    if "<" in name or "." in name:
        raise InputError(
            f"Function '{name}' is defined inside another function or class, so that workers cannot import it. Define "
            "it at the top level of a module."
        )
    if module == "__main__" or module.startswith(SCRIPT):
        file = getattr(sys.modules[module], "__file__", None)
        if file is None or not Path(file).is_file():
            raise InputError(
                f"Function '{name}' is defined in an interactive session, so that workers cannot import it. Save it in "
                "a file, such as trial.py, and import it from there."
            )
        return FunctionName("", name, str(Path(file).resolve()))
    top = sys.modules.get(module.partition(".")[0])
    file = getattr(top, "__file__", None) or ""
    folder = Path(file).resolve().parent if file else None
    if folder is not None and Path(file).name == "__init__.py":
        folder = folder.parent
    return FunctionName(module, name, "", (str(folder),) if folder is not None else ())


def imported(at: FunctionName) -> Callable[..., Any]:
    """Import a function on a worker; raise `InputError` with the reason if that is not possible."""
    try:
        if at.file:
            found: Any = _script(at.file)
        else:
            sys.path.extend(p for p in at.path if p not in sys.path)
            found = importlib.import_module(at.module)
        return getattr(found, at.name)
    except Exception as error:
        where = at.file or at.module
        raise InputError(
            f"The worker cannot import '{at.name}' from {where}: {type(error).__name__}: {error}. Install the module "
            "on every worker, or put it in a folder that all workers share."
        ) from error


def _script(file: str) -> Any:
    """Import a script under a name of its own, so that its part under `if __name__ == "__main__"` is not run."""
    name = SCRIPT + hashlib.sha256(file.encode()).hexdigest()[:12]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    folder = str(Path(file).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def function_key(function: Callable[..., Any], at: FunctionName) -> str:
    """Return a digest of the code of a function and of all that it reads, and of anthropi's source.

    If the content of the function cannot be determined (it uses compiled extensions), the source file counts instead.
    """
    known = content_key(_of_name(function, at))
    if known is None:
        source = Path(inspect.getsourcefile(function) or at.file)
        known = hashlib.sha256(source.read_bytes()).hexdigest()
    return hashlib.sha256(f"{at.name}\0{known}\0{source_digest('')}".encode()).hexdigest()


def _of_name(function: Callable[..., Any], at: FunctionName) -> Callable[..., Any]:
    """Return the function as a worker imports it. In a worker, the module of a script has another name."""
    return imported(at) if at.file else function


def call_names(function: Callable[..., Any]) -> tuple[set[str], set[str], bool]:
    """Return the names of the parameters of a function, those without a default, and whether it takes any others."""
    parameters = inspect.signature(function).parameters.values()
    named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    needed = {p.name for p in parameters if p.name in named and p.default is p.empty}
    return named, needed, any(p.kind is p.VAR_KEYWORD for p in parameters)
