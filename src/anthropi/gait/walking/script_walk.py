"""How does a figure obey a script of everyday words? A `Session` is told what the script's plan says. Floats only."""

from typing import Any

from anthropi.errors import FormatError, StepError
from anthropi.gait.walker import load_walker
from anthropi.gait.walking.walker_walk import finished, walker_session
from anthropi.gait.words import Plan, Style, perform, plan, read_script, styled_walker
from anthropi.motion import Motion

__all__ = ["script_walk"]

ALONE = ("run", "jump")  # no walk goes over to them


def script_walk(figure, script, *, style: str | Style = "natural", walker: Any = "natural", aid: Any = None,
                dt: float = 1e-3, strict: bool = True, progress=None) -> Motion:  # fmt: skip
    """What does a figure do that is told a script?

    figure : a human of detail "standard", or a `Scene` with one; it stands at first. script : text ("stand 2 s; walk
    happily; turn left; stop"), the name of a .txt file, lines, dicts and orders mixed, or a `Plan` (docs/words.md).
    style : the one to begin with. progress : told (seconds done, seconds in all). The rest: as in `walker_walk`.
    """
    orders = _plan(script)
    file = load_walker(walker)
    session, own, _ = walker_session(figure, style=style, start="stand", walker=file, aid=aid, dt=dt)
    fell: StepError | None = None
    try:
        perform(orders, _Told(session, orders.duration, progress), styled_walker(file), style=own)
    except StepError as error:
        if not session.fallen:
            raise
        fell = error
    about = {"method": "walker", "kind": "script", "steps": session.steps, "script": orders.table(),
             "fell": fell is not None}  # fmt: skip
    motion = finished(session, walk=about)
    if fell is not None and strict:
        raise StepError(f"{fell} strict=False gives the motion until then.", motion)
    return motion


def _plan(script) -> Plan:
    """The plan of a script, if a walker can do all of it."""
    file = isinstance(script, str) and script.strip().lower().endswith(".txt")
    orders = script if isinstance(script, Plan) else read_script(script) if file else plan(script)
    for order in orders:
        if order.gait in ALONE:
            raise FormatError(f"The script: at {order.time:g} s somebody should {order.gait}. A walk cannot go over to "
                              f"that; `anthropi {order.gait}` does it alone.")  # fmt: skip
    return orders


class _Told:
    """A session that tells how far it is."""

    def __init__(self, session, long: float, progress):
        self.session, self.long, self.progress = session, long, progress

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def run(self, duration: float) -> None:
        """As the session's."""
        self.session.run(duration)
        if self.progress is not None:
            self.progress(min(self.session.time, self.long), self.long)
