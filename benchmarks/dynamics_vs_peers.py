"""Claims: on `bench42` (42 degrees of freedom) and one core, a bound call is faster than a call of the peer's Python
function in the same run by at least these factors: direct dynamics 5, inverse dynamics 3, mass matrix 3, derivatives of
direct dynamics 3 (Pinocchio), a step of 1 ms without contact 5 (MuJoCo). For the time per state in a batch the factors
are: direct 28, inverse 25, derivatives 10, step 25. The peers are installed by pip.

The peers' own batches on one thread (`abaInParallel`; `mj_step` many times in one call) are printed beside ours. The
faster of Pinocchio's two conventions counts. MuJoCo steps the bare tree, without geoms, sites or contacts, by its
default Euler method, which is semi-implicit like ours. Results are compared in the same run, in our coordinates:
accelerations, forces, M, three Jacobians; after a step, velocities and the poses of all links.
"""

import sys

from peers import PEERS

import anthropi as ap
from anthropi.cli.measure import Row, measure

CLAIMS = {  # subject: one call, in batches (None: no claim), largest difference
    "direct dynamics": (5.0, 28.0, 1e-12),
    "inverse dynamics": (3.0, 25.0, 1e-12),
    "mass matrix": (3.0, None, 1e-12),
    "derivatives of direct dynamics": (3.0, 10.0, 1e-11),
    "step": (5.0, 25.0, 1e-12),
}  # differences are relative to the largest entry; the condition of M at random poses is ~1e3


def failures(row: Row) -> list[str]:
    """Return the claims that this row does not fulfil."""
    if row.peer is None:
        return [f"{row.subject}: the peer library is not installed"]
    single, batched, apart = CLAIMS[row.subject]
    found = []
    if row.ratio < single:
        found.append(f"{row.subject}: one call {row.ratio:.1f}x, claim {single:g}x")
    if batched is not None and row.batch_ratio < batched:
        found.append(f"{row.subject}: batches {row.batch_ratio:.1f}x, claim {batched:g}x")
    if not row.difference <= apart:
        found.append(f"{row.subject}: results differ by {row.difference:.1e}, allowed {apart:.0e}")
    return found


def main() -> int:
    figure = ap.sample("bench42")
    report = measure(figure, CLAIMS, rounds=40, peers=PEERS)
    versions = ", ".join(f"{name} {version}" for name, version in report.peers.items())
    print(f"{report.machine}, {versions}; {figure!r}\n")
    print(f"{'':31} {'operations':>10} {'ours':>9} {'peer':>9} {'ratio':>7} {'claim':>6}   largest difference")
    failed = []
    for row in report.rows:
        failed += failures(row)
        if row.peer is None:
            continue
        single, batched, _ = CLAIMS[row.subject]
        names = f"{row.subject:31} {row.operations:10,}"
        print(f"{names} {1e9 * row.one:7.1f}ns {1e9 * row.peer_one:7.0f}ns {row.ratio:6.1f}x {single:5.0f}x   "
              f"{row.difference:.1e}")  # fmt: skip
        claim = f"{batched:5.0f}x" if batched else "      "
        own = "" if row.peer_many is None else f"   {row.own_batch_ratio:.1f}x {row.peer}'s own batch"
        words = f"  batches of {row.batch}, {row.lanes} lanes"
        print(f"{words:42} {1e9 * row.many:7.1f}ns {1e9 * row.peer_one:7.0f}ns {row.batch_ratio:6.1f}x {claim}{own}")
    failed += [f"{name}: not measured" for name in CLAIMS if name not in {row.subject for row in report.rows}]
    print("\n" + ("\n".join([*report.notes, *failed]) if failed else "all claims hold"))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
