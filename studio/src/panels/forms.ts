// Forms. A form is rebuilt only when its fields change, not when their values change. The focus is kept.

import type { App } from "../app";
import { type Child, fill, h, icon } from "../dom";
import { remember, remembered } from "../theme";
import type { Vector } from "./document";
import { type AnyCommand, type Field, numberField } from "./fields";

export interface Made<S> {
  element: HTMLElement;
  show(state: S): void;
}

/** Shows a state in a form. The form is rebuilt when the result of `shape` changes; otherwise only its values are updated. */
export function keep<S>(place: HTMLElement, shape: (state: S) => string, make: (state: S) => Made<S>): (state: S) => void {
  let last: string | null = null, made: Made<S> | null = null;
  return (state) => {
    const now = shape(state);
    if (made && now === last) return made.show(state);
    last = now;
    const focus = document.activeElement as HTMLElement | null, at = focus && place.contains(focus) ? focus.dataset["at"] : undefined;
    made = make(state);
    fill(place, made.element);
    made.show(state);
    if (at) [...place.querySelectorAll<HTMLElement>("[data-at]")].find((own) => own.dataset["at"] === at)?.focus({ preventScroll: true });
  };
}

export interface VectorOptions {
  label: string;
  help: string;
  unit: string;
  scale?: number;
  step?: number;
  min?: number;
  names?: readonly string[];
  commit(value: Vector): void;
  check?(value: Vector): AnyCommand;
}

/** Creates a field for a vector: three numbers in a row. */
export function vectorField(app: App, { label, help, unit, scale, step, min, names = ["x", "y", "z"], commit, check }: VectorOptions): Field<Vector> {
  let known: Vector = [0, 0, 0];
  const with_ = (i: number, x: number | null): Vector => known.map((own, k) => (k === i ? x ?? 0 : own)) as Vector;
  const fields = names.map((name, i) => numberField(app, {
    label: `${label} ${name}`, face: name, help, scale, step, min, class: "part", digits: 4,
    commit: (x) => commit((known = with_(i, x))), ...(check ? { check: (x: number | null) => check(with_(i, x)) } : {}),
  }));
  return {
    element: h("div", { class: "vector", role: "group", "aria-label": label }, h("span", { class: "field-label" }, label, h("span", { class: "unit" }, unit)), h("div", { class: "vector-parts" }, fields.map(({ element }) => element))),
    show: (value) => {
      known = value;
      fields.forEach((field, i) => field.show(value[i]!));
    },
  };
}

/** Creates a section of a panel that can be folded. Whether it is open is stored in this browser. */
export function section(title: string, help: string, open: boolean, ...content: Child[]): HTMLDetailsElement {
  const key = `anthropi.open.${title}`, kept = remembered(key);
  const details = h("details", { class: "part", open: kept === null ? open : kept === "yes" }, h("summary", { help }, icon("M9 6l6 6l-6 6", false, 13), h("h3", null, title)), h("div", { class: "part-content" }, content));
  details.addEventListener("toggle", () => remember(key, details.open ? "yes" : "no"));
  return details;
}

/** Creates a button. */
export function button(face: Child, help: string, onclick: () => void, kind = "", label?: string): HTMLButtonElement {
  return h("button", { type: "button", class: kind, help, onclick, ...(label ? { "aria-label": label } : {}) }, face);
}
