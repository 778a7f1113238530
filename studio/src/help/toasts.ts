// Messages in a corner of the page. They disappear after some time; the pointer on a message keeps it. Buttons go to the link, joint and time that a message names.

import type { App, Known, Note } from "../app";
import { h, icon } from "../dom";
import type { Store } from "../store";

const STAY = 4200, ERROR_STAYS = 14_000; // [ms] time that a message stays
const MOST = 4; // messages at a time
const SHORT = 200; // characters of a message that are shown at first

export class Toasts {
  readonly element = h("div", { class: "toasts", role: "region", "aria-label": "Messages", "aria-live": "polite" });

  constructor(private readonly store: Store<Known>) {
    addEventListener("anthropi:dialog", () => this.place());
  }

  /** Moves the messages into the dialog that is open, because a modal dialog covers the page, and back when it closes. */
  private place(): void {
    const windows = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")], top = windows[windows.length - 1];
    const home = document.getElementById("app") ?? document.body, place = top ?? home;
    if (this.element.parentElement === place) return;
    place.append(this.element);
    top?.addEventListener("close", () => this.place(), { once: true });
  }

  show(note: Note): void {
    this.place();
    this.find(note.text)?.remove();
    const words = h("p", { dataset: { text: note.text } }, shortened(note.text));
    const more = shortened(note.text) !== note.text && h("button", { class: "place", onclick: () => (words.textContent = note.text) }, "Show all");
    const close = h("button", { class: "icon-button", "aria-label": "Close this message", onclick: () => toast.remove() }, icon("M6 6l12 12M18 6L6 18", false, 14));
    const toast = h("div", { class: `toast ${note.tone}`, role: note.tone === "error" ? "alert" : "status" },
      h("span", { class: "dot" }),
      h("div", { class: "toast-text" }, words, more, this.where(note)),
      note.action && h("button", { class: "quiet", onclick: () => (toast.remove(), note.action!.run()) }, note.action.label),
      close);
    this.element.append(toast);
    while (this.element.children.length > MOST) this.element.firstElementChild!.remove();
    const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, STAY) : toast.remove());
    setTimeout(leave, note.tone === "error" ? ERROR_STAYS : note.action ? 2 * STAY : STAY);
  }

  private find(text: string): Element | undefined {
    return [...this.element.children].find((toast) => toast.querySelector("p")?.dataset["text"] === text);
  }

  /** Creates buttons that go to the link, joint and time of a note, such as "link l_shank · joint l_knee · 1.240 s". */
  private where(note: Note): HTMLElement | null {
    const parts: HTMLElement[] = [];
    const { link, joint, time } = note;
    if (link) parts.push(h("button", { class: "place", onclick: () => this.toLink((own) => own.name === link) }, `link ${link}`));
    if (joint) parts.push(h("button", { class: "place", onclick: () => this.toLink((own) => own.joint.name === joint) }, `joint ${joint}`));
    if (typeof time === "number") parts.push(h("button", { class: "place", onclick: () => this.store.set("time", time) }, `${time.toFixed(3)} s`));
    return parts.length ? h("div", { class: "places" }, parts) : null;
  }

  private toLink(is: (link: { name: string; joint: { name: string } }) => boolean): void {
    const motion = this.store.get("motion"), figures = motion?.figures ?? [];
    figures.forEach(({ appearance }, k) => {
      const figure = motion?.ids[k] ?? k;
      const link = appearance.links.findIndex(is);
      if (link >= 0) this.store.set("selection", { figure, link, dof: appearance.links[link]!.joint.name });
    });
  }
}

/** Shows an error as a message. */
export function explainFailure(app: App, error: unknown): void {
  const { message, link, joint, time } = error as Error & { link?: string; joint?: string; time?: number };
  app.notify({ tone: "error", text: message || String(error), link: link ?? null, joint: joint ?? null, time: time ?? null });
}

/** Cuts a long message, such as a list of all names, after a word. */
function shortened(text: string): string {
  if (text.length <= SHORT + 40) return text;
  return `${text.slice(0, SHORT).replace(/[\s,;:]+\S*$/, "")} …`;
}
