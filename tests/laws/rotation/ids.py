"""Labels of sections 1 to 10 of docs/equations/rotations.md: each must have a law of its name.

Where the specification prints a range (`K.30-34`) the labels are listed one by one.
"""

SECTION_1 = "K.1 C.skew C.inv-conc C.elem C.qinv K.def K.ws=Rwb C.w K.8 K.9 K.10 K.11 K.12 K.13"
SECTION_2 = "C.yrange"
SECTION_3 = """C.qmul C.qinv C.q2m C.m2q C.rv2q C.q2rv-jump C.q2rv C.aa2q C.q2aa C.q2aa-range C.rv2m K.2a K.2b K.3 K.4
    K.4t K.5 K.pi C.zyx2m C.m2zyx C.gimbal C.xyz2m C.fig2 C.m2xyz C.zyx2q C.xyz2q"""
SECTION_4 = "C.log K.2a C.box C.disc C.disc2 C.slerp"
SECTION_5 = """K.18 K.39dz-w K.7 K.17 K.30 K.31 K.32 K.33 K.34 K.36 K.37 K.38 K.39d K.39z K.45 K.46 K.47 K.48 K.49
    K.X-halfangle K.X-factors K.19 K.6 K.14 K.R1 K.R2 K.R3 K.15 K.16 K.20 K.21 K.22 K.23 K.24 K.25 K.26-29 K.62 K.63
    C.Gam-paren C.Gam"""
SECTION_6 = """C.ddt C.d/dr C.dPhi(r) C.dPhiinv C.dcomp1 C.dcomp2 C.dexp C.dlog C.dbm1 C.dbm2 C.dskew C.box C.Ccomp C.Gv
    C.G- C.Gi- C.GiC C.Gsmall"""
SECTION_7 = """C.w C.winv C.wcomp C.qrate C.Hexp C.aarate C.domain C.aainv C.rvrate C.zyxI C.zyxB C.A1.1 C.A1.2 C.A1.3
    C.A1.4 C.A1.5 C.A1.6 C.A1.7-8 C.zyxIinv C.zyxBinv C.xyzrate"""
SECTION_8 = "K.35 K.39 K.40 K.40t K.40text K.41 K.42 K.43 K.44 C.wdot C.qdd C.aadd C.zyxacc C.xyzacc"
SECTION_9 = "K.50 K.54 K.58 K.59 K.60 K.61 K.X-impulse K.66 K.68 K.66n K.69 K.70 K.75 K.76 K.69n-76n"
SECTION_10 = "C.homog C.vP C.vQ"

SECTIONS = [
    SECTION_1,
    SECTION_2,
    SECTION_3,
    SECTION_4,
    SECTION_5,
    SECTION_6,
    SECTION_7,
    SECTION_8,
    SECTION_9,
    SECTION_10,
]
IDS = sorted({name for section in SECTIONS for name in section.split()})

# rows that the specification leaves without an id, and laws of our own (X)
WITHOUT_ID = """C.norm C.position C.map C.active C.perturbation K.C C.rv-aa K.X-rates C.X-dbp C.X-euler-rates C.X-matrix
    C.X-steps K.X-nearest""".split()

RANGES = {  # how the specification abbreviates
    "K.8..K.12": "K.8 K.9 K.10 K.11 K.12", "K.30-34": "K.30 K.31 K.32 K.33 K.34",
    "K.36-39z": "K.36 K.37 K.38 K.39d K.39z",
    "K.45-49": "K.45 K.46 K.47 K.48 K.49", "K.R1-3": "K.R1 K.R2 K.R3", "C.A1.*": "C.A1.1 C.A1.2 C.A1.3 C.A1.5 C.A1.6",
}  # fmt: skip
