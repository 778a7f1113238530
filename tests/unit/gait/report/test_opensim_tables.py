"""OpenSim's tables: what is in them, and what is refused with its line."""

import re

import numpy as np
import pytest

from anthropi.errors import FileError, FormatError
from anthropi.formats.motions.tables.opensim import read

TEXT = """walk
version=1
nRows=3
nColumns=4
inDegrees=yes
endheader
time\tfx\tfy\tfz
0.0\t1\t2\t3
0.5\t4\t5\t6

1.0\t7\t8\t9e1
"""


def table(tmp_path, text=TEXT, name="a.sto", strict=False):
    path = tmp_path / name
    path.write_text(text)
    return read(path, strict)


def test_columns_time_and_axes(tmp_path):
    found = table(tmp_path)
    assert found.columns == ("fx", "fy", "fz") and found.time.tolist() == [0.0, 0.5, 1.0] and found.in_degrees
    assert found["fz"].tolist() == [3.0, 6.0, 90.0] and np.allclose(found.angle("fx"), np.deg2rad([1, 4, 7]))
    assert found.vector("f").tolist() == [[1, -3, 2], [4, -6, 5], [7, -90, 8]]  # y up, z right → z up, y left


def test_other_headers(tmp_path):
    found = table(tmp_path, TEXT.replace("nRows=3", "datarows 3").replace("inDegrees=yes", "Angles are in radians."))
    assert found.in_degrees is False and np.allclose(found.angle("fx"), [1, 4, 7])
    found = table(tmp_path, TEXT.replace("inDegrees=yes\n", ""))
    assert found.in_degrees is None
    with pytest.raises(FormatError, match=r"a\.sto does not say.*inDegrees=yes"):
        found.angle("fx")
    with pytest.raises(FormatError, match="Did you mean 'fx'"):
        found["fxx"]


@pytest.mark.parametrize(("old", "new", "words"), [
    ("endheader\n", "", "none of its first 1000 lines"),
    ("nRows=3", "nRows=4", "3 rows, but its header gives 4"),
    ("nColumns=4", "nColumns=5", "line 7: the table has 4 columns, but its header gives 5"),
    ("nRows=3", "nRows=many", "line 3: nRows is 'many'"),
    ("version=1", "datarows=7", "line 3: nRows is 3, but a line before it gives 7"),
    ("=yes", "=perhaps", "line 5: inDegrees is 'perhaps'"),
    ("inDegrees=yes", "Angles are in grads.", "angles are in 'grads'"),
    ("time\tfx", "t\tfx", "line 7.*first column must be 'time'"),
    ("fx\tfy", "fx\tfx", "line 7: two columns are called 'fx'"),
    ("0.5\t4\t5\t6", "0.5\t4\t5", "line 9: 3 numbers for 4 columns"),
    ("\t5\t", "\tfive\t", "line 9: column 'fy' contains 'five'"),
    ("\t5\t", "\tnan\t", "line 9: column 'fy' contains 'nan'"),
    ("\t5\t", "\t1e999\t", "contains '1e999'"),
    ("\t5\t", "\t1_0\t", "contains '1_0'"),
    ("0.5\t4", "0.0\t4", "time does not increase at row 2"),
])  # fmt: skip
def test_refusals(tmp_path, old, new, words):
    assert old in TEXT
    with pytest.raises(FormatError, match=words):
        table(tmp_path, TEXT.replace(old, new, 1), strict=True)


@pytest.mark.parametrize("text", ["", "endheader", "endheader\n", "endheader\ntime\tx\n", "\0\1"])
def test_nothing_is_refused(tmp_path, text):
    with pytest.raises(FormatError):
        table(tmp_path, text)


def test_no_text_is_refused(tmp_path):
    (tmp_path / "a.mot").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="byte 0 is not UTF-8"):
        read(tmp_path / "a.mot")
    with pytest.raises(FileError, match="No file"):
        read(tmp_path / "b.mot")


def test_cut_files_give_the_whole_table_or_an_error(tmp_path):
    """Every beginning of a table."""
    whole = table(tmp_path)
    for n in range(len(TEXT)):
        for strict in (True, False):
            try:
                found = table(tmp_path, TEXT[:n], strict=strict)
            except FormatError:
                continue
            cut = len(found.time) < len(whole.time)
            assert not (strict and cut) and cut == bool(found.notes)  # a repair is stated
            assert np.array_equal(found.values[:-1], whole.values[: len(found.time) - 1])
            assert not cut or np.array_equal(found.values[-1], whole.values[len(found.time) - 1])


