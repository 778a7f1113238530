"""The numbers of spec/joint_motion.md and of spec/rotations.md sections 11 and 12. Each has a test that carries it."""

EQUATIONS = ["2", "2a", "2b", "2c", *(str(n) for n in range(3, 20))]  # (1) is lost in the source
ERRATA = ["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E9"]
WORDS_ONLY = ["E8", "E10", "E11"]  # a misprinted name, a bound written two ways, a missing number: nothing to compute
COMPOUND = ["universal", "six", "cylindrical", "planar"]  # section 7
JOINT_MOTION = [*EQUATIONS, *ERRATA, *COMPOUND]

ROTATIONS = ["C.F", "C.A2.9-10", "C.A2.11-13", "C.A2.14", "C.X-JdotFB", "C.A3.15-16", "C.A3.15-third", "C.A3.17-18",
             "C.X-HessFB"]  # fmt: skip
