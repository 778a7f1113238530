"""Decode numbers, JSON and zip archives from files of unknown origin, in linear time and within the limits.

The decoders of the standard library and of NumPy raise many kinds of errors for damaged data. Here all of them become
a `FormatError` that names the file. Nothing is executed: pickles are not read.
"""

import ast
import contextlib
import io
import json
import math
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FileError, FormatError
from anthropi.formats import limits

__all__ = [
    "arrays_at", "check_json", "inflated", "load_json", "number_in", "opened_archive", "read_array", "read_arrays",
    "read_part", "whole_number",
]  # fmt: skip

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
ZLIB = b"\x78"  # the first byte of zlib data
METHODS = {zipfile.ZIP_STORED: "stored", zipfile.ZIP_DEFLATED: "deflated"}  # those that can be unpacked piece by piece
MAX_DIMENSIONS = 8
MAX_HEADER_BYTES = 10_000  # of one array, as in NumPy
DIRECTORY_BYTES_PER_PART = 200  # of a zip archive; names in files of AnthroPI have less than 30 characters
END, END_64, LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"  # records at the end of a zip archive


def number_in(word: str) -> float | None:
    """Return the value of a decimal number such as "-1.5e3", or None if the word is anything else.

    The time is proportional to the length of the word. The value is infinite if the number is too large for a float.
    """
    return float(word) if NUMBER.fullmatch(word) else None


# JSON


def check_json(text: str | bytes, name: str) -> None:
    """Raise `FormatError` if a JSON text has more values, or more lists and objects, than the limits allow.

    Brackets and commas are counted without parsing, also those inside strings.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    containers = data.count(b"[") + data.count(b"{")
    limits.check(name, "json_containers", containers, "lists and objects")
    limits.check(name, "json_values", containers + data.count(b","), "values")


def load_json(text: str | bytes, name: str) -> Any:
    """Parse a JSON text within the limits. `name` is the file name in error messages."""
    check_json(text, name)
    try:
        return json.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # ValueError: also a number with thousands of digits
        raise FormatError(f"{name} is damaged: {str(error)[:200]}.") from None


# zip archives


@contextlib.contextmanager
def opened_archive(source: str | os.PathLike[str] | bytes, name: str, kind: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive, a file or its bytes, after checking its number of parts and its unpacked size.

    name, kind : the file name and its kind, such as ".npz file", in error messages.
    """
    with _opened(source, name) as file:
        size = file.seek(0, os.SEEK_END)
        most = limits.current().archive_parts
        if _directory_bytes(file, size) > DIRECTORY_BYTES_PER_PART * most:
            raise limits.exceeded(name, "archive_parts", f"more than {most:,} parts")
        try:
            archive = zipfile.ZipFile(file)
        except Exception as error:
            raise _incomplete(f"{name} is not a complete {kind}", error) from None
        with archive:
            _check_parts(archive, name, size)
            yield archive


@contextlib.contextmanager
def _opened(source: str | os.PathLike[str] | bytes, name: str) -> Iterator[Any]:
    if isinstance(source, bytes):
        yield io.BytesIO(source)
        return
    path = Path(source)
    try:
        regular = path.is_file()  # False for pipes and devices, and for names that cannot be a file
    except (OSError, ValueError):
        regular = False
    if not regular:
        raise FileError(f"No file {path}. Looked in {Path.cwd()}.")
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(open(path, "rb"))
        except OSError as error:
            raise FileError(f"{name} cannot be read: {error}.") from None
        yield file


def _directory_bytes(file: Any, size: int) -> int:
    """Return the size of the directory that a zip archive says it has; 0 if it is not a zip archive."""
    file.seek(max(0, size - 2**16 - 100))
    tail = file.read()
    at = tail.rfind(END)
    if at < 0 or len(tail) < at + 22:
        return 0
    if tail[at - 20 : at - 16] == LOCATOR_64 and tail[at - 76 : at - 72] == END_64:
        return int.from_bytes(tail[at - 36 : at - 28], "little")
    return int.from_bytes(tail[at + 12 : at + 16], "little")


def _check_parts(archive: zipfile.ZipFile, name: str, size: int) -> None:
    parts = archive.infolist()
    limits.check(name, "archive_parts", len(parts), "parts")
    seen: set[str] = set()
    for part in parts:
        if part.filename in seen:
            raise FormatError(f"{name} has two entries '{part.filename[:80]}'.")
        seen.add(part.filename)
        if part.compress_type not in METHODS:
            raise FormatError(
                f"{name}: '{part.filename[:80]}' is compressed by method {part.compress_type}; only "
                f"{' and '.join(METHODS.values())} parts are read. Write it again without compression."
            )
    total = sum(part.file_size for part in parts)
    if total > limits.unpacked_limit(size):
        raise limits.exceeded(
            name,
            "unpacked_bytes",
            f"its {size:,} bytes unpack to {total:,} bytes, more than {limits.current().unpacked_ratio} times as many",
        )


def read_part(archive: zipfile.ZipFile, part: str, name: str, limit: str) -> bytes:
    """Unpack one part of an archive. limit : name of the limit on its unpacked size."""
    most = getattr(limits.current(), limit)
    try:
        entry = archive.getinfo(part)
        if entry.file_size <= most:
            with archive.open(entry) as file:
                return file.read(most)
    except KeyError:
        raise FormatError(f"{name} has no '{part}'. It is incomplete.") from None
    except Exception as error:
        raise _incomplete(f"{name}: '{part}' is not complete", error) from None
    raise limits.exceeded(name, limit, f"'{part}' has {entry.file_size:,} bytes unpacked")


