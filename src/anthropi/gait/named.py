"""Small text files that come with the package, or a user's own: found by name, read with care. TOML; floats only."""

import tomllib
from pathlib import Path

from anthropi.errors import FormatError, did_you_mean

__all__ = ["names_in", "read_named"]

LARGEST = 1 << 20  # bytes


def names_in(folder: Path) -> tuple[str, ...]:
    """Names of the files in a folder."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def read_named(name, folder: Path, what: str, make, has: str, also: str = ""):
    """make(contents) of the file `name` in a folder, or of a path that ends in .toml.

    what : it is, in words. has : what such a file has. also : other choices. FormatError names the file and the reason.
    """
    path = Path(name) if str(name).endswith(".toml") else folder / f"{name}.toml"
    if not path.is_file():
        known = names_in(folder)
        raise FormatError(f"No {what} '{name}'.{did_you_mean(str(name), known)} There are: {', '.join(known)}; or give "
                          f"a .toml file{also}.")  # fmt: skip
    if path.stat().st_size > LARGEST:
        raise FormatError(f"{path} is larger than {LARGEST} bytes: no {what}.")
    try:
        return make(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is no {what}'s file: {error}. It has {has}.") from None
