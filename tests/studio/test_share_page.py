"""The exported page: one file that loads nothing from outside and shows names as plain text."""

import base64
import hashlib
import re
import zlib

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatError
from anthropi.formats import export
from anthropi.formats.pages import html as pages
from anthropi.formats.pages.html import page, project, show
from anthropi.formats.pages.motion_buffer import motion_buffer, read_buffer
from anthropi.motion import Motion


def swing(figure=None, frames=21):
    figure = ap.sample("double_pendulum") if figure is None else figure
    time = np.arange(frames) / 30.0
    q = np.tile(figure.neutral(), (frames, 1))
    q[:, -1] = np.sin(3.0 * time)
    return Motion(figure, time, q)


def held(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(re.search(r'id="motion">([^<]*)</script>', text)[1]))


def test_the_page_holds_the_motion(tmp_path):
    motion = swing()
    file = page(motion, tmp_path / "new" / "a.html", title="A swing", skin=False)
    header, arrays = read_buffer(held(file.read_text(encoding="utf-8")))
    assert header["title"] == "A swing" and np.allclose(arrays["q/0"], motion.q, atol=1e-6)
    assert held(file.read_text(encoding="utf-8")) == motion_buffer(
        motion, title="A swing", skin=False, rate=60.0, whole=True, more={"project": project()}
    )


def test_nothing_comes_from_outside(tmp_path):
    text = page(swing(), tmp_path / "a.html", skin=False).read_text(encoding="utf-8")
    assert "stylesheet" not in re.sub(r"<(style|script)\b.*?</\1>", "", text, flags=re.DOTALL)
    assert not re.search(r"<script[^>]*\bsrc=", text)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none';") and "http" not in policy and "unsafe" not in policy
    script = re.search(r'<script type="module">(.*)</script>\s*</body>', text, re.DOTALL)[1]
    assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy


def test_words_stay_words(tmp_path):
    evil = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
    figure = ap.sample("double_pendulum")
    text = page(swing(figure.changed(name=evil)), tmp_path / "a.html", caption=evil).read_text(encoding="utf-8")
    assert "onerror=alert" not in text.replace("&lt;img src=x onerror=alert(1)&gt;", "")
    assert "<script>alert" not in text
    assert read_buffer(held(text)).header["figures"][0]["name"] == evil  # the buffer contains the original name


def test_a_bundle_that_is_not_there_is_said(monkeypatch):
    monkeypatch.setattr(pages, "_part", lambda name: "<html></html>")
    with pytest.raises(FormatError, match="npm run build"):
        pages.page_text(b"", "a")


def test_show_writes_a_page_and_opens_it(monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    file = show(swing(), skin=False, title="a / b")
    assert file.name == "a_b.html" and opened == [file.resolve().as_uri()]
    file = swing().show(file=tmp_path / "b.html", browser=False)
    assert file == tmp_path / "b.html" and len(opened) == 1
    assert swing().export(tmp_path / "c.html", skin=False) == tmp_path / "c.html"
    assert export([swing(), swing()], tmp_path / "d.htm", skin=False).exists()
