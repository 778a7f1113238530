"""Access control: requests with a foreign origin, host or token are refused, on HTTP and on the WebSocket."""

import contextlib
import http.client
import json
import socket
import time

import pytest

websockets = pytest.importorskip("websockets")
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402


def ask(served, path="/", method="GET", body=None, **headers):
    """Send a request with any headers and return (status, headers, body)."""
    line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    line.putrequest(method, path, skip_host=True)
    given = {"Host": f"127.0.0.1:{served.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    if body is not None:
        given["Content-Length"] = str(len(body))
    for name, value in given.items():
        line.putheader(name, value)
    line.endheaders(body)
    answer = line.getresponse()
    found = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    line.close()
    return found


def test_the_first_page_takes_the_token_and_sets_a_cookie(served):
    """The page's files then need only the cookie, which is limited to this server and hidden from scripts."""
    status, headers, _ = ask(served, f"/?token={served.studio.token}")
    assert status in (200, 404)  # 404: the page is not built in this checkout
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    for path in ("/", "/studio.js", "/studio.css", "/download/none/x.npz"):
        assert ask(served, path, Cookie=cookie.partition(";")[0])[0] in (200, 404)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_the_cookie_is_not_the_token_and_is_valid_on_its_port_only(served):
    """Browsers send cookies to all ports: what another server receives is neither the token nor valid elsewhere."""
    from anthropi.studio.guard import Guard

    name, _, value = ask(served, f"/?token={served.studio.token}")[1]["set-cookie"].partition(";")[0].partition("=")
    assert served.studio.token not in value
    assert ask(served, f"/motion/1?token={value}")[0] == 403
    other = Guard(None, served.studio.token, served.port + 1)
    assert other.cookie_value != value and other.cookie != name
    assert ask(served, "/motion/1", Cookie=f"{name}={served.studio.token}")[0] == 403


@pytest.mark.parametrize("path", ["/motion/1", "/upload", "/ws"])
def test_a_cookie_that_another_port_received_opens_nothing_of_the_user(served, path):
    """A server of another user on another port gets the cookie from the browser and can replay it with any headers."""
    cookie = ask(served, f"/?token={served.studio.token}")[1]["set-cookie"].partition(";")[0]
    own = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{served.port}", "Sec_Fetch_Site": "same-origin"}
    method, body = ("POST", b"x") if path == "/upload" else ("GET", None)
    assert ask(served, path, method, body, **own)[0] == 403
    with (
        pytest.raises(InvalidStatus),
        connect(f"ws://127.0.0.1:{served.port}/ws", origin=own["Origin"], additional_headers={"Cookie": cookie}),
    ):
        pass


def test_requests_of_the_page_carry_the_token_in_a_header(served):
    """A wrong or repeated header is refused."""
    assert ask(served, "/motion/1", X_Token=served.studio.token)[0] == 404
    assert ask(served, "/motion/1", X_Token="wrong")[0] == 403
    assert ask(served, "/motion/1", X_Token="ü".encode().decode("latin-1"))[0] == 403


def test_connections_without_a_token_do_not_shut_the_owner_out(served, monkeypatch):
    """The oldest connections that send no request are closed if there are too many, and all after a time limit."""
    from anthropi.studio import guard

    monkeypatch.setattr(guard, "MAX_WAITING", 8)
    monkeypatch.setattr(guard, "REQUEST_TIMEOUT", 0.5)
    lines = [socket.create_connection(("127.0.0.1", served.port), timeout=20) for _ in range(30)]
    for line in lines[:15]:
        line.send(b"GET / HTTP/1.1\r\n")  # the request never ends
    assert ask(served, f"/motion/1?token={served.studio.token}")[0] == 404
    for line in lines:
        with contextlib.suppress(ConnectionResetError):
            assert line.recv(1) == b""
        line.close()
    assert not served.studio.app.waiting


def test_a_browser_with_the_token_is_not_limited_in_time(served, monkeypatch):
    """A connection that has shown the token stays."""
    from anthropi.studio import guard

    monkeypatch.setattr(guard, "REQUEST_TIMEOUT", 0.1)
    with connect(f"ws://127.0.0.1:{served.port}/ws?token={served.studio.token}", max_size=None) as line:
        line.recv(10)
        time.sleep(0.3)
        line.send(json.dumps({"id": 1, "kind": "get_project"}))
        assert json.loads(line.recv(10))["ok"]


@pytest.mark.parametrize("path", ["/", "/studio.js", "/motion/1", "/download/a/b", "/ws"])
@pytest.mark.parametrize("token", ["", "?token=", "?token=wrong", "?token=" + "A" * 5000])
def test_without_the_token_nothing_is_told(served, path, token):
    """Requests without a token or with a wrong one are refused."""
    status, headers, body = ask(served, path + token)
    assert status == 403 and "set-cookie" not in headers
    assert b"anthropi studio" in body


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", "0.0.0.0:{port}", ""])
def test_a_foreign_host_is_refused(served, host):
    """A request with another host name (DNS rebinding) is refused, even with the token."""
    told = host.format(port=served.port)
    assert ask(served, f"/?token={served.studio.token}", Host=told)[0] in (400, 403)


def test_localhost_is_this_machine(served):
    """The server can also be reached by the name localhost."""
    assert ask(served, f"/motion/1?token={served.studio.token}", Host=f"localhost:{served.port}")[0] == 404


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_a_foreign_origin_is_refused(served, origin):
    """Pages of other sites cannot fetch pages, send requests or open the WebSocket."""
    told = origin.format(port=served.port)
    assert ask(served, f"/?token={served.studio.token}", Origin=told)[0] == 403
    assert ask(served, f"/upload?token={served.studio.token}", "POST", b"x", Origin=told)[0] == 403
    with (
        pytest.raises(InvalidStatus),
        connect(f"ws://127.0.0.1:{served.port}/ws?token={served.studio.token}", origin=told),
    ):
        pass


def test_other_sites_cannot_load_with_our_cookie(served):
    """A request from a page of another site is refused even with our cookie, because of Sec-Fetch-Site."""
    cookie = f"{served.studio.app.cookie}={served.studio.app.cookie_value}"
    assert ask(served, "/download/a/b", Cookie=cookie, Sec_Fetch_Site="cross-site")[0] == 403
    assert ask(served, "/download/a/b", Cookie=cookie, Sec_Fetch_Site="same-origin")[0] == 404
    assert ask(served, "/motion/1", X_Token=served.studio.token, Sec_Fetch_Site="cross-site")[0] == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_other_methods_are_refused(served, method):
    """Methods other than GET, HEAD and POST are refused, including the OPTIONS request of CORS."""
    assert ask(served, f"/?token={served.studio.token}", method)[0] in (403, 405)


def test_the_socket_wants_the_token(served):
    """The WebSocket refuses connections without the token and accepts the studio's own page with it."""
    for address in ("/ws", "/ws?token=wrong"):
        with pytest.raises((InvalidStatus, ConnectionClosed)), connect(f"ws://127.0.0.1:{served.port}{address}"):
            pass
    own = f"http://127.0.0.1:{served.port}"
    with connect(f"ws://127.0.0.1:{served.port}/ws?token={served.studio.token}", origin=own, max_size=None) as line:
        assert json.loads(line.recv(10))["kind"] == "project_changed"


def test_it_binds_to_the_loopback_only(served):
    """The server cannot be reached from other machines."""
    assert served._socket.getsockname()[0] == "127.0.0.1"
