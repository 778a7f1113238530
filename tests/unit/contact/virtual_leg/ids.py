"""The numbers of thesis.md part 6 and 9.7 that the virtual leg answers. Each has a test that carries it."""

SPECIFICATION = [*(f"6.{k}" for k in range(1, 7)), "9.7"]
EQUATIONS = [f"7.{k}" for k in range(1, 5)]
SECTIONS = ["7.2.1", "7.2.2", "7.2.3", "9.4.5"]
ERRATA = ["E9", "E10", "E20"]

IDS = SPECIFICATION + EQUATIONS + SECTIONS + ERRATA