@pytest.mark.parametrize(("old", "new", "rows", "columns", "words"), [
    ("nRows=3", "nRows=4", 3, "fx fy fz", "3 rows, but its header gives 4; all 3 are read"),
    ("nColumns=4", "nColumns=5", 3, "fx fy fz", "line 7: the table has 4 columns, but its header gives 5"),
    ("version=1", "datarows=7", 3, "fx fy fz", "datarows=7|nRows is 3, but a line before it gives 7"),
    ("fx\tfy", "fx\tfx", 3, "fx fx_2 fz", "two columns are called 'fx'; the second is called 'fx_2'"),
    ("0.5\t4", "0.0\t4", 2, "fx fy fz", r"repeated times.; of rows with the same time the last is kept"),
    ("4\t5\t6\n", "4\t5\t6\n0.7\t1", 3, "fx fy fz", "Error: line 10: 2 numbers for 4 columns"),
])  # fmt: skip
def test_repairs_are_stated(tmp_path, old, new, rows, columns, words):
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    if words.startswith("Error"):
        with pytest.raises(FormatError, match=words.removeprefix("Error: ")):
            table(tmp_path, text)
        return
    found = table(tmp_path, text)
    assert len(found.time) == rows and found.columns == tuple(columns.split())
    assert len(found.notes) == 1 + ("datarows" in new) and re.search(words, "; ".join(found.notes))


def test_cells_of_several_numbers_become_columns(tmp_path):
    """Vectors, quaternions and rotations, as the writer of OpenSim makes them; decimal commas are refused."""
    text = "DataType=Vec3\nversion=3\nendheader\ntime\ttoe\theel\n0\t1,2,3\t4,5,6\n0.1\t~[7, 8, 9]\t-1,-2,-3\n"
    found = table(tmp_path, text)
    assert found.columns == ("toe_1", "toe_2", "toe_3", "heel_1", "heel_2", "heel_3") and not found.notes
    assert found.values.tolist() == [[1, 2, 3, 4, 5, 6], [7, 8, 9, -1, -2, -3]]
    quaternions = table(tmp_path, text.replace("1,2,3\t", "1,0,0,0\t").replace("7, 8, 9", "0, 1, 0, 0"))
    assert quaternions.columns[:4] == ("toe_1", "toe_2", "toe_3", "toe_4")
    for new, words in (("1,2", "a number contains a comma"), ("1,2,3,4", "column 'toe' has 3 numbers in a cell"),
                       ("1,,3", "contains ''")):  # fmt: skip
        with pytest.raises(FormatError, match=words):
            table(tmp_path, text.replace("1,2,3\t", f"{new}\t"))


def test_a_table_of_times_alone(tmp_path):
    text = "x\nnRows=2\nendheader\ntime\n0.0\n0.1\n"
    found = table(tmp_path, text)
    assert found.columns == () and found.values.shape == (2, 0) and "only the column 'time'" in found.notes[0]
    with pytest.raises(FormatError, match="line 4: the table has only the column 'time'"):
        table(tmp_path, text, strict=True)


@pytest.mark.parametrize(("name", "shape", "degrees"), [
    ("core_id_test/subject01_walk1_ik.mot", (211, 23), True),
    ("core_id_test/subject01_walk1_grf.mot", (9009, 18), None),
    ("core_id_test/std_subject01_InverseDynamics.sto", (73, 23), None),
    ("moco2dwalking/referenceCoordinates.sto", (50, 10), False),
    ("moco2dwalking/referenceGRF.sto", (50, 18), False),
])  # fmt: skip
def test_opensims_own_files(shared, name, shape, degrees):
    found = read(shared / "opensim" / name)
    assert found.values.shape == shape and found.in_degrees is degrees


def test_planar_walk_carries_its_weight(shared):
    """moco2dwalking: half a stride of a planar model; its two feet bear its weight on average."""
    found = read(shared / "opensim" / "moco2dwalking" / "referenceGRF.sto")
    up = (found.vector("ground_force_r_v") + found.vector("ground_force_l_v"))[:, 2]
    knee = read(shared / "opensim" / "moco2dwalking" / "referenceCoordinates.sto").angle(
        "/jointset/knee_r/knee_angle_r/value"
    )
    assert np.trapezoid(up, found.time) / np.ptp(found.time) / 9.81 == pytest.approx(
        62.0, rel=0.05
    )  # [kg] of the model
    assert np.rad2deg(-knee).max() < 75.0 and np.rad2deg(-knee).min() > -5.0
