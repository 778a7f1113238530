"""A jump by a handful of numbers: crouch, thrust, flight with legs made ready, landing on knees that yield, standing.

The legs thrust by the force they pass on (`balance.py` (6)), in balance all the while; a thrust ends by the clock, and
the rest of the flight is given. `NUMBERS` says what a search may move.
"""

from anthropi.gait.performer.keys import Key

__all__ = ["NUMBERS", "STAND", "jump_keys"]

STAND = {"knees": 0.2, "shoulders": (0.1, 0.0, 0.0), "elbows": (0.3, 0.0)}
NUMBERS = {  # name: (first guess, scale)
    "crouch": (1.7, 0.2),  # [rad] of the knees
    "bow": (0.4, 0.15),  # [rad] of the pelvis, forward
    "back": (0.0, 0.02),  # [m] of the weight, ahead, in the crouch
    "thrust": (1.0, 0.3),  # weights
    "push": (0.3, 0.05),  # [s] of the thrust
    "throw": (0.0, 0.05),  # [m] of the weight, ahead, at the end of the thrust
    "rise": (0.1, 0.1),  # [rad] of the pelvis at the end of the thrust, forward
    "early": (0.7, 0.2),  # how much of the thrust the pelvis takes for it
    "point": (0.4, 0.2),  # [rad] of the ankles, downward, leaving the ground
    "thigh": (0.25, 0.1),  # [rad] of the thighs before landing, forward
    "ready": (0.5, 0.15),  # [rad] of the knees before landing
    "toes": (0.15, 0.15),  # [rad] of the ankles before landing, downward
    "yield": (0.9, 0.2),  # [rad] of the knees after landing
    "soft": (-0.3, 0.2),  # of the knees' stiffness after landing
    "catch": (0.0, 0.02),  # [m] of the weight, ahead, after landing
    "meet": (0.1, 0.1),  # [rad] of the pelvis after landing, forward
    "air": (2.0, 1.0),  # [rad/m] of the thighs in the air, towards the capture point: `performer.py` (5)
    "late": (0.0, 0.05),  # [s] by which knees yield later than the flight should end
}
BEGIN, LEAVE, LAND = 0.5, 0.06, 0.5  # [s] when it begins; how long a thrust fades; a flight and some more


def jump_keys(x: dict, hold: float = 0.7) -> list[Key]:
    """Keys of a jump by `NUMBERS`. hold : [s] how long it takes to crouch."""
    go = BEGIN + hold
    off = go + x["push"]
    down = off + LAND + x["late"]
    return [
        Key(0.0, 1.0, STAND),
        Key(BEGIN, hold, {"knees": x["crouch"], "pelvis": (0.0, x["bow"], 0.0), "weight": (x["back"], 0.0),
                          "shoulders": (0.15, 0.9, 0.0), "lumbar": (0.0, 0.2, 0.0)}),
        Key(go, 0.06, {"thrust": x["thrust"], "stiff": -0.9}),
        Key(go, x["early"] * x["push"], {"pelvis": (0.0, x["rise"], 0.0), "weight": (x["throw"], 0.0),
                                         "lumbar": (0.0, 0.0, 0.0)}),
        Key(go + 0.02, x["push"], {"knees": 0.1, "shoulders": (0.2, -1.9, 0.0)}),
        Key(off, LEAVE, {"thrust": -0.5, "stiff": 0.0, "ankles": (-x["point"], 0.0)}),
        Key(off + 0.15, 0.25, {"knees": x["ready"], "hips": (0.0, -x["thigh"], 0.0), "ankles": (-x["toes"], 0.0),
                               "shoulders": (0.4, -1.0, 0.0), "stiff": x["soft"], "thrust": 0.0,
                               "weight": (x["catch"], 0.0)}),
        Key(down, 0.25, {"knees": x["yield"], "pelvis": (0.0, x["meet"], 0.0), "shoulders": (0.3, -0.5, 0.0)}),
        Key(down + 0.6, 0.9, STAND | {"pelvis": (0.0, 0.0, 0.0), "weight": (0.0, 0.0), "stiff": 0.0,
                                      "ankles": (0.0, 0.0), "hips": (0.0, 0.0, 0.0)}),
    ]  # fmt: skip
