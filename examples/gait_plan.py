"""A gait plan of 100 steps per minute, a change of frequency, and the six determinants over a cycle.

The plan (thesis 9.1-9.7) computes lengths and durations from one number. The frequency rises from the fourth step on.
The determinants (Saunders) are drawn in linear and smooth form. Writes out/gait_plan.png.
"""

import numpy as np
from _gait_plan import plan_sheet

import anthropi as ap
from anthropi.gait import Schedule

PHASE = np.linspace(0.0, 1.0, 401)  # share of a cycle, from a left foot strike


def curves(determinants, plan):
    """Return the six curves in degrees; the last one is in centimetres."""
    turns = {
        "pelvic rotation": determinants.pelvic_rotation_at(PHASE),
        "pelvic tilt": determinants.pelvic_tilt_at(PHASE),
        "knee: stance, then swing": determinants.knee_at(PHASE, plan),
        "foot and ankle: pitch of the sole": determinants.foot_pitch_at(PHASE, plan),
    }
    return {name: np.degrees(x) for name, x in turns.items()} | {"lateral": 100 * determinants.lateral_at(PHASE, plan)}


def check(plan, steps, found):
    assert f"{plan.velocity:.2f} {plan.double_support:.3f} {plan.swing:.3f}" == "1.17 0.157 0.443"  # thesis 9.5
    assert np.isclose(found["pelvic rotation"][[0, 100, 200]], [-4.0, 0.0, 4.0]).all(), "largest at foot contact"
    assert np.isclose(found["pelvic tilt"][[0, 100, 300]], [0.0, 5.0, -5.0]).all(), "down on the swing side"
    assert found["foot and ankle: pitch of the sole"][0] > 15.0, "the heel strikes first"
    assert [p.step_frequency for p in steps.plans] == [100] * 3 + [130] * 3, "the change starts with the next step"
    for event in steps.events()[:-1]:
        assert steps.down(event.time + 1e-6, event.foot) == (event.what == "strike")


if __name__ == "__main__":
    plan = ap.gait.GaitPlan(height=1.75, step_frequency=100)
    steps = Schedule.steady(plan, 6)
    steps = steps.changed(steps.strikes[2] + 0.1, step_frequency=130)  # commanded in the third step
    print(plan.table())
    found = {form: curves(ap.gait.Determinants(form=form), plan) for form in ("linear", "smooth")}
    check(plan, steps, found["smooth"])
    knees = {sf: ap.gait.GaitPlan(step_frequency=sf) for sf in (60, 80, 100, 120, 140)}
    growing = {sf: np.degrees(ap.gait.Determinants().knee_at(PHASE, p)) for sf, p in knees.items()}
    plan_sheet("out/gait_plan.png", PHASE, found, growing, plan, steps)
