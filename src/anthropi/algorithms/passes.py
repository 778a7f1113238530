"""The two passes of the articulated-body algorithm over the pieces of a figure, whatever its joints are asked.

    inward   I_λ += X I_a X⁻¹,   p_λ += X p_a                                  (1)  thesis 6.7, 6.8
    outward  a_i from X⁻¹ a_λ                                                  (2)  thesis 6.10, 6.11

`joint_solve.py` says what a joint passes on (I_a, p_a) and how it goes on.
"""

__all__ = ["inward", "outward"]


def inward(figure, X, I, p, solve) -> list:
    """What every joint must move, from the leaves on. solve(i, piece, I_i, p_i) → as `joint_solve` gives it.

    X : poses of the pieces. I, p : their inertias and bias forces, lists to which what they carry is added.
    """
    solves: list = [None] * len(X)
    for i, piece in reversed(list(enumerate(figure.pieces))):
        solves[i] = solve(i, piece, I[i], p[i])
        if piece.parent >= 0:
            I[piece.parent] = I[piece.parent] + X[i].act_inertia(solves[i].inertia)  # (1)
            p[piece.parent] = p[piece.parent] + X[i].act_force(solves[i].force)
    return solves


def outward(figure, X, finishes, world) -> tuple[list, list]:
    """How every joint and link accelerates, from the root on: (u' of the joints, a (6,) of the pieces).

    finishes : functions a' → (u', a) of the pieces. world (6,): acceleration below the root.
    """
    a: list = []
    rates: list = []
    for i, piece in enumerate(figure.pieces):
        own, reached = finishes[i](X[i].undo_motion(world if piece.parent < 0 else a[piece.parent]))  # (2)
        rates.append(own)
        a.append(reached)
    return rates, a
