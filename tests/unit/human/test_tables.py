"""The typed tables say what their sources say."""

import csv

import pytest

from anthropi.figure.human.anthropometry import DE_LEVA, FINGERS, FRACTIONS, LENGTHS, PAIRED, SHARES, SPANS, STATURE
from anthropi.figure.human.ranges import NOT_CHECKED, QUOTES, RANGES, SOURCES
from anthropi.figure.human.segments import stretch

FILES = {"m": "BSPmale_ZdeLeva.txt", "f": "BSPfemale_ZdeLeva.txt"}
ROWS = {  # ours: the row of the file
    "head": "Head 2",
    "upper_trunk": "Upper trunk 2",
    "middle_trunk": "Middle trunk",
    "lower_trunk": "Lower trunk",
    "upper_arm": "Upper arm",
    "forearm": "Forearm",
    "hand": "Hand 2",
    "thigh": "Thigh",
    "shank": "Shank",
    "foot": "Foot",
}
SAME_ENDS = {"middle_trunk": "MiddleTrunk", "lower_trunk": "LowerTrunk", "upper_arm": "UpperArm", "forearm": "Forearm",
             "thigh": "Thigh", "foot": "Foot"}  # fmt: skip


def printed(shared, sex):
    with (shared / "anthropometry" / FILES[sex]).open(encoding="utf-8") as file:
        return {row["Segment"].strip(): row for row in csv.DictReader(file, delimiter="\t")}


def table4(shared, sex):
    with (shared / "anthropometry" / "deleva1996_table4.csv").open(encoding="utf-8") as file:
        return {row["segment"]: row for row in csv.DictReader(file) if row["sex"].lower() == sex}


@pytest.mark.parametrize("sex", "mf")
@pytest.mark.parametrize("name", ROWS)
def test_masses_centres_and_radii_are_de_levas(shared, sex, name):
    row, ours = printed(shared, sex)[ROWS[name]], DE_LEVA[sex][name]
    found = [float(row[k]) for k in ("Mass", "CM Long", "Rg Sag", "Rg Trans", "Rg Long")]
    assert [round(100.0 * x, 6) for x in found] == list(ours[1:])


@pytest.mark.parametrize("sex", "mf")
def test_lengths_are_de_levas(shared, sex):
    found, ours, spans = table4(shared, sex), DE_LEVA[sex], SPANS[sex]
    for name, row in SAME_ENDS.items():
        assert float(found[row]["length_mm"]) == ours[name].length
    assert float(found["Trunk"]["length_mm"]) == spans["sternum"]
    assert float(found["Hand"]["length_mm"]) == spans["knuckle"]


@pytest.mark.parametrize("sex", "mf")
def test_lengths_between_other_ends_put_the_centre_at_the_same_place(shared, sex):
    """Two rows of one segment share their centre; percentages have four digits, so 0.1 mm."""
    found, ours, spans = table4(shared, sex), DE_LEVA[sex], SPANS[sex]

    def centre(row):
        return float(row["length_mm"]) * float(row["com_pct_from_origin"]) / 100.0

    def own(name):
        return ours[name].length * ours[name].centre / 100.0

    assert own("head") == pytest.approx(centre(found["Head"]), abs=0.1)
    assert own("shank") == pytest.approx(centre(found["Shank"]), abs=0.1)
    assert own("hand") == pytest.approx(centre(found["Hand"]), abs=0.1)
    above = ours["upper_trunk"].length - float(found["UpperTrunk"]["length_mm"])  # cervicale above suprasternale
    assert own("upper_trunk") == pytest.approx(centre(found["UpperTrunk"]) + above, abs=0.1)
    trunk = sum(ours[n].length for n in ("upper_trunk", "middle_trunk", "lower_trunk"))
    assert trunk == pytest.approx(spans["sternum"] + above, abs=0.1)
    third = printed(shared, sex)["Trunk 3"]  # mid-shoulder to mid-hip
    below = spans["sternum"] - spans["shoulders"]
    assert spans["shoulders"] * float(third["CM Long"]) == pytest.approx(centre(found["Trunk"]) - below, abs=0.1)


