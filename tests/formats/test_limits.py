"""Reading limits: changed for a while or in the environment, with errors that say how to raise them."""

import threading
from dataclasses import fields

import pytest

from anthropi.errors import FormatError, InputError
from anthropi.formats import limits
from anthropi.formats.limits import Limits


def test_limits_are_changed_inside_a_block_only():
    usual = limits.current()
    with limits.changed(table_rows=5) as now:
        assert now.table_rows == 5 and now.table_columns == usual.table_columns
        with limits.changed(table_columns=7):
            assert (limits.current().table_rows, limits.current().table_columns) == (5, 7)
    assert limits.current() == usual


def test_other_threads_keep_their_limits():
    found = []
    with limits.changed(table_rows=5):
        thread = threading.Thread(target=lambda: found.append(limits.current().table_rows))
        thread.start()
        thread.join()
    assert found == [Limits().table_rows]


def test_limits_from_the_environment(monkeypatch):
    monkeypatch.setenv(limits.VARIABLE, "table_rows=10_000_000, numbers=7 bvh_bones=9")
    now = limits.current()
    assert (now.table_rows, now.numbers, now.bvh_bones) == (10_000_000, 7, 9)
    for text, words in (("rows=3", "No limit 'rows'"), ("numbers=x", "'numbers=x'"), ("numbers", "whole numbers"),
                        ("numbers=0", "at least 1")):  # fmt: skip
        monkeypatch.setenv(limits.VARIABLE, text)
        with pytest.raises(InputError, match=words):
            limits.current()


def test_wrong_limits_are_refused():
    for changes, words in (({"table_row": 1}, "Did you mean 'table_rows'"), ({"numbers": 1.5}, "whole number"),
                           ({"numbers": True}, "whole number"), ({"numbers": -1}, "at least 1")):  # fmt: skip
        with pytest.raises(InputError, match=words), limits.changed(**changes):
            pass


def test_an_error_names_the_file_the_limit_and_how_to_raise_it():
    limits.check("a.csv", "numbers", limits.current().numbers, "numbers")
    with pytest.raises(FormatError) as caught:
        limits.check("a.csv", "numbers", 10**9, "numbers")
    for part in ("a.csv: 1,000,000,000 numbers", "limit numbers is 50,000,000", "limits.changed(numbers=",
                 f"{limits.VARIABLE}='numbers="):  # fmt: skip
        assert part in str(caught.value)


def test_every_limit_is_described(root):
    page = (root / "docs" / "formats.md").read_text("utf-8")
    assert [field.name for field in fields(Limits) if f"`{field.name}`" not in page] == []
