"""Who may talk to the studio: this machine's own browser, with the token, from the studio's own page. Nobody else.

A request must name this server as its Host (so that no other site's name leads here), come from no other Origin, and
bring the token, in the address of the first page or in the cookie that page sets. Answers say what may be loaded: only
what this server has, no script in the page.
"""

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

__all__ = ["Guard", "new_token"]

LOCAL = ("127.0.0.1", "localhost", "[::1]")
OPEN = ("/favicon.ico",)
SAME_SITE = ("", "same-origin", "none")  # Sec-Fetch-Site: none is an address that somebody typed


def new_token() -> str:
    """128 bits by chance."""
    return secrets.token_urlsafe(16)


class Guard:
    """An ASGI application that lets through what may pass."""

    def __init__(self, app, token: str, port: int):
        self.app, self.token, self.port = app, token, port
        self.cookie = f"anthropi_studio_{port}"
        self.hosts = {f"{name}:{port}" for name in LOCAL}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope, receive, send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        words = self.refused(scope)
        if words:
            await _refuse(scope, receive, send, words)
            return
        if scope["type"] == "http":
            send = self._with_headers(scope, send)
        else:  # uvicorn's own side of a socket, to cut one whose browser does not even read that it is let go
            scope = scope | {"line": getattr(getattr(send, "__self__", None), "transport", None)}
        await self.app(scope, receive, send)

    def refused(self, scope) -> str:
        """Why a request is refused, "" if it is not."""
        headers = _headers(scope)
        if headers.get("host", "").lower() not in self.hosts:
            return "This server answers to its own name only."
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self.origins:
            return "Pages of other sites may not talk to the studio."
        if headers.get("sec-fetch-site", "") not in SAME_SITE and self._given(scope) is None:
            return "Pages of other sites may not talk to the studio."
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "POST"):
            return "No such method."
        if scope["type"] == "http" and scope["method"] == "POST" and origin is None:
            return "Say where you come from: no Origin."
        if scope["path"] in OPEN:
            return ""
        for found in (self._given(scope), self._baked(headers)):
            if found is not None and secrets.compare_digest(found.encode(), self.token.encode()):
                return ""
        return "Open the address that 'anthropi studio' printed: it has a token that this one has not."

    def _given(self, scope) -> str | None:
        """The token in the address."""
        found = parse_qs(scope.get("query_string", b"").decode("latin-1")[:4096]).get("token")
        return found[0] if found else None

    def _baked(self, headers) -> str | None:
        """The token in the cookie."""
        try:
            found = SimpleCookie(headers.get("cookie", "")[:8192]).get(self.cookie)
        except CookieError:
            return None
        return found.value if found else None

    def _with_headers(self, scope, send):
        """What every answer says of itself; the first page also sets the cookie."""
        host = _headers(scope).get("host", "")
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
            f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        extra = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"x-frame-options", b"DENY"),
        ]
        if scope["path"] == "/" and self._given(scope) is not None:
            baked = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            extra.append((b"set-cookie", baked.encode()))

        async def tell(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = message | {"headers": [*message.get("headers", []), *extra]}
            await send(message)

        return tell


def _headers(scope) -> dict[str, str]:
    """Headers by name; of one that comes twice, something that nothing matches."""
    found: dict[str, str] = {}
    for name, value in scope.get("headers", []):
        key = name.decode("latin-1").lower()
        found[key] = value.decode("latin-1") if key not in found or key == "cookie" else "twice"
    return found


async def _refuse(scope, receive, send, words: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": words[:120]})
        return
    body = words.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()),
               (b"x-content-type-options", b"nosniff")]  # fmt: skip
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
