"""The numbers lowering needs, per precision: ranges, splits of π/2 and ln 2, polynomials.

Every float32 number here is exactly a float32. `tools/fit_polynomials.py` derives and prints splits and polynomials.
"""

from typing import NamedTuple

from anthropi.errors import BuildError, did_you_mean

__all__ = ["CONSTANTS", "Constants", "constants_for"]


class Constants(NamedTuple):
    """The constants of one precision. A split is a sum of floats, each the rounding of what the ones before leave."""

    TINY: float  # smallest positive number
    FAR: float  # from here on an angle has little meaning left in this precision
    SHRINK: float  # brings any finite number within ±4
    SHORT_SECOND: bool  # whether HALF_PI[1] times a whole number below 2²⁰ is exact
    EXP_LOW: float  # exp is 0 from here down
    EXP_HIGH: float  # exp is inf from here up
    LOG_SMALL: float  # below it log scales its argument
    LOG_SCALE: int  # by 2 to this power
    LOG_DIVIDES: bool  # whether log's polynomial is one in f/(2+f), or one in f
    TWO_OVER_PI: float
    HALF_PI: tuple[float, float, float]
    PI_LOW: float  # π/2 - HALF_PI[0]
    PI_RATIO: float  # PI_LOW / HALF_PI[0], the low part of any multiple of π/2 for each unit of its high part
    LOG2_E: float
    LN2: tuple[float, float]
    ROOT: float  # √2/4
    SIN: tuple[float, ...]
    COS: tuple[float, ...]
    ASIN: tuple[float, ...]
    ATAN: tuple[float, ...]
    EXP: tuple[float, ...]
    LOG: tuple[float, ...]


FLOAT64_RANGES = (2.0**-1074, 2.0**45, 2.0**-1022, True, -746.0, 710.0, 2.0**-1020, 64, True)
FLOAT32_RANGES = (2.0**-149, 2.0**20, 2.0**-126, False, -104.0, 89.0, 2.0**-124, 32, False)

# fmt: off
FLOAT64 = Constants(
    *FLOAT64_RANGES,
    TWO_OVER_PI=0.6366197723675814,
    HALF_PI=(1.5707963267948966, 6.12323399538461e-17, 3.5215598651832e-27),
    PI_LOW=6.123233995736766e-17,
    PI_RATIO=3.8981718325193755e-17,
    LOG2_E=1.4426950408889634,
    LN2=(0.6931471805599453, 2.3190468138462996e-17),
    ROOT=0.3535533905932738,
    SIN=(  # (sin r - r)/r³ in r²: relative error 2^-57.9
        -0.1666666666666663, 0.00833333333332191, -0.00019841269829449202, 2.7557313578619952e-06,
        -2.505074170704705e-08, 1.5895906144216604e-10,
    ),
    COS=(  # (cos r - 1 + r²/2)/r⁴ in r²: relative error 2^-63.9
        0.041666666666666595, -0.001388888888887334, 2.4801587288999193e-05, -2.755731421574272e-07,
        2.0875705157069743e-09, -1.1358733706998214e-11,
    ),
    ASIN=(  # (asin y - y)/y³ in y²: relative error 2^-59.9
        0.1666666666666676, 0.07499999999970879, 0.04464285717454342, 0.03038194271086395,
        0.02237221490479629, 0.017351613451332727, 0.013980803759924356, 0.011399046789240417,
        0.01077951084749138, 0.003709174082216116, 0.021700792092095873, -0.020989730154830008,
        0.03262283240484259,
    ),
    ATAN=(  # (atan q - q)/q³ in q²: relative error 2^-57.6
        -0.33333333333333065, 0.19999999999951062, -0.1428571428255527, 0.11111111006498381,
        -0.09090906994304616, 0.0769227974313072, -0.06666403302427307, 0.058805234529704827,
        -0.052534995533438676, 0.04722258719234179, -0.0421901434753921, 0.036638582156127295,
        -0.029898604142737557, 0.02197841024180137, -0.013894490860771413, 0.007192198707346116,
        -0.002882696174150589, 0.0008305340034232832, -0.0001519894367324165, 1.3207820327332295e-05,
    ),
    EXP=(  # (exp r - 1 - r)/r² in r: relative error 2^-57.9
        0.5000000000000011, 0.16666666666666452, 0.04166666666652711, 0.0083333333334715,
        0.001388888894428628, 0.0001984126955296912, 2.480149251878379e-05, 2.75575470748691e-06,
        2.763042972656315e-07, 2.5011985623388126e-08,
    ),
    LOG=(  # (2 atanh s - 2 s)/s³ in s²: relative error 2^-59.5
        0.6666666666666734, 0.3999999999941714, 0.2857142874185411, 0.2222219862665841,
        0.18183561610333726, 0.15314118523387846, 0.14795283424856792,
    ),
)
FLOAT32 = Constants(
    *FLOAT32_RANGES,
    TWO_OVER_PI=0.6366197466850281,
    HALF_PI=(1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
    PI_LOW=-4.371138828673793e-08,
    PI_RATIO=-2.7827534054836178e-08,
    LOG2_E=1.4426950216293335,
    LN2=(0.6931471824645996, -1.9046542121259336e-09),
    ROOT=0.3535533845424652,
    SIN=(  # (sin r - r)/r³ in r²: relative error 2^-27.7
        -0.16666653752326965, 0.008332095108926296, -0.0001950555160874501,
    ),
    COS=(  # (cos r - 1 + r²/2)/r⁴ in r²: relative error 2^-32.6
        0.04166664183139801, -0.001388713950291276, 2.4413875507889315e-05,
    ),
    ASIN=(  # (asin y - y)/y³ in y²: relative error 2^-31.7
        0.16666659712791443, 0.0750051736831665, 0.04451487213373184, 0.03182246536016464,
        0.014390213415026665, 0.03757648915052414,
    ),
    ATAN=(  # (atan q - q)/q³ in q²: relative error 2^-28.5
        -0.33333298563957214, 0.1999853104352951, -0.14264056086540222, 0.10951215028762817,
        -0.08400620520114899, 0.05790925398468971, -0.031129762530326843, 0.010888824239373207,
        -0.001787863322533667,
    ),
    EXP=(  # (exp r - 1 - r)/r² in r: relative error 2^-28.3
        0.4999999403953552, 0.1666652113199234, 0.04166826233267784, 0.008368667215108871,
        0.0013820989988744259,
    ),
    LOG=(  # (log(1+f) - f + f²/2)/f³ in f: relative error 2^-27.4
        0.3333333134651184, -0.250008225440979, 0.2000124156475067, -0.1662331521511078,
        0.14201664924621582, -0.13160644471645355, 0.12761281430721283, -0.07631923258304596,
    ),
)
# fmt: on

CONSTANTS = {"float64": FLOAT64, "float32": FLOAT32}


def constants_for(precision: str) -> Constants:
    """The constants of a precision, by its name."""
    if precision not in CONSTANTS:
        guess = did_you_mean(precision, CONSTANTS)
        raise BuildError(f"No precision '{precision}'.{guess} Choose: {', '.join(CONSTANTS)}.")
    return CONSTANTS[precision]
