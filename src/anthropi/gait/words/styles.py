"""Styles by their words: a style is an entry here, with a line of why. Degrees and paces, too.

Facts, as far as we know them for sure (`SOURCES`):
  [1] sad walkers lower their heads and move less, happy and angry ones more; elbows are bent in anger and fear.
  [2] sad and depressed walkers are slower, swing their arms less, bob less, sway more from side to side, and slump.
  [3] happy walkers are fast, angry ones take long, heavy steps.
  [4] fit elderly people take shorter steps, push off less and land on a flatter foot.
  [5] less time on the leg that hurts, the trunk over it while it stands.
How large each number is was chosen by us, so that somebody sees it; "chosen" says that the idea is ours as well.
"""

from anthropi.errors import InputError, did_you_mean
from anthropi.gait.words.style import Style

__all__ = ["DEGREES", "NATURAL", "PACES", "SOURCES", "STYLES", "SYNONYMS", "style_of", "style_words"]

SOURCES = {
    1: "Roether, Omlor, Christensen, Giese, J. Vision 9(6) (2009) 15",
    2: "Michalak and others, Psychosom. Med. 71 (2009) 580",
    3: "Montepare, Goldstein, Clausen, J. Nonverbal Behav. 11 (1987) 33",
    4: "Winter, Patla, Frank, Walt, Phys. Ther. 70 (1990) 340",
    5: "antalgic gait, as textbooks of gait have it",
}
STYLES = {
    style.name: style
    for style in (
        Style("natural", "People at ease: what the walker's own file has."),
        Style("happily", "Larger movements, a quick pace [1][3]; head up and a bouncing step: chosen.",
              speed=1.1, drive=0.08, cadence=1.06, lean=-0.05, nod=-0.1, sway=0.07, arms=2.5, elbow=0.38, bounce=0.1,
              knee_lift=1.15, thigh_lift=0.12, push=1.15, twist=1.6, hips=1.2),
        Style("vigorously", "Long, heavy steps [3], bent elbows as in anger [1]; leaning into it: chosen.",
              speed=1.2, drive=-0.14, cadence=0.92, lean=0.2, arms=2.5, elbow=0.7, push=1.15, twist=1.4),
        Style("tired", "As of the sad: slow, head low, slumped, arms hang, more sway [1][2]; weak knees: chosen.",
              speed=0.75, drive=-0.08, lean=0.18, nod=0.4, sway=0.1, arms=0.3, elbow=-0.12, crouch=0.12, knee_lift=0.9,
              push=0.8, twist=0.75, hips=0.85, stiffness=0.93),
        Style("sneaking", "Chosen: low, bent forward, looking ahead, on the toes, legs lifted, arms ready.",
              speed=0.5, drive=-0.05, cadence=0.92, width=-0.04, lean=0.3, arms=0.45, arms_ahead=0.35, elbow=0.9,
              crouch=0.2, knee_lift=1.15, thigh_lift=0.15, toes=-0.1, twist=0.6),
        Style("marching", "Chosen: upright, thighs high, straight arms that swing far, no twist.",
              speed=1.05, drive=0.1, lean=-0.04, nod=-0.04, arms=2.4, elbow=-0.25, knee_lift=1.1, thigh_lift=0.4,
              twist=0.6, stiffness=1.1),
        Style("limping", "The right leg hurts: less time on it, trunk over it [5]; slow, wide, careful arms: chosen.",
              speed=0.7, drive=0.09, width=0.02, lean=0.04, arms=0.6, push=0.9, limp=1.28),
        Style("old", "Shorter steps, weak push-off, flatter foot [4]; stooped, bent, wider: chosen.",
              speed=0.8, drive=-0.35, cadence=1.05, width=0.03, lean=0.22, nod=0.32, arms=0.4, elbow=0.38, crouch=0.15,
              knee_lift=0.88, toes=-0.1, push=0.8, twist=0.7, hips=0.7),
    )
}  # fmt: skip
NATURAL = STYLES["natural"]

SYNONYMS = {
    "naturally": "natural", "normally": "natural", "normal": "natural", "happy": "happily", "cheerfully": "happily",
    "joyfully": "happily", "vigorous": "vigorously", "energetically": "vigorously", "tiredly": "tired",
    "wearily": "tired", "exhausted": "tired", "sneakily": "sneaking", "stealthily": "sneaking", "lame": "limping",
    "elderly": "old", "aged": "old",
}  # fmt: skip

DEGREES = {"little": 0.5, "bit": 0.5, "slightly": 0.5, "somewhat": 0.75, "rather": 1.25, "very": 1.5,
           "extremely": 2.0}  # k of `style.py` (1)  # fmt: skip
PACES = {"slowly": 0.65, "leisurely": 0.85, "briskly": 1.2, "fast": 1.3, "quickly": 1.3}  # of the preferred speed


def style_words() -> tuple[str, ...]:
    """All words that name a style."""
    return (*STYLES, *SYNONYMS)


def style_of(word: str) -> Style:
    """A style by its word, or by a few: "very tired"."""
    *degrees, last = str(word).lower().split() or [""]
    found = SYNONYMS.get(last, last)
    if found not in STYLES:
        raise InputError(f"No style '{last}'.{did_you_mean(last, style_words())} Styles: {', '.join(STYLES)}.")
    degree = 1.0
    for more in degrees:
        if more not in DEGREES:
            raise InputError(f"No degree '{more}'.{did_you_mean(more, DEGREES)} Degrees: {', '.join(DEGREES)}.")
        degree *= DEGREES[more]
    own = STYLES[found]
    return own if degree == 1.0 else own.scaled(degree, " ".join((*degrees, found)))
