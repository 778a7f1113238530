"""The numbers of thesis.md parts 3, 4, 10, 11.1, 11.2 and of rotations.md section 13. Each has a test that carries it:
`test_4_4__6_1__words` for the thesis, a registered function for the sheet."""

SPECIFICATION = [f"{part}.{k}" for part, last in ((3, 3), (4, 7), (10, 3), (11, 2)) for k in range(1, last + 1)]
EQUATIONS = [
    *(f"5.{k}" for k in range(14, 30)), *(f"6.{k}" for k in range(1, 12)), "7.4", *(f"9.{k}" for k in range(9, 15)),
]  # fmt: skip
SECTIONS = ["5.5.5", "6.2.1", "6.2.2", "6.2.3", "7.2.4", "8.2", "9.5", "9.7"]
TABLES = ["T5.1"]
ERRATA = ["E1", "E3", "E4", "E5", "E6", "E7", "E14", "E15", "E19"]
OURS = ["8.4"]  # quoted by another part

IDS = SPECIFICATION + EQUATIONS + SECTIONS + TABLES + ERRATA + OURS

ROTATIONS = ["C.EoM-M", "C.EoM-gf", "C.frame-note", "C.contact", "C.impulse", "C.measure", "C.transf"]
