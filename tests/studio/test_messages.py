"""Messages: every type is checked on reading, they are written as JSON, and the TypeScript agrees."""

import dataclasses
import json

import pytest

from anthropi.errors import FormatError
from anthropi.studio import messages, session
from anthropi.studio.messages import COMMANDS, EVENTS, kind_of
from anthropi.studio.messages.encoding import command_of, encoded, event_text, plain
from anthropi.studio.messages.typescript import FILE, typescript
from anthropi.studio.session.session import HANDLERS, IMMEDIATE


def test_the_typescript_is_that_of_the_messages(root):
    """messages.ts is up to date. If not, run `python -m anthropi.studio.messages.typescript`."""
    assert (root / FILE).read_text(encoding="utf-8") == typescript()


def test_every_command_is_done_by_somebody():
    """Every command has a handler, and every handler has a command."""
    assert session.StudioSession
    assert set(HANDLERS) == set(COMMANDS.values())
    assert set(HANDLERS) >= IMMEDIATE


@pytest.mark.parametrize("kind", [*COMMANDS, *EVENTS])
def test_messages_are_frozen_documented_and_have_no_field_called_kind(kind):
    """Messages are frozen dataclasses with a docstring and without a field called kind."""
    cls = {**COMMANDS, **EVENTS}[kind]
    assert dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen
    assert cls.__doc__ and kind_of(cls) == kind
    assert not {"kind", "id"} & {f.name for f in dataclasses.fields(cls)}


def test_a_command_is_read_with_its_types():
    """Integers become floats, lists become tuples, and missing fields get their defaults."""
    found = command_of({"kind": "add_link", "id": 7, "figure": 1, "name": "a", "parent": "b", "size": [1, 2, 3]})
    assert found == messages.AddLink(1, "a", "b", size=(1.0, 2.0, 3.0))
    assert all(type(x) is float for x in found.size)
    nested = command_of({"kind": "set_control", "figure": 1, "dof": "x", "control": {"of": "force", "formula": "t"}})
    assert nested.control == messages.ControlFunction("force", formula="t")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "object"),
        ({"kind": 3}, "kind"),
        ({"kind": "open_fil", "path": "a"}, "Did you mean 'open_file'"),
        ({"kind": "open_file"}, "needs the field 'path'"),
        ({"kind": "open_file", "path": 3}, "open_file.path is 3; give text"),
        ({"kind": "open_file", "path": "a", "pat": 1}, "Did you mean 'path'"),
        ({"kind": "set_dof", "figure": 1.5, "dof": "x"}, "whole number"),
        ({"kind": "set_dof", "figure": True, "dof": "x"}, "whole number"),
        ({"kind": "set_dof", "figure": 1, "dof": "x", "value": float("nan")}, "finite"),
        ({"kind": "set_dof", "figure": 1, "dof": "x", "value": 10**400}, "finite"),
        ({"kind": "set_dof", "figure": 1, "dof": "x", "done": 1}, "true or false"),
        ({"kind": "set_gravity", "gravity": [0, 0]}, "2 entries; give 3"),
        ({"kind": "set_drive", "figure": 1, "dof": "x", "drive": "magic"}, "choose one of free, force, motion"),
        ({"kind": "rename_figure", "figure": 1, "name": "a\ud83d"}, "name contains half of a character.*whole"),
        ({"kind": "open_sample", "name": "human", "options": {"a\ud83d": 1}}, "half of a character"),
        ({"kind": "check", "command": {"a": ["\ud83d"]}}, "half of a character"),
        ({"kind": "check", "command": {"a": json.loads("[" * 40 + "]" * 40)}}, "deep"),
    ],
)
def test_what_is_wrong_is_named(data, words):
    """Errors name the field, the given value and the expected type."""
    with pytest.raises(FormatError, match=words):
        command_of(data)


def test_what_json_cannot_say_is_not_said():
    """Infinite numbers and NaN become null."""
    assert plain({"a": float("inf"), "b": (1, 2.5)}) == {"a": None, "b": [1, 2.5]}
    assert encoded({"a": float("nan")}) == '{"a":null}'
    assert encoded({"half": "a\ud83d", "whole": "é\U0001f600"}).encode()  # text that UTF-8 cannot say, as in file names
    assert json.loads(event_text(messages.Finished(3, True))) == {"kind": "finished", "task": 3, "ok": True}
