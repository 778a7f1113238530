"""The numbers of spec/constraints.md sections 1 to 4, 6 and 8. Each has a test that carries it."""

SECTION_1 = ["A", "1", "1+", "2", "3", "definition1"]  # A = E Gᵀ and what holds off the unit sphere have no number
SECTION_2 = ["4", "5", "6a", "6b", "7", "7+", "8"]  # 7+: K p = 2 A u, and Peng's form as K less its radial part
SECTION_3 = ["9a", "9b", "10a", "10b", "10c", "11", "definition2", "12", "12+", "13", "14", "15", "16", "17"]
SECTION_4 = [
    "18a",
    "18b",
    "18c",
    "18d",
    "normalisation",
    *(f"19{x}" for x in "abcdefghijk"),
    "19+",
    "20a",
    "20b",
    "20c",
]
SECTION_6 = ["21", "22"]
EQUATIONS = [*SECTION_1, *SECTION_2, *SECTION_3, *SECTION_4, *SECTION_6]
ERRATA = ["E1", "E2", "E3", "E4", "E5", "E7", "E8", "E9", "E10", "E11", "E12", "E13", "E14", "E15", "E16"]
WORDS_ONLY = ["E6"]  # a misprinted name on both sides of an equals sign: nothing to compute
