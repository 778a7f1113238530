"""A motion as a page: one file that any browser plays, from disk, with nothing to install and nothing to fetch.

The studio's own bundle with the motion inside. What may run in the page is named by its digest, so that nothing else
does, and no address is ever asked for.
"""

import base64
import hashlib
import html
import re
import tempfile
import webbrowser
from importlib import resources
from pathlib import Path

from anthropi.errors import FormatError
from anthropi.formats.files import write_whole
from anthropi.formats.pages.motion_buffer import motion_buffer

__all__ = ["page", "page_text", "show"]

RATE = 60.0  # frames a second at most
STYLE = re.compile(r"<link\b[^>]*\bhref=\"[^\"]*studio\.css\"[^>]*>")
SCRIPT = re.compile(r"<script\b[^>]*\bsrc=\"[^\"]*studio\.js\"[^>]*>\s*</script>")
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
HEAD, BODY = re.compile(r"<head\b[^>]*>"), re.compile(r"</body>")
POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; "
    "img-src data: blob:; font-src data:; media-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
)


def page(motion, file, *, rate: float | None = RATE, forces: bool | None = None, pillars=(), **options) -> Path:
    """What does a figure look like while it moves, for eyes with a browser? Writes the page and returns its path.

    Parameters
    ----------
    motion : one rollout, or several. file : where to write, ending in .html; its folder is made.
    rate : frames a second in the file, at most. pillars : (radius [m], height [m], t → (x, y) [m]) of each thing that
    stands or moves beside the figure. forces : whether arrows show what the ground does, at first; if None, where the
    motion recorded them. options : of `motion_buffer`: title, caption, scene, view, follow, speed, ground, skin …
    """
    buffer = motion_buffer(motion, rate=rate, things=pillars, forces=forces, whole=True, **options)
    title = options.get("title") or _name(motion)
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = page_text(buffer, title).encode()
    write_whole(file, lambda out: out.write(text))
    return file


def show(motion, *, file=None, browser: bool = True, **options) -> Path:
    """Play a motion in the browser: write its page, open it, and return where it is.

    file : where the page goes; a temporary folder if None. browser : whether it is opened. options : of `page`.
    """
    name = re.sub(r"[^\w.-]+", "_", str(options.get("title") or _name(motion)))[:60] or "motion"
    target = Path(tempfile.mkdtemp(prefix="anthropi-")) / f"{name}.html" if file is None else Path(file)
    found = page(motion, target, **options)
    if browser:
        webbrowser.open(found.resolve().as_uri())
    return found


def _name(motion) -> str:
    first = motion if hasattr(motion, "figure") else next(iter(motion))
    return first.figure.name


def page_text(buffer: bytes, title: str) -> str:
    """The page of a motion buffer."""
    text, style, script = (_part(name) for name in ("index.html", "studio.css", "studio.js"))
    style = style.replace("</style", "<\\/style")
    script = re.sub(r"</(script)", r"<\\/\1", script, flags=re.IGNORECASE).replace("<!--", "<\\!--")
    policy = POLICY.format(script=_digest(script), style=_digest(style))
    held = base64.b64encode(buffer).decode()
    told = f'<script type="application/octet-stream;base64" id="motion">{held}</script>'
    run = f'<script type="module">{script}</script>'
    for pattern in (STYLE, SCRIPT, TITLE, HEAD, BODY):
        if len(pattern.findall(text)) != 1:
            raise FormatError("The studio's bundle is not as the exporter knows it: build it anew (npm run build).")
    text = SCRIPT.sub("", text)
    text = STYLE.sub(lambda _: f"<style>{style}</style>", text)
    text = TITLE.sub(lambda _: f"<title>{html.escape(title)}</title>", text)
    text = HEAD.sub(lambda m: f'{m[0]}\n    <meta http-equiv="Content-Security-Policy" content="{policy}" />', text)
    return BODY.sub(lambda m: f"{told}\n    {run}\n  {m[0]}", text)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _part(name: str) -> str:
    file = resources.files("anthropi.formats.pages") / "bundle" / name
    if not file.is_file():
        raise FormatError(f"The studio's bundle lacks {name}. Build it: npm ci && npm run build, in studio/.")
    return file.read_text(encoding="utf-8")
