"""The numbers of the thesis' spatial algebra. Each has a test whose name carries it: `test_1_5__4_3__E1__words`."""

SPECIFICATION = [
    *(f"1.{k}" for k in range(1, 14)),
    *(f"2.{k}" for k in range(1, 6)),
]  # parts 1 and 2 of the specification
EQUATIONS = [  # those the specification quotes; it has no 4.9 and no 4.13
    "4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8", "4.10", "4.11", "4.12", "4.14", "4.15", "4.16", "4.17",
    "4.18", "4.19", "4.20", "5.1", "5.2", "5.3",
]  # fmt: skip
SECTIONS = ["4.2.2", "4.2.3", "4.3.3", "4.3.5", "4.4.2", "4.4.3", "4.4.4", "5.2.3", "5.4", "5.5.3", "8.2.1"]
APPENDICES = ["4D", "4E", "5A", "5B"]
ERRATA = ["E1", "E2", "E16", "E17"]

IDS = SPECIFICATION + EQUATIONS + SECTIONS + APPENDICES + ERRATA
