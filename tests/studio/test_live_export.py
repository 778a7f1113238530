"""Live pages from the studio's export dialog, and the norms that it sends with walks."""

import re
import zlib
from base64 import b64decode
from pathlib import Path

import pytest

from anthropi.formats.pages.live_page import MAGIC
from anthropi.formats.pages.motion_buffer import read_buffer
from anthropi.studio.session.examples import EXAMPLES
from anthropi.studio.session.exports import FileStore


def parts(file: Path) -> dict[str, bytes]:
    """Return the decompressed contents of a page by their names."""
    text = file.read_text(encoding="utf-8")
    held = re.findall(r'<script type="application/octet-stream;base64" id="(\w+)">([^<]*)</script>', text)
    return {name: zlib.decompress(b64decode(data)) for name, data in held}


def exported(tried, **fields) -> dict[str, bytes]:
    tried.session.downloads = FileStore()
    made = tried.do("export", format=".live.html", figure=tried.item.number, **fields)
    found = parts(tried.session.downloads.find(made["address"].split("/")[2]))
    tried.session.downloads.close()
    return found


def test_a_figure_is_exported_as_a_live_page(tried):
    tried.do("open_sample", name="double_pendulum")
    found = exported(tried)
    assert found["live"][:4] == MAGIC and read_buffer(found["motion"]).header["frames"] == 1
    assert ".live.html" in [choice["name"] for choice in tried.do("get_help")["exports"]]


@pytest.mark.slow
def test_a_walk_is_exported_beside_the_norm_and_simulated_in_its_style(tried):
    EXAMPLES["tired walk"].open(tried.session)
    tried.session.tasks.wait(60.0)
    found = exported(tried)
    header = read_buffer(found["motion"]).header
    assert header["gait"]["ghost"]["stride"] > 0.8 and header["frames"] > 100
    assert re.search(rb'"styles":\["tired",', found["live"])


@pytest.mark.slow
def test_walks_are_sent_with_the_norms_and_other_motions_without(served):
    session = served.session
    EXAMPLES["tired walk"].open(session)
    session.tasks.wait(60.0)
    header = read_buffer(served.studio._buffer(session.project.shown)).header
    assert [curve["name"] for curve in header["gait"]["curves"]][:3] == [
        "hip_flexion",
        "knee_flexion",
        "ankle_dorsiflexion",
    ]
    EXAMPLES["double pendulum"].open(session)
    session.tasks.wait(60.0)
    assert "gait" not in read_buffer(served.studio._buffer(session.project.shown)).header
