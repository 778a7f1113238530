// Tooltips on every control.

import { h } from "../dom";

const AFTER = 450, STAYS = 5000; // [ms] delay before a tooltip appears, and time that it stays

export function showTips(): void {
  const tip = h("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });
  let timer = 0, leaving = 0, over: Element | null = null;
  const hide = () => {
    clearTimeout(timer);
    clearTimeout(leaving);
    tip.hidden = true;
    over?.removeAttribute("aria-describedby");
    over = null;
  };
  const show = (element: HTMLElement) => {
    tip.textContent = element.dataset["help"] ?? "";
    (element.closest("dialog") ?? document.body).append(tip);
    tip.hidden = false;
    element.setAttribute("aria-describedby", "tip");
    const box = element.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const below = box.bottom + own.height + 14 < innerHeight;
    tip.style.left = `${Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 8)}px`;
    tip.style.top = `${below ? Math.min(box.bottom, innerHeight - own.height - 16) + 8 : Math.max(8, box.top - own.height - 8)}px`;
  };
  const enter = (target: EventTarget | null, wait: number) => {
    const element = (target as Element | null)?.closest?.<HTMLElement>("[data-help]") ?? null;
    if (element === over) return;
    hide();
    over = element;
    if (element && element.tagName !== "CANVAS" && element.dataset["tip"] !== "none") // a tooltip would cover what is being edited
      timer = window.setTimeout(() => show(element), wait);
  };
  addEventListener("pointerover", (event) => enter(event.target, AFTER));
  addEventListener("focusin", (event) => {
    if (!(event.target as Element).matches(":focus-visible")) return;
    enter(event.target, AFTER);
    leaving = window.setTimeout(hide, STAYS);
  });
  addEventListener("focusout", hide);
  addEventListener("pointerdown", hide, true);
  addEventListener("keydown", (event) => event.key === "Escape" && hide(), true);
}
