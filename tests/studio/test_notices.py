"""Licence notices of third parties: in the bundle, in exported pages, in the wheel's metadata."""

import json
import re
import tomllib

import pytest

from anthropi.formats.pages.html import page_text
from conftest import ROOT

BUNDLE = ROOT / "src" / "anthropi" / "formats" / "pages" / "bundle"
DEPENDENCIES = json.loads((ROOT / "studio" / "package.json").read_text(encoding="utf-8"))["dependencies"]
GRANT = "Permission is hereby granted, free of charge"
HOLDERS = {"three": "three.js authors", "uplot": "Leon Sorokin"}
NOTICES = "THIRD_PARTY_NOTICES.txt"


def text(name: str) -> str:
    return (BUNDLE / name).read_text(encoding="utf-8")


def lacks(words: str, packages) -> list[str]:
    """Return the packages whose name and version, copyright holder or licence text is missing in a file."""
    wanted = {name: (f"{name} {DEPENDENCIES[name]} (MIT)", HOLDERS[name]) for name in packages}
    missing = [name for name, parts in wanted.items() if not all(part in words for part in parts)]
    return missing + (["licence text"] if words.count(GRANT) < len(wanted) else [])


@pytest.mark.parametrize(
    ("file", "packages"), [(NOTICES, DEPENDENCIES), ("studio.js", DEPENDENCIES), ("studio.css", ["uplot"])]
)
def test_the_bundle_holds_the_notices(file, packages):
    assert lacks(text(file), packages) == []


@pytest.mark.parametrize("file", ["studio.js", "studio.css"])
def test_notices_stand_at_the_head_in_a_comment(file):
    comment = re.match(r"/\*!\n(.*?)\*/\n", text(file), re.DOTALL)
    assert comment and GRANT in comment[1]


def test_an_exported_page_holds_the_notices():
    assert lacks(page_text(b"", "a motion"), DEPENDENCIES) == []


def test_the_wheel_names_the_notices():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (BUNDLE / NOTICES).relative_to(ROOT).as_posix() in project["license-files"]
