// The help panel: topics with search, keyboard shortcuts, and "What is this?" for any control.

import type { App } from "../app";
import { fill, h, icon, iconButton } from "../dom";
import { ICONS } from "../icons";
import type { Shortcuts } from "./shortcuts";
import { TOPICS } from "./topics";

export interface Topic {
  topic: string;
  title: string;
  text: string;
}

export class HelpPanel {
  readonly element = h("aside", { class: "help-panel", "aria-label": "Help", hidden: true });
  private readonly topics: Topic[] = [...TOPICS];
  private readonly list = h("div", { class: "help-list" });
  private readonly search = h("input", { type: "search", placeholder: "Search the help", "aria-label": "Search the help" });
  private asking = false;

  constructor(private readonly app: App, private readonly shortcuts: Shortcuts, startTour: () => void) {
    const what = h("button", { class: "quiet", type: "button", help: "Click this button, then any control. The help on that control is shown here.", onclick: () => this.ask() }, icon(ICONS.look, false, 15), "What is this?");
    fill(this.element,
      h("header", null, h("h2", null, "Help"), iconButton(ICONS.close, "Close the help", "Close the help (Esc).", () => this.open(false))),
      h("div", { class: "row help-tools" }, what, app.store.get("mode") === "studio" && h("button", { class: "quiet", type: "button", help: "Shows the tour of the page again.", onclick: () => (this.open(false), startTour()) }, icon(ICONS.follow, false, 15), "Tour")),
      this.search, this.list);
    this.search.addEventListener("input", () => this.show());
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.open(false));
    document.addEventListener("click", (event) => this.answer(event), true);
    app.shortcut("h", "Help", () => this.open());
  }

  add(topic: string, title: string, text: string): void {
    this.topics.push({ topic, title, text });
  }

  open(on = this.element.hidden): void {
    this.element.hidden = !on;
    if (!on) return;
    this.show();
    this.search.focus();
  }

  private show(first: Topic[] = []): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.topics.filter(({ topic, title, text }) => words.every((word) => `${topic} ${title} ${text}`.toLowerCase().includes(word)));
    const groups = [...new Set([...first, ...found].map(({ topic }) => topic))];
    fill(this.list, groups.map((topic) => h("section", null, h("h4", null, topic), [...first, ...found].filter((one) => one.topic === topic).map(({ title, text }, i) =>
      h("details", { open: first.length > 0 && i === 0 && topic === first[0]!.topic }, h("summary", null, title), text.split("\n").map((line) => h("p", null, line)))))),
      !words.length && h("section", null, h("h4", null, "Keyboard shortcuts"), this.shortcuts.sheet()),
      !groups.length && h("p", { class: "quiet-text" }, "No topic contains these words."));
  }

  private ask(): void {
    this.asking = true;
    document.documentElement.classList.add("asking");
    this.app.notify({ tone: "info", text: "Click any control to see what it does. Esc cancels." });
    const end = (event: KeyboardEvent) => event.key === "Escape" && this.endAsking();
    addEventListener("keydown", end, { once: true });
  }

  private endAsking(): void {
    this.asking = false;
    document.documentElement.classList.remove("asking");
  }

  private answer(event: MouseEvent): void {
    if (!this.asking) return;
    event.preventDefault();
    event.stopPropagation();
    this.endAsking();
    const element = (event.target as Element).closest<HTMLElement>("[data-help]");
    const title = element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
    this.open(true);
    this.show([{ topic: "What is this?", title: title || "No control", text: element?.dataset["help"] ?? "There is no control here. Click a button, a field or a slider." }]);
  }
}