def test_the_other_lengths_are_drillis_and_continis(shared):
    with (shared / "anthropometry" / "drillis_contini_winter_lengths.csv").open(encoding="utf-8") as file:
        found = {row["dimension"]: float(row["fraction_of_height"]) for row in csv.DictReader(file)}
    names = {"ankle_height": "ankle_height_above_floor", "shoulder_breadth": "biacromial_shoulder_breadth"}
    assert {name: found[names.get(name, name)] for name in LENGTHS} == LENGTHS


@pytest.mark.parametrize("sex", "mf")
def test_fractions_sum_to_one_and_are_the_printed_ones(sex):
    total = sum(f * (2 if n in PAIRED else 1) for n, f in FRACTIONS[sex].items())
    assert total == pytest.approx(1.0, abs=1e-15)
    for name, row in DE_LEVA[sex].items():  # the women's rows sum to 99.99 %
        assert FRACTIONS[sex][name] == pytest.approx(row.mass / 100.0, rel=1.1e-4)


def test_the_column_is_stretched_little():
    assert stretch("m") == pytest.approx(0.97917, abs=1e-5)
    assert stretch("f") == pytest.approx(1.00104, abs=1e-5)
    assert STATURE == {"m": 1741.0, "f": 1735.0}


def test_ranges_hold_the_neutral_pose_name_their_source_and_say_whether_it_was_checked():
    for kind, rows in RANGES.items():
        assert len({row.name for row in rows}) == len(rows) <= 3
        for row in rows:
            assert row.low <= 0.0 <= row.high and row.low < row.high
            sources = [part.split(",")[0].split()[-1] for part in row.source.split("; ")]
            assert set(sources) <= set(SOURCES), f"{kind}.{row.name}: {row.source}"
            if sources == ["ours"]:
                continue
            for part in row.checked.split("; "):
                said, _, pages = part.partition("confirmed")
                assert pages or part == "confirmed" or NOT_CHECKED in said, f"{kind}.{row.name}: {row.checked}"
                assert set(pages.removeprefix(" in ").split(", ")) <= {*QUOTES, ""}, f"{kind}.{row.name}: {row.checked}"


def test_the_neck_is_the_whole_neck_less_the_head():
    whole, neck, head = RANGES["whole_neck"], RANGES["neck"], RANGES["head"]
    for k, (low, high) in enumerate([(-45.0, 45.0), (-75.0, 40.0), (-80.0, 80.0)]):  # Kapandji; Muscolino for the turn
        assert neck[k].low + head[k].low == pytest.approx(low) and neck[k].high + head[k].high == pytest.approx(high)
        assert k == 2 or (whole[k].low, whole[k].high) == (low, high)


def test_documentation_shows_every_row(root):
    page = (root / "docs" / "human.md").read_text(encoding="utf-8")
    for kind, rows in RANGES.items():
        for row in rows:
            dof = f"{kind}.{row.name}" if row.name else kind
            line = (f"| `{dof}` | {row.axis} | {row.low:g} {row.towards_low} | {row.high:g} {row.towards_high} "
                    f"| {row.source} | {row.checked} |")  # fmt: skip
            assert line in page, f"docs/human.md lacks: {line}"
    for name, text in (SOURCES | QUOTES).items():
        assert name == "ours" or f"- {name}: {text}." in page, f"docs/human.md lacks: - {name}: {text}."
    for name, finger in FINGERS.items():
        bones = ", ".join(f"{100.0 * bone:g}" for bone in finger.bones)
        line = f"| {name} | {100.0 * finger.along:g} | {bones} |"
        assert line in page, f"docs/human.md lacks: {line}"
    for name, share in SHARES.items():
        line = f"| `{name}` | {share.of} | {100.0 * share.share:.4g} % | {share.solid} |"
        assert line in page, f"docs/human.md lacks: {line}"
    for name, row in DE_LEVA["m"].items():
        both = " | ".join(f"{a:g}, {b:g}" for a, b in zip(row, DE_LEVA["f"][name], strict=True))
        assert f"| {name} | {both} |" in page, f"docs/human.md lacks the row: | {name} | {both} |"
