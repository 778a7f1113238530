"""Assemblies as files, `assembly.toml`: bodies with shapes and places, and what must be true between them."""

from anthropi.formats.assembly.reader import parse, read
from anthropi.formats.assembly.schema import schema
from anthropi.formats.assembly.writer import text, write

__all__ = ["parse", "read", "schema", "text", "write"]
