// A modal dialog: Escape or a click outside closes it.

import { type Child, h, iconButton } from "./dom";
import { ICONS } from "./icons";

export function dialog(title: string, ...content: Child[]): HTMLDialogElement {
  const window = h("dialog", { class: "window", "aria-label": title },
    h("header", null, h("h2", null, title), iconButton(ICONS.close, "Close", "Close (Esc).", () => window.close())),
    h("div", { class: "window-content" }, content));
  window.addEventListener("close", () => window.remove());
  window.addEventListener("click", (event) => event.target === window && window.close());
  document.body.append(window);
  window.showModal();
  dispatchEvent(new Event("anthropi:dialog"));
  return window;
}
