"""The committed bundle has the same bytes as a new build of its sources."""

import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, lacking

SOURCES, BUNDLE = ROOT / "studio", ROOT / "src" / "anthropi" / "formats" / "pages" / "bundle"
NAMES = ("THIRD_PARTY_NOTICES.txt", "index.html", "studio.css", "studio.js")


@pytest.mark.slow
def test_the_bundle_is_what_the_sources_build(tmp_path, node):
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, version.strip("v\n").split(".")[:2])) < (20, 19):
        lacking(f"Node.js 20.19 or newer, to build the studio's page; this is {version.strip()}")
    npm = shutil.which("npm") or lacking("npm, to build the studio's page (Debian's package npm)")
    work = tmp_path / "studio"
    shutil.copytree(SOURCES, work, ignore=shutil.ignore_patterns("node_modules"))
    if _installed():
        (work / "node_modules").symlink_to(SOURCES / "node_modules")
    else:
        done = subprocess.run([npm, "ci", "--silent"], cwd=work, capture_output=True, text=True, check=False)
        if done.returncode:
            lacking(f"the packages of studio/package-lock.json: {done.stderr.strip()[-300:]}")
    command = [
        node,
        "node_modules/vite/bin/vite.js",
        "build",
        "--logLevel",
        "error",
        "--outDir",
        str(tmp_path / "built"),
    ]
    made = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    assert sorted(p.name for p in (tmp_path / "built").iterdir()) == list(NAMES)
    for name in NAMES:
        same = (tmp_path / "built" / name).read_bytes() == (BUNDLE / name).read_bytes()
        assert same, f"{name} is not what studio/ builds: run `npm ci && npm run build` there and commit the bundle"


def test_nothing_is_loaded_from_elsewhere():
    page = (BUNDLE / "index.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")  # the namespace of SVG is not an address
    assert "@import" not in (BUNDLE / "studio.css").read_text(encoding="utf-8")
    assert "url(http" not in (BUNDLE / "studio.css").read_text(encoding="utf-8")


def test_words_never_become_html():
    """Text from files is inserted by textContent only; the sources do not contain innerHTML and similar functions."""
    for file in SOURCES.joinpath("src").rglob("*.ts"):
        text = file.read_text(encoding="utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "new Function(", "eval("):
            assert way not in text, f"{file.name} uses {way}"


def test_the_lock_names_no_address():
    assert "resolved" not in (SOURCES / "package-lock.json").read_text(encoding="utf-8")


def test_page_sources_are_short():
    long = [f.name for f in SOURCES.joinpath("src").rglob("*.ts") if f.name != "messages.ts" and _lines(f) > 320]
    assert long == []


def _lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def _installed() -> bool:
    """Return whether node_modules of this checkout agrees with package-lock.json."""
    inside = SOURCES / "node_modules" / ".package-lock.json"
    return inside.is_file() and inside.stat().st_mtime >= (SOURCES / "package-lock.json").stat().st_mtime
