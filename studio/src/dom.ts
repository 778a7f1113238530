// Helpers that create HTML elements. Text always becomes text nodes: nothing from a file is ever parsed as HTML.

export type Child = Node | string | number | null | undefined | false | Child[];

type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };

export type Attributes = Handlers & {
  class?: string;
  style?: Partial<CSSStyleDeclaration>;
  dataset?: Record<string, string>;
  /** Help on this control: the tooltip, and what the help panel shows for it. */
  help?: string;
  [name: string]: unknown;
};

/** Creates an element: `h("button", { class: "primary", onclick: save, help: "Save the project (Ctrl S)" }, "Save")`. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes?: Attributes | null, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "help") element.dataset["help"] = String(value);
    else if (name === "class") element.className = String(value);
    else if (name in element && !name.startsWith("aria-") && name !== "list" && name !== "form") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** Replaces all children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** Creates an icon from an SVG path in a box of 24 × 24: `icon("M8 5v14l11-7z", true)` is filled. */
export function icon(path: string, filled = false, size = 18): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": true, class: filled ? "icon filled" : "icon" }))
    svg.setAttribute(name, String(value));
  svg.append(line);
  return svg;
}

/** Creates a button that shows only an icon. `label` is for screen readers, `help` is the tooltip. */
export function iconButton(path: string, label: string, help: string, onclick: () => void, filled = false): HTMLButtonElement {
  return h("button", { class: "icon-button", type: "button", "aria-label": label, help, onclick }, icon(path, filled));
}

/** Creates an on/off button that reports its state to screen readers. */
export function toggle(label: Child, help: string, on: boolean, change: (on: boolean) => void): HTMLButtonElement {
  const button = h("button", { class: "toggle", type: "button", "aria-pressed": String(on), help }, label);
  button.addEventListener("click", () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(next));
    change(next);
  });
  return button;
}
