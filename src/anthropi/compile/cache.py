"""Compiled kernels on disk, shared by processes: written whole or not at all, and read only if intact.

One file an entry, in `$ANTHROPI_CACHE` (or the user's cache folder); `ANTHROPI_CACHE=off` turns it off. An entry that
does not check out is taken for missing and removed. When the folder outgrows its bound the oldest entries go.
"""

import functools
import hashlib
import json
import os
import struct
from pathlib import Path

__all__ = ["digest", "folder", "read", "source_digest", "write"]

_MAGIC = b"anthropi-cache-1\n"
_BOUND = 2 << 30  # bytes


def folder() -> Path | None:
    """Where entries live, None if the cache is off."""
    chosen = os.environ.get("ANTHROPI_CACHE", "")
    if chosen.lower() in ("off", "0", "none"):
        return None
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    return Path(base).expanduser() / "anthropi"


def digest(*parts: str) -> str:
    """A name for an entry, from everything it depends on."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@functools.cache
def source_digest() -> str:
    """Changes when the code that makes kernels changes."""
    here = Path(__file__).parent
    sha = hashlib.sha256()
    for path in sorted([*here.rglob("*.py"), *(here.parent / "tape").glob("*.py")]):
        sha.update(path.read_bytes())
    return sha.hexdigest()


def read(name: str) -> tuple[dict, bytes] | None:
    """The header and content of an entry, None if there is no intact one."""
    where = folder()
    if where is None:
        return None
    path = where / name
    try:
        data = path.read_bytes()
    except OSError:
        return None
    try:
        body = data[len(_MAGIC) + 32 :]
        if not data.startswith(_MAGIC) or hashlib.sha256(body).digest() != data[len(_MAGIC) : len(_MAGIC) + 32]:
            raise ValueError
        (size,) = struct.unpack_from("<Q", body)
        return json.loads(body[8 : 8 + size]), body[8 + size :]
    except (ValueError, struct.error):
        path.unlink(missing_ok=True)  # cut short or changed: make it again
        return None


def write(name: str, header: dict, content: bytes = b"") -> None:
    """Put an entry down; a full disk or a folder that cannot be written is no error."""
    where = folder()
    if where is None:
        return
    import tempfile  # only who writes pays for it

    head = json.dumps(header).encode()
    body = struct.pack("<Q", len(head)) + head + content
    try:
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, part = tempfile.mkstemp(dir=where, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(part, where / name)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise
        _trim(where)
    except OSError:
        return


def _trim(where: Path) -> None:
    """Remove the entries longest unused when the folder is over its bound."""
    entries = []
    for path in where.iterdir():
        try:
            entries.append((path.stat().st_mtime, path.stat().st_size, path))
        except OSError:
            continue
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= _BOUND:
            break
        path.unlink(missing_ok=True)
        total -= size
