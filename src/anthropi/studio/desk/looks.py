"""How figures look: at once without their skin, which a thread makes and tells when it is there."""

import json
import queue
import threading
from typing import Any

from anthropi.studio.appearance import appearance
from anthropi.studio.messages import FigureLooks
from anthropi.studio.state import Item

__all__ = ["Looks"]


class Looks:
    """What every figure looks like now, by its number."""

    def __init__(self, desk):
        self.desk = desk
        self._now: dict[int, tuple[str, dict[str, Any]]] = {}  # words that say what it looks like, and the look
        self._of: dict[int, Any] = {}  # the figure it is of
        self._skins: dict[int, tuple[str, dict[str, Any]]] = {}
        self._wanted: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def of(self, item: Item) -> tuple[dict[str, Any], bool]:
        """(its appearance without skin, whether that is new)."""
        with self._lock:
            if self._of.get(item.number) is item.figure:
                return self._now[item.number][1], False
        looks = appearance(item.figure, skin=False)
        words = _words(looks)
        with self._lock:
            old = self._now.get(item.number)
            self._of[item.number] = item.figure
            if old is not None and old[0] == words:
                return old[1], False
            self._now[item.number] = words, looks
        self._dress(item)
        return looks, True

    def skins(self) -> list[FigureLooks]:
        """What a browser that comes is told besides."""
        with self._lock:
            return [FigureLooks(number, looks) for number, (words, looks) in self._skins.items()
                    if number in self._now and self._now[number][0] == words
                    and any(i.number == number for i in self.desk.project.items)]  # fmt: skip

    def _dress(self, item: Item) -> None:
        self._wanted.put(item)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="anthropi-looks")
                self._thread.start()

    def _work(self) -> None:
        while True:
            wanted = {(item := self._wanted.get()).number: item}
            while not self._wanted.empty():
                item = self._wanted.get()
                wanted[item.number] = item  # only the newest of each
            if (run := self.desk.live) is not None:
                run.ready()  # what moves goes first: both are Python, and one waits for the other
            for number, item in wanted.items():
                try:
                    looks = appearance(item.figure)
                except Exception:  # a figure without a skin is still a figure
                    continue
                if looks["skin"] is None:
                    continue
                words = _words(looks)
                with self._lock:
                    same = number in self._now and self._now[number][0] == words
                    self._skins[number] = words, looks
                if same:
                    self.desk.emit(FigureLooks(number, looks))


def _words(looks: dict[str, Any]) -> str:
    """What tells two looks apart: all but the skin and the masses."""
    links = [{k: v for k, v in link.items() if k != "mass"} for link in looks["links"]]
    return json.dumps([links, *(looks[k] for k in sorted(looks) if k not in ("links", "skin"))], sort_keys=True)
