"""Make a WebAssembly module from the relocatable object that LLVM writes, without a linker.

The object of a kernel contains all functions it calls. What it lacks as a module, and what is done here:

1. It imports a memory, and the stack pointer if a function needs a stack. The module imports the memory, as
   `env.memory`, and nothing else; the stack pointer becomes a global of its own.
2. Addresses of constant tables count from 0. They are moved to `DATA_START` (relocations of the object).
3. Nothing is exported. The module exports the function `run`.

Format: WebAssembly Core Specification, chapter 5 (binary format); for the sections `linking` and `reloc.CODE`,
WebAssembly Object File Linking (tool-conventions, Linking.md).
"""

from collections.abc import Iterator
from typing import NamedTuple

from anthropi.errors import BuildError

__all__ = ["DATA_START", "Linked", "link"]

DATA_START = 1024  # [byte], address of the constant tables; no array has address 0
STACK_BYTES = 65536  # [byte], only if a function needs a stack
PAGE = 65536  # [byte]
_ALIGNMENT = 128  # [byte], of the first free address

_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _GLOBAL, _EXPORT, _DATA_COUNT, _CODE, _DATA = 0, 1, 2, 3, 6, 7, 12, 10, 11
_ORDER = (_TYPE, _IMPORT, _FUNCTION, _GLOBAL, _EXPORT, _DATA_COUNT, _CODE, _DATA)
_FUNCTION_KIND, _TABLE_KIND, _MEMORY_KIND, _GLOBAL_KIND = 0, 1, 2, 3  # of imports and exports
_FUNCTION_SYMBOL, _DATA_SYMBOL, _SECTION_SYMBOL = 0, 1, 3
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40  # flags of a symbol
_INDEX_RELOCATIONS = (0, 6, 7)  # function, type and global indices: right as they are, as none of them moves
_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_WORD = 3, 4, 5  # relocations of addresses: unsigned, signed, four bytes


class Linked(NamedTuple):
    """A module, and the first address [byte] that neither its tables nor its stack use."""

    code: bytes
    free: int


