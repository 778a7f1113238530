"""Access control of the studio: only the studio's own page, in a browser on this machine, with the token.

A request must name this server in its Host header, which prevents DNS rebinding. Its Origin must be this server, which
prevents cross-site requests. It must carry the token, in its address or in the header `X-Token`. The page keeps the
token in the storage of its origin, to which the port belongs, so that a reloaded page has it too.

The page's own files are loaded before its script runs, and downloads by the browser itself; both carry the cookie that
the first page sets. Browsers send cookies to every port of a machine, where another user may listen. The cookie
therefore opens nothing else: the files are those of the package, and the address of a download contains a random key.
Its value is derived from the token and the port, and does not contain the token.

The content security policy of all responses allows only files of this server and no inline scripts. Connections that
have not shown the token yet are limited in number and time, so that no other program uses up the connections of the
server.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

__all__ = ["Guard", "limited_protocol", "new_token"]

LOCAL = ("127.0.0.1", "localhost", "[::1]")
PUBLIC_PATHS = ("/favicon.ico",)
COOKIE_PATHS = ("/", "/studio.js", "/studio.css")  # the files of the page
COOKIE_FOLDER = "/download/"  # followed by a random key
MAX_WAITING = 128  # connections that have not shown the token yet; the oldest of more is closed
REQUEST_TIMEOUT = 10.0  # [s] time to show the token after connecting
SAME_SITE = ("", "same-origin", "none")  # Sec-Fetch-Site; "none" is an address typed by a person

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


def new_token() -> str:
    """Return a random token of 128 bits."""
    return secrets.token_urlsafe(16)


class Guard:
    """An ASGI application that passes permitted requests on to another one and refuses all others.

    Parameters
    ----------
    app : the ASGI application that handles permitted requests.
    token : the token that requests must carry.
    port : the port of the server, which is part of its Host and Origin.
    """

    app: Any
    cookie: Any
    cookie_value: Any
    hosts: Any
    origins: Any
    port: Any
    token: Any

    def __init__(self, app: Any, token: str, port: int) -> None:
        self.app, self.token, self.port = app, token, port
        self.cookie = f"anthropi_studio_{port}"
        self.cookie_value = hmac.new(token.encode(), f"cookie of port {port}".encode(), "sha256").hexdigest()
        self.waiting: dict[Any, Any] = {}  # connections that have not shown the token yet, the oldest first
        self.hosts = {f"{name}:{port}" for name in LOCAL}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        reason = self.refusal(scope)
        if reason:
            await _refuse(scope, receive, send, reason)
            return
        transport = getattr(getattr(send, "__self__", None), "transport", None)
        self.waiting.pop(transport, None)
        if scope["type"] == "http":
            send = self._with_headers(scope, send)
        else:  # the server needs uvicorn's transport to abort a connection whose browser does not read
            scope = {**scope, "transport": transport}
        await self.app(scope, receive, send)

    def refusal(self, scope: Scope) -> str:
        """Return the reason why a request is refused, or "" if it is permitted."""
        headers = _headers(scope)
        if headers.get("host", "").lower() not in self.hosts:
            return "The Host header does not name this server. Open the address that 'anthropi studio' printed."
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self.origins:
            return "Pages of other sites may not use the studio."
        if headers.get("sec-fetch-site", "") not in SAME_SITE and self._token_in_address(scope) is None:
            return "Pages of other sites may not use the studio."
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "POST"):
            return "This method is not supported. Use GET, HEAD or POST."
        if scope["type"] == "http" and scope["method"] == "POST" and origin is None:
            return "A POST request needs an Origin header."
        if scope["path"] in PUBLIC_PATHS:
            return ""
        given = [(self._token_in_address(scope), self.token), (headers.get("x-token"), self.token)]
        if scope["type"] == "http" and (scope["path"] in COOKIE_PATHS or scope["path"].startswith(COOKIE_FOLDER)):
            given.append((self._value_of_cookie(headers), self.cookie_value))
        for found, wanted in given:
            if found is not None and secrets.compare_digest(found.encode(), wanted.encode()):
                return ""
        return "The address has no valid token. Open the address that 'anthropi studio' printed."

    def _token_in_address(self, scope: Scope) -> str | None:
        found = parse_qs(scope.get("query_string", b"").decode("latin-1")[:4096]).get("token")
        return found[0] if found else None

    def _value_of_cookie(self, headers: dict[str, str]) -> str | None:
        try:
            found = SimpleCookie(headers.get("cookie", "")[:8192]).get(self.cookie)
        except CookieError:
            return None
        return found.value if found else None

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        """Return a send function that adds the security headers, and the cookie to the first page."""
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
        if scope["path"] == "/" and self._token_in_address(scope) is not None:
            cookie = f"{self.cookie}={self.cookie_value}; Path=/; HttpOnly; SameSite=Strict"
            extra.append((b"set-cookie", cookie.encode()))

        async def send_with_headers(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = message | {"headers": [*message.get("headers", []), *extra]}
            await send(message)

        return send_with_headers


def limited_protocol(guard: Guard) -> type[Any]:
    """Return uvicorn's HTTP protocol with limits for the connections that have not shown the token to the guard."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol  # imported late: it is slow to import

    class LimitedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            guard.waiting[transport] = self.loop.call_later(REQUEST_TIMEOUT, self._close_if_waiting, transport)
            while len(guard.waiting) > MAX_WAITING:
                self._close_if_waiting(next(iter(guard.waiting)))

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget(self.transport)
            super().connection_lost(exc)

        def _close_if_waiting(self, transport: Any) -> None:
            if self._forget(transport):
                transport.abort()

        def _forget(self, transport: Any) -> bool:
            timer = guard.waiting.pop(transport, None)
            if timer is not None:
                timer.cancel()
            return timer is not None

    return LimitedProtocol


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers by name. A header that occurs twice gets a value that never matches."""
    found: dict[str, str] = {}
    for name, value in scope.get("headers", []):
        key = name.decode("latin-1").lower()
        found[key] = value.decode("latin-1") if key not in found or key == "cookie" else "twice"
    return found


async def _refuse(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": reason[:120]})
        return
    body = reason.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
