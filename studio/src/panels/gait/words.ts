// The first level of the gait panel: a style or a script in everyday words.

import type { App } from "../../app";
import { fill, h } from "../../dom";
import { button } from "../forms";

const TYPED = 250; // [ms] after the last key before the words are explained
const PHRASES = ["walk happily", "walk tired 3 s; stop", "stand 1 s; walk; turn left; walk vigorously", "walk at 1.6 m/s; turn right 45 degrees; stop"];

export function wordsLevel(app: App): HTMLElement {
  const area = h("textarea", { class: "words", rows: 2, spellcheck: false, "aria-label": "Words", placeholder: "walk happily; turn left; stop", help: "A script in everyday words; separate its commands by ';'. If it is empty, the style below and the numbers of level 2 are used." });
  const explained = h("pre", { class: "explained", role: "status" }), styles = h("div", { class: "chips", role: "group", "aria-label": "Style" }), why = h("p", { class: "quiet-text small-text" });
  let timer = 0;
  const explain = () => {
    clearTimeout(timer);
    timer = window.setTimeout(async () => {
      const words = area.value.trim() || app.store.get("project")?.gait.style || "natural";
      const answer = await app.connection.send("explain_words", { words }).catch(() => null);
      if (!answer) return;
      explained.textContent = answer.lines.join("\n");
      explained.classList.toggle("field-error", !answer.ok);
      area.setAttribute("aria-invalid", String(!answer.ok));
    }, TYPED);
  };
  area.addEventListener("input", explain);
  area.addEventListener("change", () => void app.run("set_gait", area.value.trim() ? { words: area.value.trim() } : { clear: ["words"] }));
  area.addEventListener("keydown", (event) => event.stopPropagation());
  const show = () => {
    const gait = app.store.get("project")?.gait, all = app.store.get("welcome")?.styles ?? [];
    fill(styles, all.map(({ name, words }) => h("button", { type: "button", class: "chip", help: words, "aria-pressed": String(!gait?.words && gait?.style === name), dataset: { style: name }, onclick: () => void app.run("set_gait", { style: name, clear: ["words"] }) }, name)));
    const planned = gait && !gait.words && (gait.step_length !== null || gait.step_frequency !== null || Object.keys(gait.determinants).length > 0 || gait.method === "hidds");
    why.textContent = planned ? "Styles have no effect if step length, step frequency, determinants or HIDDS are set in level 2." : all.find(({ name }) => name === gait?.style)?.words ?? "";
    why.classList.toggle("hint", !!planned);
    if (document.activeElement !== area && area.value !== (gait?.words ?? "")) area.value = gait?.words ?? "";
    explain();
  };
  let last = "";
  const changed = () => {
    const now = JSON.stringify([app.store.get("project")?.gait, app.store.get("welcome")?.styles.length]);
    if (now !== last) ((last = now), show());
  };
  app.store.on("project", changed);
  app.store.on("welcome", changed);
  changed();
  const phrases = h("details", { class: "more" }, h("summary", { help: "Example scripts." }, "Example scripts"), PHRASES.map((words) => button(words, "Uses this script.", () => {
    area.value = words;
    void app.run("set_gait", { words });
  }, "quiet small phrase")));
  return h("div", { class: "level-content" }, area, h("h4", null, "Style"), styles, why, explained, phrases);
}
