"""Cache of compiled kernels on disk, shared by processes.

Each entry is one file in the folder `$ANTHROPI_CACHE`, by default the user's cache folder; `ANTHROPI_CACHE=off`
disables the cache. Entries are written atomically and checked when they are read: a damaged entry is removed and
treated as missing. When the folder exceeds its maximum size, the least recently used entries are removed.

Entries contain machine code. So a folder or an entry that another user owns or can write to is not used (root is
trusted). A `CacheWarning` says so once.
"""

import contextlib
import functools
import hashlib
import itertools
import json
import os
import struct
import time
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from anthropi.errors import CacheWarning

__all__ = ["digest", "export_entries", "folder", "import_entries", "read", "source_digest", "used_entries", "write"]

_MAGIC = b"anthropi-cache-1\n"
_MAX_BYTES = 2 << 30  # [byte], size of all entries
_WRITES_PER_TRIM = 50  # trimming looks at every entry
_writes = itertools.count(1)
_PART = ".part-"  # prefix of an entry that is being written
_MAX_PART_AGE = 600.0  # [s] since its last change; older ones are left over from a killed process
_used: dict[str, None] = {}  # names of the entries that this process has read or written, in that order
_refused: set[Path] = set()  # folders for which a warning was issued
_SUFFIXES = (".code", ".cubin", ".help", ".lanes", ".ptx", ".tape", ".wasm")


def folder() -> Path | None:
    """Return the cache folder; None if the cache is off or there is no home directory."""
    chosen = os.environ.get("ANTHROPI_CACHE", "")
    if chosen.lower() in ("off", "0", "none"):
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    try:
        return Path(chosen).expanduser() if chosen else Path(base).expanduser() / "anthropi"
    except RuntimeError:  # no home directory
        return None


def digest(*parts: str) -> str:
    """Return the name of a cache entry: a digest of `parts`, which must contain everything the entry depends on."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@functools.cache
def source_digest(*folders: str) -> str:
    """Return a digest of the Python source in these folders of the package.

    `source_digest("")` covers the whole package. By default the folders that generate kernels are covered.
    """
    here = Path(__file__).parents[1]
    sha = hashlib.sha256()
    for folder in folders or ("compiler", "tape"):
        for path in sorted((here / folder).rglob("*.py")):
            sha.update(path.read_bytes())
    return sha.hexdigest()


def read(name: str) -> tuple[dict[str, Any], bytes] | None:
    """Return the header and the content of a cache entry; None if it is missing or damaged."""
    where = folder()
    if where is None:
        return None
    path = where / name
    try:
        with open(path, "rb") as file:
            if not (_trusted(where, os.stat(where)) and _trusted(path, os.fstat(file.fileno()))):
                return None
            data = file.read()
    except OSError:
        return None
    try:
        body = data[len(_MAGIC) + 32 :]
        if not data.startswith(_MAGIC) or hashlib.sha256(body).digest() != data[len(_MAGIC) : len(_MAGIC) + 32]:
            raise ValueError
        (size,) = struct.unpack_from("<Q", body)
        header = json.loads(body[8 : 8 + size])
        with contextlib.suppress(OSError):
            os.utime(path)  # recently used entries are kept longest
        _used[name] = None
        return header, body[8 + size :]
    except (ValueError, struct.error):
        with contextlib.suppress(OSError):
            path.unlink()  # truncated or changed: compile again
        return None


def used_entries() -> tuple[str, ...]:
    """Return the names of the entries that this process has read or written."""
    return tuple(_used)


def export_entries(names: Iterable[str]) -> dict[str, bytes]:
    """Return entries as bytes, for the cache of another machine; entries that are gone are left out."""
    found = {}
    for name in names:
        entry = read(name)
        if entry is not None:
            head = json.dumps(entry[0]).encode()
            found[name] = struct.pack("<Q", len(head)) + head + entry[1]
    return found


def import_entries(entries: Mapping[str, bytes]) -> int:
    """Write entries of another machine that are missing here; return how many. The sender must be trusted."""
    count, where = 0, folder()
    for name, body in entries.items():
        if where is None or not name.endswith(_SUFFIXES) or Path(name).name != name or (where / name).exists():
            continue
        (size,) = struct.unpack_from("<Q", body)
        write(name, json.loads(body[8 : 8 + size]), body[8 + size :])
        count += 1
    return count


def write(name: str, header: dict[str, Any], content: bytes = b"") -> None:
    """Write a cache entry. A full disk or a read-only folder is not an error."""
    where = folder()
    if where is None:
        return
    import tempfile  # reading does not need it

    head = json.dumps(header).encode()
    body = struct.pack("<Q", len(head)) + head + content
    try:
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _trusted(where, os.stat(where)):
            return
        handle, part = tempfile.mkstemp(dir=where, prefix=_PART)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(part, where / name)
            _used[name] = None
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise
        if next(_writes) % _WRITES_PER_TRIM == 0:
            _trim(where)
    except OSError:
        return


def _trusted(path: Path, found: os.stat_result) -> bool:
    """Return whether only this user and root can have written a file or folder; otherwise warn."""
    if not hasattr(os, "getuid"):  # Windows, where the user's folders have access lists
        return True
    own, theirs = found.st_uid in (os.getuid(), 0), found.st_mode & 0o022
    if own and not theirs:
        return True
    where = path if path.is_dir() else path.parent
    what = "it" if path is where else f"its file {path.name}"
    mode = f"{found.st_mode & 0o777:o}"
    reason = f"other users can write to {what} (mode {mode})" if own else f"{what} belongs to another user"
    if where not in _refused:
        _refused.add(where)
        warnings.warn(
            f"The kernel cache {where} is not used: {reason}, which would let them run machine code under your "
            f"account. Run 'chmod -R go-w {where}' if it is yours, or set ANTHROPI_CACHE to a folder of your own, or "
            "to 'off'.",
            CacheWarning,
            stacklevel=2,
        )
    return False


def _trim(where: Path) -> None:
    """Remove the least recently used entries until the cache is within its maximum size; keep all other files.

    Parts of entries that a killed process has left are removed, too.
    """
    entries = []
    for path in where.iterdir():
        if path.name.startswith(_PART):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _MAX_PART_AGE:
                    path.unlink()
        if path.suffix not in _SUFFIXES or len(path.stem) != 64:
            continue
        try:
            entries.append((path.stat().st_mtime, path.stat().st_size, path))
        except OSError:
            continue
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= _MAX_BYTES:
            break
        path.unlink(missing_ok=True)
        total -= size
