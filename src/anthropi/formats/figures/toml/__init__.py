"""The native figure format, `figure.toml`. It stores the whole figure exactly; edits keep comments and layout."""

from anthropi.formats.figures.toml.edit import edit, update
from anthropi.formats.figures.toml.reader import parse, parse_data, read, read_state
from anthropi.formats.figures.toml.schema import schema
from anthropi.formats.figures.toml.writer import document_text, plain_copy, text, write

__all__ = [
    "document_text",
    "edit",
    "parse",
    "parse_data",
    "plain_copy",
    "read",
    "read_state",
    "schema",
    "text",
    "update",
    "write",
]
