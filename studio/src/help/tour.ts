// The tour of the page: it highlights and explains one part after the other.

import { fill, h } from "../dom";
import { remember, remembered } from "../theme";

const KEY = "anthropi.tour";
const STEPS: [selector: string, title: string, text: string][] = [
  [".stage", "The stage", "Drag to rotate the view, scroll to zoom. Click a link to choose it."],
  [".live-box", "Live", "This button starts a live simulation. Then drag an arm or the pelvis and see how the figure reacts."],
  [".toolbar", "Tools, bodies, cameras", "Choose the pointer tool, how bodies are drawn, the camera, and overlays such as forces, centre of mass, limits and trails."],
  [".column.left", "Commands", "Build a figure, compute dynamics, make it walk. Ctrl Z undoes every edit."],
  [".column.right", "Degrees of freedom", "Angles, limits, locks, springs, dampers and forces of the chosen link."],
  [".timeline-place", "Timeline", "Space plays. Drag to change the time, K sets a key. The bars are the stance phases of the left and the right foot."],
  [".plots-place", "Plots", "Channels of the motion over time. Press Channels to choose them."],
  [".bar-tools", "Help", "Hover over any control to see what it does. ? shows the keyboard shortcuts, H the help."],
];

export function startTour(): void {
  let at = 0;
  const hole = h("div", { class: "tour-hole" }), words = h("div", { class: "tour-words", role: "dialog", "aria-label": "Tour" });
  const layer = h("div", { class: "tour" }, hole, words);
  const end = () => {
    remember(KEY, "done");
    layer.remove();
    removeEventListener("keydown", keys, true);
  };
  const go = (by: number) => {
    const shown = STEPS.filter(([selector]) => visible(selector));
    at += by;
    if (at < 0) at = 0;
    if (at >= shown.length) return end();
    const [selector, title, text] = shown[at]!, box = document.querySelector(selector)!.getBoundingClientRect();
    Object.assign(hole.style, { left: `${box.left - 4}px`, top: `${box.top - 4}px`, width: `${box.width + 8}px`, height: `${box.height + 8}px` });
    fill(words, h("h2", null, title), h("p", null, text), h("div", { class: "row" }, h("span", { class: "quiet-text spread" }, `${at + 1} of ${shown.length}`),
      h("button", { class: "quiet", onclick: end }, "Skip"), at > 0 && h("button", { onclick: () => go(-1) }, "Back"), h("button", { class: "primary", onclick: () => go(1) }, at + 1 === shown.length ? "Done" : "Next")));
    place(words, box);
    words.querySelector<HTMLButtonElement>(".primary")!.focus();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape") end();
    else if (event.key === "ArrowRight") go(1);
    else if (event.key === "ArrowLeft") go(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("keydown", keys, true);
  document.body.append(layer);
  go(0);
}

/** Shows the tour once in this browser, but not if the address ends in #quiet or a test controls the browser. */
export function firstTour(): void {
  if (!remembered(KEY) && location.hash !== "#quiet" && !navigator.webdriver) startTour();
}

function visible(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  return !!element && element.getBoundingClientRect().width > 8;
}

/** Places the explanation beside the highlighted part. */
function place(words: HTMLElement, box: DOMRect): void {
  const { width, height } = words.getBoundingClientRect(), gap = 14;
  const left = box.right + gap + width < innerWidth ? box.right + gap : box.left - gap - width > 0 ? box.left - gap - width : box.left + box.width / 2 - width / 2;
  const beside = left >= box.right || left + width <= box.left;
  const top = beside ? box.top + 10 : box.top - gap - height > 0 ? box.top - gap - height : box.height > 2 * height ? box.top + box.height / 2 - height / 2 : box.bottom + gap;
  words.style.left = `${Math.min(Math.max(10, left), innerWidth - width - 10)}px`;
  words.style.top = `${Math.min(Math.max(10, top), innerHeight - height - 10)}px`;
}