class _Reader:
    """Reader of numbers and names in the binary format."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """Read an unsigned whole number (LEB128)."""
        return self._leb128()[0]

    def signed(self) -> int:
        """Read a signed whole number (LEB128): bit 6 of the last byte is the sign."""
        value, bits = self._leb128()
        return value - (1 << bits) if value >> (bits - 1) else value

    def _leb128(self) -> tuple[int, int]:
        """Read seven bits of each byte, lowest first, until one is below 128: the value and its number of bits."""
        value = bits = 0
        while True:
            x = self.byte()
            value |= (x & 127) << bits
            bits += 7
            if x < 128:
                return value, bits

    def bytes(self) -> bytes:
        """Read a block of bytes that begins with its length."""
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        return self.bytes().decode()


def _leb(n: int) -> bytes:
    """Return an unsigned whole number (LEB128)."""
    out = bytearray()
    while True:
        x, n = n & 127, n >> 7
        out.append(x | 128 if n else x)
        if not n:
            return bytes(out)


def _sleb(n: int) -> bytes:
    """Return a signed whole number (LEB128)."""
    out = bytearray()
    while True:
        x, n = n & 127, n >> 7
        done = n == (-1 if x & 64 else 0)
        out.append(x if done else x | 128)
        if done:
            return bytes(out)


def _padded(n: int) -> bytes:
    """Return a whole number in five bytes, as the object reserves them for an address (signed or not)."""
    return bytes([n >> 7 * k & 127 | 128 for k in range(4)] + [n >> 28 & 15])


def _named(text: str) -> bytes:
    return _leb(len(text)) + text.encode()


class _Object:
    """The parts of an object that linking needs."""

    def __init__(self, data: bytes) -> None:
        if data[:8] != b"\0asm\1\0\0\0":
            raise BuildError("LLVM did not write a WebAssembly object. Check the version of llvmlite.")
        self.sections: dict[int, bytes] = {}
        self.custom: dict[str, _Reader] = {}
        self.numbers: list[int] = []  # kind of each section, in order: relocations name sections by position
        reader = _Reader(data, 8)
        while reader.at < len(data):
            kind, body = reader.byte(), reader.bytes()
            self.numbers.append(kind)
            if kind == _CUSTOM:
                inside = _Reader(body)
                self.custom[inside.text()] = inside
            else:
                self.sections[kind] = body
        self.functions: dict[str, int] = {}  # name → index
        self.symbols: list[tuple[int, int] | None] = []  # data symbols: (segment, offset)
        self.stack = False
        self._read_imports()
        self._read_symbols()

    def _read_imports(self) -> None:
        """Check that the object needs nothing but a memory, a table of no functions and the stack pointer."""
        reader = _Reader(self.sections.get(_IMPORT, b"\0"))
        for _ in range(reader.number()):
            reader.text()
            name, kind = reader.text(), reader.byte()
            if kind == _MEMORY_KIND:
                flags = reader.byte()
                for _ in range(1 + (flags & 1)):
                    reader.number()
            elif kind == _GLOBAL_KIND and name == "__stack_pointer":
                reader.at += 2
                self.stack = True
            elif kind == _TABLE_KIND:
                reader.byte()
                flags = reader.byte()
                for _ in range(1 + (flags & 1)):
                    reader.number()
            else:
                raise BuildError(
                    f"The code generated for a tape needs '{name}', which WebAssembly lacks. Please report this."
                )

    def _read_symbols(self) -> None:
        """Read the symbol table, subsection 8 of the section `linking`."""
        reader = self.custom["linking"]
        reader.number()  # version
        while reader.at < len(reader.data):
            kind, body = reader.byte(), _Reader(reader.bytes())
            if kind != 8:
                continue
            for _ in range(body.number()):
                what, flags, place = body.byte(), body.number(), None
                if what == _DATA_SYMBOL:
                    body.text()
                    if not flags & _UNDEFINED:
                        place = body.number(), body.number()
                        body.number()  # size
                elif what == _SECTION_SYMBOL:
                    body.number()
                else:
                    index = body.number()
                    if not flags & _UNDEFINED or flags & _EXPLICIT_NAME:
                        name = body.text()
                        if what == _FUNCTION_SYMBOL:
                            self.functions[name] = index
                self.symbols.append(place)

    def segments(self) -> list[tuple[int, bytes]]:
        """Return the constant tables: (address from 0, content)."""
        found, reader = [], _Reader(self.sections.get(_DATA, b"\0"))
        for _ in range(reader.number()):
            if reader.number() != 0 or reader.byte() != 0x41:  # active, in memory 0, at i32.const
                raise BuildError("LLVM wrote an unknown kind of data segment. Check the version of llvmlite.")
            address = reader.signed()
            reader.byte()  # end
            found.append((address, reader.bytes()))
        return found

    def relocations(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield (kind, offset in the code section, symbol, addend) of all relocations of addresses."""
        for name, reader in self.custom.items():
            if not name.startswith("reloc."):
                continue
            section = self.numbers[reader.number()]
            for _ in range(reader.number()):
                kind, offset, index = reader.byte(), reader.number(), reader.number()
                if kind in _INDEX_RELOCATIONS:
                    continue
                if section != _CODE or kind not in (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_WORD):
                    raise BuildError(f"LLVM wrote a relocation of unknown kind {kind}. Check the version of llvmlite.")
                yield kind, offset, index, reader.signed()


def link(data: bytes, export: str = "run") -> Linked:
    """Make a module that imports `env.memory` and exports one function; see the top of this file.

    Raises
    ------
    BuildError : the object needs a function or a relocation that is not expected of a kernel.
    """
    own = _Object(data)
    segments = own.segments()
    code = bytearray(own.sections[_CODE])
    for kind, offset, index, addend in own.relocations():
        place = own.symbols[index]
        if place is None:
            raise BuildError("The code generated for a tape uses an undefined table. Please report this.")
        value = DATA_START + segments[place[0]][0] + place[1] + addend
        new = value.to_bytes(4, "little") if kind == _ADDRESS_WORD else _padded(value)
        code[offset : offset + len(new)] = new
    end = DATA_START + max((address + len(content) for address, content in segments), default=0)
    sections = {_TYPE: own.sections[_TYPE], _FUNCTION: own.sections[_FUNCTION], _CODE: bytes(code)}
    if own.stack:  # grows downwards
        end = -(-end // 16) * 16 + STACK_BYTES
        sections[_GLOBAL] = b"\x01\x7f\x01\x41" + _sleb(end) + b"\x0b"
    pages = -(-end // PAGE)
    sections[_IMPORT] = b"\x01" + _named("env") + _named("memory") + bytes([_MEMORY_KIND, 0]) + _leb(pages)
    sections[_EXPORT] = b"\x01" + _named(export) + bytes([_FUNCTION_KIND]) + _leb(own.functions[export])
    if segments:
        placed = [b"\0\x41" + _sleb(DATA_START + a) + b"\x0b" + _leb(len(c)) + c for a, c in segments]
        sections[_DATA] = _leb(len(segments)) + b"".join(placed)
    out = data[:8]
    for section in _ORDER:
        if section in sections:
            out += bytes([section]) + _leb(len(sections[section])) + sections[section]
    return Linked(out, -(-end // _ALIGNMENT) * _ALIGNMENT)
