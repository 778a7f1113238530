"""Tables of markers as programs write them: each layout gives the markers of the table that follows the format."""

import re
import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatError, FormatWarning
from anthropi.formats.motions.tables.trc import read_trc

NAMES = ("LFHD", "LASI", "LTOE")
ROWS = [(0.0, (0.1, 1.6, 0.1, 0.1, 0.95, 0.1, 0.2, 0.05, 0.1)), (0.01, (0.2, 1.6, 0.1, 0.2, 0.95, 0.1, 0.3, 0.05, 0.1)),
        (0.02, (0.3, 1.6, 0.1, 0.3, 0.95, 0.1, 0.4, 0.05, 0.1))]  # fmt: skip


def text(labels=None, rows=None, frames=3, markers=3, unit="m", space="\t", axes=True) -> str:
    labels = "Frame#\tTime\t" + ("".join(f"{n}\t\t\t" for n in NAMES) if labels is None else labels)
    rows = (
        [f"{k}\t{t:g}\t" + "\t".join(f"{x:g}" for x in xs) for k, (t, xs) in enumerate(ROWS, 1)]
        if rows is None
        else rows
    )
    lines = ["PathFileType\t4\t(X/Y/Z)\ta.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
             f"100\t100\t{frames}\t{markers}\t{unit}", labels]  # fmt: skip
    lines += ["\t\t" + "\t".join(f"{a}{n}" for n in (1, 2, 3) for a in "XYZ"), ""] if axes else []
    return "\n".join([*lines, *rows, ""]).replace("\t", space)


def doubled(row: str) -> str:
    """Add a tab after the time, as OpenSim's writer of version 3 does."""
    number, time, rest = row.split("\t", 2)
    return f"{number}\t{time}\t\t{rest}"


PLAIN = text().splitlines()[6:]
LAYOUTS = {
    "the format": (text(), (), ""),
    "trailing tabs": (text(rows=[row + "\t\t" for row in PLAIN]), (), ""),
    "time, two tabs, names": (text("\tLFHD\t\t\tLASI\t\t\tLTOE"), (), "in their order"),
    "two tabs in the rows too": (text("\tLFHD\t\t\tLASI\t\t\tLTOE", list(map(doubled, PLAIN))), (), "order"),
    "single tabs between names": (text("LFHD\tLASI\tLTOE"), (), "in their order"),
    "doubled tabs between names": (text("LFHD\t\tLASI\t\tLTOE"), (), "in their order"),
    "blanks": (text("LFHD\tLASI\tLTOE", space="  "), (), "in their order"),
    "other counts": (text(frames=7, markers=5), (), "NumMarkers is '5', but the file contains 3.*NumFrames is '7'"),
    "no line of axes": (text(axes=False), (), ""),
    "an unlabelled column at the end": (text("LFHD\t\t\tLASI\t\t\t"), ("unlabelled 1",), "2 names for 3"),
    "an unlabelled column between": (text("LFHD\t\t\t\t\t\tLTOE"), ("unlabelled 1",), "1 markers have no"),
    "a name without columns": (text("LFHD\t\t\tLASI\t\t\tLTOE\t\t\tRTOE"), ("RTOE",), "3 markers in a row"),
    "a repeated time": (text(rows=[PLAIN[0].replace("1.6", "1.5"), *PLAIN], frames=4), (), "0 s is repeated"),
    "a repeated name": (text("LFHD\t\t\tLASI\t\t\tLASI"), ("LASI_2",), "second is called 'LASI_2'"),
    "a cut row": (text(rows=[*PLAIN, "4\t0.03\t0.4\t1."], frames=9).rstrip("\n"), (), "the file ends within this row"),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_gives_the_markers_and_says_what_was_repaired(layout, tmp_path):
    written, others, words = LAYOUTS[layout]
    (tmp_path / "a.trc").write_text(written)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = ap.load(tmp_path / "a.trc")
    places = np.array([xs for _, xs in ROWS]).reshape(3, 3, 3)
    assert np.allclose(found.time, [0.0, 0.01, 0.02]) and set(others) <= set(found.markers)
    columns = [name for name in found.markers if name != "RTOE"]
    for name, x in zip(columns, places.swapaxes(0, 1), strict=True):
        assert np.allclose(found.markers[name], np.stack([x[:, 0], -x[:, 2], x[:, 1]], -1), atol=1e-12), name
        assert name in others or name in NAMES
    assert bool(words) == bool(caught) and "up: y" in found.notes[0]
    if words:
        assert re.search(words, str(caught[0].message)) and caught[0].category is FormatWarning
        with pytest.raises(FormatError, match=r"a\.trc, line \d"):
            read_trc(tmp_path / "a.trc", strict=True)


def test_units_are_checked_by_the_size_of_the_person(tmp_path):
    """A person of 1.7 m in a file whose unit is millimetres, though its numbers are metres; and one without a unit."""
    (tmp_path / "a.trc").write_text(text(unit="mm"))
    found = ap.load(tmp_path / "a.trc")
    assert found.metres == 1.0 and "unit of length: m, not mm as the file says" in found.notes[1]
    assert ap.load(tmp_path / "a.trc", units="mm").metres == 0.001
    (tmp_path / "b.trc").write_text(text(unit=""))
    assert "m, since the file gives none" in ap.load(tmp_path / "b.trc").notes[1]
    (tmp_path / "c.trc").write_text(text(unit="furlong"))
    with pytest.raises(FormatError, match=r"c\.trc, line 3: Units are 'furlong'"):
        ap.load(tmp_path / "c.trc")
    assert ap.load(tmp_path / "c.trc", units="m").metres == 1.0


def test_the_writer_of_opensim(tmp_path):
    """Coordinates exactly at 0, 0, 0 and empty cells are markers that were not seen."""
    rows = [PLAIN[0], "2\t0.01\t0\t0\t0\t\t\t\t0.3\t0.05\t0.1", PLAIN[2]]
    (tmp_path / "a.trc").write_text(text(rows=rows))
    with pytest.warns(FormatWarning, match=r"1 positions exactly at \(0, 0, 0\)"):
        found = ap.load(tmp_path / "a.trc")
    assert [int(np.isnan(x).any(-1).sum()) for x in found.markers.values()] == [1, 1, 0]
    assert found.seen() == pytest.approx({"LFHD": 2 / 3, "LASI": 2 / 3, "LTOE": 1.0})
