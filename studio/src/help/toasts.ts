// Messages in a corner of the page. Errors stay until they are closed. Buttons go to the link, joint and time that a message names.

import type { App, Known, Note } from "../app";
import { h, icon } from "../dom";
import type { Store } from "../store";

const STAY = 4200; // [ms] time that a message stays

export class Toasts {
  readonly element = h("div", { class: "toasts", role: "region", "aria-label": "Messages", "aria-live": "polite" });

  constructor(private readonly store: Store<Known>) {}

  show(note: Note): void {
    const known = this.find(note.text);
    if (known) known.remove();
    const close = h("button", { class: "icon-button", "aria-label": "Close this message", onclick: () => toast.remove() }, icon("M6 6l12 12M18 6L6 18", false, 14));
    const toast = h("div", { class: `toast ${note.tone}`, role: note.tone === "error" ? "alert" : "status" },
      h("span", { class: "dot" }),
      h("div", { class: "toast-text" }, h("p", null, note.text), this.where(note)),
      note.action && h("button", { class: "quiet", onclick: () => (toast.remove(), note.action!.run()) }, note.action.label),
      close);
    this.element.append(toast);
    while (this.element.children.length > 4) this.element.firstElementChild!.remove();
    if (note.tone !== "error") setTimeout(() => toast.remove(), note.action ? 2 * STAY : STAY);
  }

  private find(text: string): Element | undefined {
    return [...this.element.children].find((toast) => toast.querySelector("p")?.textContent === text);
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
