// A button that opens a menu. It can be used with the pointer or the keyboard.

import { type Child, fill, h } from "./dom";

export interface Entry {
  label: string;
  run: () => void;
  help?: string;
  hint?: string;
  /** Whether the entry is on. The menu stays open after a click on an entry that can be on or off. */
  checked?: boolean;
  disabled?: boolean;
}

export function menu(face: Child, label: string, help: string, entries: () => Entry[]): HTMLElement {
  const list = h("div", { class: "menu-list", role: "menu", hidden: true });
  const button = h("button", { class: "icon-button", type: "button", "aria-label": label, "aria-haspopup": "menu", "aria-expanded": "false", help }, face);
  const open = (on: boolean) => {
    list.hidden = !on;
    button.setAttribute("aria-expanded", String(on));
    if (on) show(0);
  };
  const show = (focus: number) => {
    const rows = entries();
    fill(list, rows.map((entry) => {
      const row = h("button", { class: "menu-entry", type: "button", role: entry.checked === undefined ? "menuitem" : "menuitemcheckbox", help: entry.help, disabled: !!entry.disabled },
        entry.checked === undefined ? null : h("span", { class: "tick" }, entry.checked ? "✓" : ""), h("span", { class: "spread" }, entry.label), entry.hint ? h("kbd", null, entry.hint) : null);
      if (entry.checked !== undefined) row.setAttribute("aria-checked", String(entry.checked));
      row.addEventListener("click", () => {
        entry.run();
        if (entry.checked === undefined) open(false);
        else show(rows.indexOf(entry));
      });
      return row;
    }));
    (list.children[focus] as HTMLElement | undefined)?.focus({ preventScroll: true });
  };
  button.addEventListener("click", () => open(!!list.hidden));
  const whole = h("div", { class: "menu" }, button, list);
  list.addEventListener("keydown", (event) => {
    const rows = [...list.children] as HTMLElement[], at = rows.indexOf(document.activeElement as HTMLElement);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") rows[(at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length]?.focus();
    else if (event.key === "Escape") (open(false), button.focus());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener("pointerdown", (event) => {
    if (!whole.contains(event.target as Node)) open(false);
  });
  return whole;
}
