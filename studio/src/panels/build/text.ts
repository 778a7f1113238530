// The figure.toml as text. It is checked while you type; the button Apply replaces the figure.

import type { App } from "../../app";
import { h } from "../../dom";
import { type Chosen, chosen } from "../chosen";
import { button } from "../forms";

const TYPED = 400; // [ms] after the last key before the text is checked

export function textPanel(app: App, first: Chosen) {
  const { figure } = first.figure, area = h("textarea", { class: "toml", spellcheck: false, "aria-label": "figure.toml", help: "The figure as text. Ctrl Enter applies it." });
  const words = h("p", { class: "small-text", role: "status" });
  let known = "", timer = 0;
  const put = (text: string) => {
    known = area.value = text;
    words.textContent = "No changes.";
    words.className = "small-text quiet-text";
  };
  const apply = () => void app.run("set_figure_text", { figure, text: area.value }).then((done) => done !== undefined && (known = area.value));
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(async () => {
      const answer = await app.connection.send("check", { command: { kind: "set_figure_text", figure, text: area.value } }).catch(() => null);
      if (!answer) return;
      words.textContent = answer.ok ? "The text is valid. Press Apply to use it." : answer.message;
      words.className = answer.ok ? "small-text quiet-text" : "small-text field-error";
    }, TYPED);
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) (event.preventDefault(), apply());
    if (event.key === "Escape") event.stopPropagation();
  });
  return {
    element: h("div", { class: "text-panel" }, area, h("div", { class: "row" }, words, h("div", { class: "spread" }), button("Revert", "Discards the changes.", () => put(chosen(app)?.figure.text ?? known)), button("Apply", "Replaces the figure by the text (Ctrl Enter).", apply, "primary"))),
    show: (now: Chosen | null) => {
      if (now?.figure.text && (area.value === known || !known)) put(now.figure.text);
    },
  };
}
