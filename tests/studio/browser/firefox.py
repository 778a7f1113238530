"""Firefox on a virtual display, driven by WebDriver BiDi: enough to open a page, run scripts and read the console."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

NAMES = ("firefox-esr", "firefox")
SECONDS = 20.0  # the longest wait for an answer, on shared cores
ANSWER = 2**26  # [bytes] the largest answer: a picture
PREFERENCES = 'user_pref("webgl.force-enabled", true);\nuser_pref("app.update.enabled", false);\n'


def missing() -> str | None:
    """Return what the machine lacks to run Firefox, or None. Without a display, Firefox has no WebGL in software."""
    if not any(map(shutil.which, NAMES)):
        return "Firefox, to try a live page in it (Debian's package firefox-esr)"
    return None if shutil.which("Xvfb") else "Xvfb, a display for Firefox (Debian's package xvfb)"


class Firefox:
    """A running Firefox with one tab. `errors` are the errors in its console."""

    def __init__(self, width: int = 1280, height: int = 720) -> None:
        self.errors: list[str] = []
        self.asked = 0
        self.folder = tempfile.TemporaryDirectory(prefix="anthropi-firefox-")
        Path(self.folder.name, "user.js").write_text(PREFERENCES, encoding="utf-8")
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        self.display = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        name = next(filter(None, map(shutil.which, NAMES)))
        command = [name, "--no-remote", "--profile", self.folder.name, "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(
            command,
            env=os.environ | {"DISPLAY": f":{number}"},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        address = next(m[1] for line in self.process.stderr if (m := re.search(r"BiDi listening on (ws://\S+)", line)))
        self.stack = ExitStack()
        self.socket = self.stack.enter_context(connect(f"{address}/session", max_size=ANSWER))
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.tab = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def send(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result. Errors in the console are kept meanwhile."""
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=SECONDS))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(answer["params"]["text"])
            if answer.get("id") == self.asked:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, file: Path) -> None:
        """Open a file and wait until it is loaded."""
        self.send("browsingContext.navigate", context=self.tab, url=file.as_uri(), wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, or of its promise, as plain data."""
        wrapped = f"Promise.resolve({expression}).then((x) => JSON.stringify(x ?? null))"
        answer = self.send("script.evaluate", expression=wrapped, target={"context": self.tab}, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def picture(self, file: Path) -> None:
        """Save a picture of the page."""
        file.write_bytes(base64.b64decode(self.send("browsingContext.captureScreenshot", context=self.tab)["data"]))

    def close(self) -> None:
        """End the processes that were started."""
        self.stack.close()
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(SECONDS)
        self.process.stderr.close()
        self.display.terminate()
        self.display.wait(SECONDS)
        self.folder.cleanup()
