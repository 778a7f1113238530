// Keyboard shortcuts. The same list is used to handle keys and to show the shortcuts ("?").

import { h } from "../dom";

interface Shortcut {
  keys: string;
  what: string;
  run: () => void;
}

const NAMES: Record<string, string> = { " ": "space", arrowleft: "left", arrowright: "right", arrowup: "up", arrowdown: "down", escape: "esc" };

export class Shortcuts {
  private readonly list: Shortcut[] = [];

  constructor() {
    addEventListener("keydown", (event) => this.press(event));
  }

  add(keys: string, what: string, run: () => void): void {
    const key = keys.toLowerCase();
    const old = this.list.findIndex((entry) => entry.keys === key);
    if (old >= 0) this.list.splice(old, 1);
    this.list.push({ keys: key, what, run });
  }

  private press(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const keys = pressed(event), target = event.target as HTMLElement;
    const writes = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    const ranged = target instanceof HTMLInputElement && ["range", "checkbox", "radio", "button"].includes(target.type);
    const slides = target instanceof HTMLInputElement && target.type === "range";
    if (writes && !keys.includes("ctrl+") && !(ranged && !/^(left|right|up|down|home|end|space)$/.test(keys)) && !(slides && keys === "space")) return;
    if (keys === "space" && target.closest("dialog, [role=menu]")) return; // presses the button there; elsewhere Space plays, and Enter presses the button that has the focus
    const found = this.list.find((entry) => entry.keys === keys);
    if (!found) return;
    event.preventDefault();
    found.run();
  }

  /** Creates a table of all shortcuts. */
  sheet(): HTMLElement {
    return h("table", { class: "sheet" },
      h("tbody", null, this.list.map(({ keys, what }) =>
        h("tr", null, h("td", null, keys.split("+").map((key, i) => [i ? " " : "", h("kbd", null, shown(key))])), h("td", null, what)))));
  }
}

function pressed(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const name = NAMES[key] ?? key;
  const shift = event.shiftKey && (name.length > 1 || /[a-z]/.test(name));
  return `${event.ctrlKey || event.metaKey ? "ctrl+" : ""}${event.altKey ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}

function shown(key: string): string {
  const arrows: Record<string, string> = { left: "←", right: "→", up: "↑", down: "↓", ctrl: "Ctrl", shift: "Shift", alt: "Alt", space: "Space", esc: "Esc", home: "Home", end: "End" };
  return arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
