"""Open, save and export with the real server: written files can be opened again."""

import pytest

pytestmark = pytest.mark.slow

EXPORTS = (".html", ".glb", ".bvh", ".csv")


@pytest.fixture(scope="module")
def walked(looking):
    """Give the studio with a short walk."""
    looking.clear()
    looking.sample("human")
    looking.press("Gait")
    looking.fill("Number of steps", 3)
    with looking.new_motion("walk"):
        looking.press("Walk")
    looking.page.get_by_role("button", name="Close this panel").click()
    return looking


@pytest.fixture(scope="module")
def files(walked, tmp_path_factory):
    """Give the files that the dialog has exported, by extension, and the duration of the motion."""
    page, folder, found = walked.page, tmp_path_factory.mktemp("exported"), {}
    seconds = walked.get("motion.end")
    walked.press("Export")
    for ending in EXPORTS:
        with page.expect_download(timeout=60_000) as coming:
            page.locator(f"[data-format='{ending}']").click()
        path = folder / coming.value.suggested_filename
        coming.value.save_as(path)
        assert path.suffix == ending
        found[ending] = path
    page.keyboard.press("Escape")
    return found, seconds


def test_formats_are_all_there(walked, studio, picture):
    page = walked.page
    walked.press("Export")
    shown = page.locator("[data-format]").evaluate_all("all => all.map(own => own.dataset.format)")
    for ending in (*EXPORTS, ".trc", ".mot", ".png", ".zip", ".mp4", ".toml", ".anthropi"):
        assert ending in shown
    page.wait_for_timeout(400)  # the dialog is animated
    picture(page, "export dialog")
    page.keyboard.press("Escape")


@pytest.mark.parametrize("ending", EXPORTS)
def test_an_export_is_opened_again(files, walked, studio, ending):
    found, seconds = files
    page = walked.page
    walked.clear()  # otherwise the page asks whether the unsaved walk may be replaced
    if ending == ".csv":  # a table of a figure that is open
        walked.sample("human")
    before = walked.page.evaluate("anthropi.app.store.get('project').motions.map(own => own.motion)")
    walked.press("Open")
    with page.expect_file_chooser() as choosing:
        walked.press("Choose a file …")
    choosing.value.set_files(found[ending])
    walked.until(f"""(() => {{
        const {{ motions, shown }} = anthropi.app.store.get('project'), own = motions[motions.length - 1];
        return own?.kind === 'file' && !{before}.includes(own.motion) && shown === own.motion;
    }})()""")
    own = walked.get("project.motions")[-1]
    assert own["duration"] == pytest.approx(seconds, abs=0.05)
    assert not walked.failures()


def test_the_page_plays_from_disk_without_a_network(files, chromium, picture):
    from studio.browser.conftest import content, new_page

    page = new_page(chromium)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    page.goto(files[0][".html"].as_uri())
    page.wait_for_timeout(1500)
    first = page.evaluate("anthropi.app.store.get('time')")
    page.wait_for_timeout(1500)
    assert page.evaluate("anthropi.app.store.get('motion').frames") > 50
    assert page.evaluate("anthropi.app.store.get('time')") != first
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    picture(page, "export html")
    content(page)
    page.context.close()


def test_the_glb_is_sound(files):
    """The file opens in an ordinary reader; the Khronos validator runs on such files in test_share_glb."""
    from pygltflib import GLTF2

    read = GLTF2().load(str(files[0][".glb"]))
    assert read.animations and read.meshes and len(read.nodes) > 20


def test_the_project_is_saved_and_opened_again(walked, studio, picture):
    page = walked.page
    walked.clear()
    walked.sample("double_pendulum")
    page.keyboard.press("Control+s")
    page.get_by_label("Name in the workspace").fill("swing.anthropi")
    page.locator("dialog").get_by_role("button", name="Save", exact=True).click()
    walked.until("anthropi.app.store.get('project').saved && anthropi.app.store.get('project').name === 'swing'")
    assert (walked.session.folder / "swing.anthropi").exists()
    walked.clear()
    walked.press("Open")
    page.locator("[data-file='swing.anthropi']").wait_for()
    page.wait_for_timeout(400)
    picture(page, "open dialog")
    page.locator("[data-file='swing.anthropi']").click()
    walked.until("anthropi.app.store.get('project').figures[0]?.name === 'double_pendulum'")
    page.keyboard.press("Control+Shift+s")  # the same name again: the dialog asks before it replaces the file
    page.locator("dialog").get_by_role("button", name="Save", exact=True).click()
    walked.until("!document.querySelector('dialog')")
    assert not walked.failures()


def test_a_name_that_is_taken_is_not_written_over_unasked(walked, studio):
    page = walked.page
    (walked.session.folder / "taken.anthropi").write_text("mine", encoding="utf-8")
    page.keyboard.press("Control+Shift+s")
    page.get_by_label("Name in the workspace").fill("taken.anthropi")
    page.locator("dialog").get_by_role("button", name="Save", exact=True).click()
    page.locator("dialog .field-error").wait_for()
    assert (walked.session.folder / "taken.anthropi").read_text(encoding="utf-8") == "mine"
    page.locator("dialog").get_by_role("button", name="Replace").click()
    walked.until("!document.querySelector('dialog')")
    assert (walked.session.folder / "taken.anthropi").stat().st_size > 100


def test_names_from_a_file_are_only_words(walked, studio):
    """A link whose name is HTML is shown as plain text."""
    page = walked.page
    walked.clear()
    text = ('format = "anthropi figure 1"\nname = "<img src=x onerror=boom()>"\nroot = "<b>link</b>"\n\n[[link]]\n'
            'name = "<b>link</b>"\nsize = [0.3, 0.1, 0.1]\ndensity = 1000.0\n\n[[joint]]\nname = "<script>1</script>"\n'
            'type = "weld"\nchild = "<b>link</b>"\n')  # fmt: skip
    (walked.session.folder / "odd.toml").write_text(text, encoding="utf-8")
    walked.press("Open")
    page.locator("[data-file='odd.toml']").click()
    walked.until("anthropi.app.store.get('project').figures.length === 1 || !!document.querySelector('.toast.error')")
    if walked.failures():  # a reader may refuse such names
        return
    page.locator("[data-command='Build Structure']").click()
    page.locator(".tree-row").wait_for()
    assert page.locator(".tree-row").inner_text().startswith("<b>link</b>")
    assert page.evaluate("document.querySelectorAll('.editor b, .shell img, .shell script').length") == 0
    walked.press("Done")
