"""A page of the real server, for tests of the panels."""

import time
from contextlib import contextmanager

PATIENCE = 60.0  # [s] long, because a new structure is compiled first, on shared cores


class Studio:
    """A page of the studio. session : the session of its server."""

    def __init__(self, page, served):
        self.page, self.session = page, served.session
        page.goto(served.address)
        self.until("!!globalThis.anthropi?.app.store.get('welcome') && !!anthropi.app.store.get('project')")

    def until(self, expression: str, patience: float = PATIENCE) -> None:
        """Wait until a JavaScript expression is true. The page forbids `eval`, which Playwright's own waiting needs."""
        end = time.monotonic() + patience
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"waited in vain for: {expression}; messages: {self.messages()}"
            self.page.wait_for_timeout(50)

    def get(self, expression: str):
        """Return a value of the page's state, for example get("project.shown")."""
        key, _, rest = expression.partition(".")
        return self.page.evaluate(f"anthropi.app.store.get('{key}'){'?.' + rest if rest else ''}")

    def messages(self) -> list[str]:
        """Return all messages that the page shows."""
        return self.page.evaluate("[...document.querySelectorAll('.toast')].map(own => own.textContent)")

    def failures(self) -> list[str]:
        """Return all error messages that the page shows."""
        return self.page.evaluate("[...document.querySelectorAll('.toast.error')].map(own => own.textContent)")

    def button(self, name: str, exact: bool = True):
        """Return a button by its name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    def press(self, name: str) -> None:
        """Press a button."""
        self.button(name).last.click()  # the buttons of an opened panel come last

    def fill(self, label: str, value) -> None:
        """Type a value into a field and leave the field."""
        field = self.page.get_by_label(label, exact=True).locator("visible=true").first
        field.fill(str(value))
        field.press("Enter")
        field.blur()

    def choose(self, label: str, value: str) -> None:
        """Choose an option of a list."""
        self.page.get_by_label(label, exact=True).locator("visible=true").first.select_option(value)

    def command(self, name: str) -> None:
        """Open a command of the menu."""
        face = self.page.locator(f"[data-command='{name}']")
        if face.get_attribute("aria-expanded") != "true":
            face.click()

    def tab(self, name: str) -> None:
        """Show a panel of the right column."""
        self.page.locator(f".tabs [data-choice='{name}']").click()

    def figure(self) -> dict:
        """Return the page's view of the chosen figure."""
        return self.page.evaluate(
            "(({ appearance, ...rest }) => rest)"
            "(anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure))"
        )

    def dof(self, name: str) -> dict:
        """Return the view of a degree of freedom of the chosen figure."""
        return next(dof for dof in self.figure()["dofs"] if dof["name"] == name)

    @contextmanager
    def new_motion(self, kind: str, patience: float = PATIENCE):
        """Wait, at the end of the block, until a motion that the block has computed is shown."""
        before = self.page.evaluate("anthropi.app.store.get('project').motions.map(own => own.motion)")
        yield
        self.until(f"""(() => {{
            const {{ motions, shown }} = anthropi.app.store.get('project'), own = motions[motions.length - 1];
            return own?.kind === '{kind}' && !{before}.includes(own.motion) && shown === own.motion
                && anthropi.app.store.get('motion').frames === own.frames; }})()""", patience)  # fmt: skip
        assert not self.failures(), self.failures()

    def clear(self) -> None:
        """Open an empty project, end the live run and remove all messages."""
        self.page.evaluate("""async () => {
            const { store, connection } = anthropi.app;
            document.querySelectorAll('dialog').forEach(own => own.close());
            const run = store.get('run');
            if (run && run.state !== 'stopped') await connection.send('live_stop', { keep: false });
            await connection.send('new_project', {});
            document.querySelectorAll('.toast').forEach(own => own.remove());
            store.set('playing', false);
        }""")
        self.until("anthropi.app.store.get('project').figures.length === 0")

    def sample(self, name: str) -> None:
        """Open a sample figure with the dialog."""
        self.press("Open")
        if name == "human":
            self.press("Open this human")
        else:
            self.page.locator(f"[data-sample='{name}']").click()
        self.until("anthropi.app.store.get('project').figures.length === 1 && !!anthropi.app.store.get('figures').get"
                   "(anthropi.app.store.get('selection').figure)")  # fmt: skip
