"""Pictures of the gallery of examples: one for each example, on small sheets, sent only with the token."""

import http.client
import json
from importlib.resources import files

from anthropi.studio.session.examples import EXAMPLES

FOLDER = files("anthropi.studio").joinpath("gallery")


def test_every_example_has_a_picture():
    """If it fails, run `python tools/thumbnails.py`."""
    known = json.loads(FOLDER.joinpath("names.json").read_text(encoding="utf-8"))
    assert known["names"] == list(EXAMPLES)
    sheets = [FOLDER.joinpath(f"{theme}.webp").read_bytes() for theme in ("dark", "light")]
    assert all(data[:4] == b"RIFF" and data[8:12] == b"WEBP" for data in sheets)
    assert sum(map(len, sheets)) < 200_000


def test_pictures_are_sent_with_the_token_only(served):
    for path, token, status in (
        ("/gallery/dark.webp", served.studio.token, 200),
        ("/gallery/dark.webp", "guess", 403),
        ("/gallery/..%2fexamples.py", served.studio.token, 404),
        ("/gallery/other.webp", served.studio.token, 404),
    ):
        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        line.request("GET", path, headers={"X-Token": token})
        answer = line.getresponse()
        assert answer.status == status, path
        assert status != 200 or answer.read() == FOLDER.joinpath("dark.webp").read_bytes()
        line.close()
