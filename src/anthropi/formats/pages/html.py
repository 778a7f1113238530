"""Write a motion as a page: one HTML file that any browser plays from disk, without a server or network.

The page contains the studio's bundle (formats/pages/bundle) and the motion. Its content security policy allows only
this script and this style, identified by their digests, and no network requests.
"""

import base64
import hashlib
import html
import re
import tempfile
import webbrowser
import zlib
from collections.abc import Sequence
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from anthropi import __version__
from anthropi.errors import FormatError
from anthropi.formats.files import write_whole
from anthropi.formats.pages.motion_buffer import motion_buffer

__all__ = ["page", "page_text", "project", "show"]

RATE = 60.0  # [1/s], largest frame rate of a page
STYLE = re.compile(r"<link\b[^>]*\bhref=\"[^\"]*studio\.css\"[^>]*>")
SCRIPT = re.compile(r"<script\b[^>]*\bsrc=\"[^\"]*studio\.js\"[^>]*>\s*</script>")
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
HEAD, BODY = re.compile(r"<head\b[^>]*>"), re.compile(r"</body>")
POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'{more}; style-src 'sha256-{style}'; "
    "img-src data: blob:; font-src data:; media-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
)


def page(
    motion: Any,
    file: Any,
    *,
    rate: float | None = RATE,
    forces: bool | None = None,
    pillars: Sequence[Any] = (),
    live: Any = None,
    gait: dict[str, Any] | None = None,
    **options: Any,
) -> Path:
    """Write a motion as a page and return its path.

    Parameters
    ----------
    motion : one rollout, or several motions.
    file : the path, ending in .html. Its folder is created if needed.
    rate : largest number of frames per second; None for all frames.
    forces : whether ground reaction forces are shown when the page opens; None to show them if they were recorded.
    pillars : pillars (vertical cylinders) that may move, each (radius [m], height [m], function t → (x, y) [m]).
    live : a `Simulation` or `WalkingSession` that the page runs when "Push it" is pressed (`pages/live_page.py`).
    gait : norms of walking that the page shows beside the motion (`gait.report.walk_page.page_norms`).
    options : options of `motion_buffer`: title, caption, scene, view, follow, speed, ground, skin, compact …
    """
    more = {"project": project()} | ({} if gait is None else {"gait": gait})
    buffer = motion_buffer(motion, rate=rate, pillars=pillars, forces=forces, whole=True, more=more, **options)
    title = options.get("title") or _name(motion)
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = page_text(buffer, title, None if live is None else _live_content(live)).encode()
    write_whole(file, lambda out: out.write(text))
    return file


def project() -> dict[str, str]:
    """Return the name, version and address of this project, for a link on the page; "" if it has no address."""
    try:
        urls = metadata.metadata("anthropi").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        urls = []
    addresses = [url.rpartition(",")[2].strip() for url in urls]
    return {
        "name": "AnthroPI",
        "version": __version__,
        "url": next((a for a in addresses if a.startswith("https:")), ""),
    }


def show(motion: Any, *, file: Any = None, browser: bool = True, **options: Any) -> Path:
    """Write the page of a motion, open it in the browser, and return its path.

    file : the path; None for a file in a temporary folder. browser : whether to open it in the browser. options :
    options of `page`.
    """
    name = re.sub(r"[^\w.-]+", "_", str(options.get("title") or _name(motion)))[:60] or "motion"
    target = Path(tempfile.mkdtemp(prefix="anthropi-")) / f"{name}.html" if file is None else Path(file)
    found = page(motion, target, **options)
    if browser:
        webbrowser.open(found.resolve().as_uri())
    return found


def _live_content(simulation: Any) -> bytes:
    from anthropi.formats.pages.live_page import live_buffer  # compiles; most pages do not need it

    return live_buffer(simulation)


def _name(motion) -> str:
    first = motion if hasattr(motion, "figure") else next(iter(motion))
    return first.figure.name


def page_text(buffer: bytes, title: str, live: bytes | None = None) -> str:
    """Return the HTML text of the page that plays a motion buffer.

    live : content of a live page (`pages/live_page.py`). Its policy allows WebAssembly, which the page contains.
    """
    text, style, script = (_part(name) for name in ("index.html", "studio.css", "studio.js"))
    style = style.replace("</style", "<\\/style")
    script = re.sub(r"</(script)", r"<\\/\1", script, flags=re.IGNORECASE).replace("<!--", "<\\!--")
    more = "" if live is None else " 'wasm-unsafe-eval'"
    policy = POLICY.format(script=_digest(script), style=_digest(style), more=more)
    held = {"motion": zlib.compress(buffer, 9)} | ({} if live is None else {"live": live})
    data = "\n    ".join(
        f'<script type="application/octet-stream;base64" id="{name}">{base64.b64encode(part).decode()}</script>'
        for name, part in held.items()
    )
    run = f'<script type="module">{script}</script>'
    for pattern in (STYLE, SCRIPT, TITLE, HEAD, BODY):
        if len(pattern.findall(text)) != 1:
            raise FormatError(
                "The studio's bundle does not have the expected structure. Build it again: run "
                "npm ci && npm run build in studio/."
            )
    text = SCRIPT.sub("", text)
    text = STYLE.sub(lambda _: f"<style>{style}</style>", text)
    text = TITLE.sub(lambda _: f"<title>{html.escape(title)}</title>", text)
    text = HEAD.sub(lambda m: f'{m[0]}\n    <meta http-equiv="Content-Security-Policy" content="{policy}" />', text)
    return BODY.sub(lambda m: f"{data}\n    {run}\n  {m[0]}", text)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _part(name: str) -> str:
    file = resources.files("anthropi.formats.pages") / "bundle" / name
    if not file.is_file():
        raise FormatError(f"The studio's bundle lacks {name}. Build it: run npm ci && npm run build in studio/.")
    return file.read_text(encoding="utf-8")