def inflated(data: bytes, name: str) -> bytes:
    """Decompress zlib data up to the limit `unpacked_bytes`; other data are returned as they are."""
    if data[:1] != ZLIB:
        return data
    most, machine = limits.unpacked_limit(len(data)), zlib.decompressobj()
    try:
        found = machine.decompress(data, most)
    except zlib.error as error:
        raise _incomplete(f"{name} is not complete", error) from None
    if machine.unconsumed_tail:
        raise limits.exceeded(name, "unpacked_bytes", f"its {len(data):,} bytes unpack to more than {most:,} bytes")
    if not machine.eof:
        raise FormatError(f"{name} is not complete: its compressed data end too early.")
    return found


def _incomplete(words: str, error: Exception) -> Exception:
    """Return the error for data that cannot be unpacked; errors of AnthroPI stay as they are."""
    return error if isinstance(error, AnthropiError) else FormatError(f"{words}: {(str(error) or repr(error))[:200]}.")


def read_arrays(
    source: str | os.PathLike[str] | bytes, name: str, dtypes: Callable[[str], tuple[str, ...]]
) -> dict[str, np.ndarray]:
    """Read the arrays of an .npz file, {name: array}. Each is checked before its numbers are read.

    Parameters
    ----------
    source : the file, or its bytes. name : the file name in error messages.
    dtypes : function (name of an array) → allowed names of its dtype, such as ("float64",); "uint8" is text.
    """
    found: dict[str, np.ndarray] = {}
    with opened_archive(source, name, ".npz file") as archive:
        for entry in archive.infolist():
            part = entry.filename.removesuffix(".npy")
            if part in found:
                raise FormatError(f"{name} has two entries '{part[:80]}'.")
            try:
                with archive.open(entry) as file:
                    found[part] = read_array(file, entry.file_size, name, part, dtypes(part))
            except Exception as error:  # zlib.error, EOFError, TokenError, SyntaxError, MemoryError …
                raise _incomplete(f"{name} is not a complete .npz file: '{part[:80]}'", error) from None
    return found


def read_array(file: Any, size: int, name: str, part: str, dtypes: tuple[str, ...]) -> np.ndarray:
    """Read one array in the .npy format from an open file.

    Parameters
    ----------
    file : open at the start of the array. size : its bytes, header included.
    name, part : file name and name of the array, for error messages. dtypes : allowed names of the dtype.
    """
    shape, column_first, dtype = _header(file, f"{name}: '{part}'")
    text = dtypes == ("uint8",)
    if dtype.name not in dtypes or not dtype.isnative:
        raise FormatError(f"{name}: '{part}' has dtype {dtype}; expected {'text' if text else ' or '.join(dtypes)}.")
    body = math.prod(shape) * dtype.itemsize
    if body > size or len(shape) > MAX_DIMENSIONS:
        raise FormatError(f"{name}: '{part}' has shape {shape}, which does not agree with its {size} bytes.")
    limits.check(f"{name}: '{part}'", "text_bytes" if text else "array_bytes", body, "bytes")
    data = file.read(body)
    if len(data) != body or file.read(1):
        raise FormatError(f"{name}: '{part}' does not have the {body} bytes that its shape {shape} needs.")
    found = np.frombuffer(data, dtype)
    return np.ascontiguousarray(found.reshape(shape[::-1]).T) if column_first else found.reshape(shape)


def _header(file: Any, place: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read the header of an array in the .npy format: shape, whether the first index runs fastest, and dtype."""
    magic = file.read(8)
    width = {b"\x01\x00": 2, b"\x02\x00": 4, b"\x03\x00": 4}.get(magic[6:])
    if magic[:6] != b"\x93NUMPY" or width is None:
        raise ValueError("it is not an array in a version of the .npy format that is supported")
    length = int.from_bytes(file.read(width), "little")
    if length > MAX_HEADER_BYTES:
        raise FormatError(f"{place} has a header of {length} bytes; at most {MAX_HEADER_BYTES} are read.")
    found = ast.literal_eval(file.read(length).decode().strip())
    if not isinstance(found, dict) or set(found) != {"descr", "fortran_order", "shape"}:
        raise FormatError(f"{place} has a header whose keys are not descr, fortran_order and shape.")
    if not isinstance(found["descr"], str) or not isinstance(found["shape"], tuple):
        raise FormatError(f"{place} has dtype {str(found['descr'])[:80]} and shape {str(found['shape'])[:80]}.")
    return tuple(whole_number(n) for n in found["shape"]), bool(found["fortran_order"]), np.dtype(found["descr"])


def arrays_at(data: bytes, places: list[tuple[str, int, Any]]) -> dict[str, np.ndarray]:
    """Return the float32 arrays at places in `data`, {name: array}. Together they are not larger than the data.

    places : (name, offset [bytes], shape) of each.
    """
    arrays, left = {}, len(data)
    for name, offset, shape in places:
        try:
            sizes = tuple(whole_number(n) for n in shape)
        except (TypeError, ValueError):
            raise FormatError(f"The array '{str(name)[:40]}' has no valid shape.") from None
        count = math.prod(sizes)
        left -= 4 * count
        if not isinstance(name, str) or len(sizes) > MAX_DIMENSIONS or offset + 4 * count > len(data) or left < 0:
            raise FormatError(f"The array '{str(name)[:40]}' of shape {sizes} is larger than the data in the file.")
        arrays[name] = np.frombuffer(data, "<f4", count, offset).reshape(sizes) if count else np.zeros(sizes, "<f4")
    return arrays


def whole_number(value: Any) -> int:
    """Return a count or offset from a file; raise ValueError if it is not a whole number, or negative."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{str(value)[:40]} is not a whole number of at least 0")
    return value
