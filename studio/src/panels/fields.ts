// Form fields: numbers, choices, texts, sliders. Input is checked while it is typed.

import type { App } from "../app";
import { type Child, h } from "../dom";
import type { Commands } from "../messages";

export interface Field<T> {
  element: HTMLElement;
  /** Shows a value, unless the field is being edited. */
  show(value: T): void;
}

export type AnyCommand = { [K in keyof Commands]: { kind: K } & Commands[K]["fields"] }[keyof Commands];

export const DEGREES = 180 / Math.PI;
const CHECK_DELAY = 180; // [ms] after the last key before the server checks the input
const EXPLAINED = 6000; // [ms] time that the reason of a refusal is shown
const SEND_INTERVAL = 33; // [ms] between two messages of a slider

interface Common {
  label: string;
  help: string;
  /** The visible label; by default `label`, "" for no visible label. */
  face?: string;
  /** The name by which the focus is restored after the form is rebuilt; by default `label`. */
  at?: string;
  class?: string;
}

export interface NumberOptions extends Common {
  unit?: string;
  /** Factor by which the value is multiplied to get the shown number. */
  scale?: number;
  step?: number;
  min?: number;
  max?: number;
  digits?: number;
  /** The placeholder of an empty field; if it is not given, a number is required. */
  empty?: string;
  /** Sends the value. If it returns a promise of undefined, the server has refused the value, and the field shows the old one. */
  commit(value: number | null): unknown;
  /** Returns the command for an input, so that the server can check it. */
  check?(value: number | null): AnyCommand;
}

/** Formats a number without needless digits. */
export function plain(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return "";
  return Math.abs(x) < 1e-9 ? "0" : String(Number(x.toPrecision(Math.abs(x) >= 1000 ? 6 : digits)));
}

export function numberField(app: App, options: NumberOptions): Field<number | null> {
  const { label, help, unit = "", scale = 1, min, max, empty, digits = 5 } = options;
  const input = h("input", { type: "number", step: options.step ?? "any", "aria-label": label, help, placeholder: empty ?? "", dataset: { at: options.at ?? label } });
  const wrong = h("small", { class: "field-error", role: "alert", hidden: true });
  let known: number | null = null, timer = 0, explained = 0, refused: string | null = null;
  const same = () => input.value === (known === null ? "" : plain(known * scale, digits));
  const read = (): number | null | string => {
    if (input.value.trim() === "") return input.validity.badInput ? "This is not a number." : empty === undefined ? "Enter a number." : null;
    const value = Number(input.value) / scale;
    if (!Number.isFinite(value)) return "This is not a number.";
    if (min !== undefined && value < min - 1e-12) return `Enter ${plain(min * scale)} or more.`;
    if (max !== undefined && value > max + 1e-12) return `Enter ${plain(max * scale)} or less.`;
    return value;
  };
  const say = (message: string) => {
    wrong.textContent = message;
    wrong.hidden = !message;
    input.setAttribute("aria-invalid", String(!!message));
  };
  input.addEventListener("input", () => {
    clearTimeout(explained);
    explained = 0;
    const value = read();
    say(typeof value === "string" ? value : "");
    clearTimeout(timer);
    if (typeof value !== "string" && options.check) timer = window.setTimeout(() => void ask(app, options.check!(value), (message) => ((refused = message ? input.value : null), say(message))), CHECK_DELAY);
  });
  const put = (value: number | null) => {
    known = value;
    input.value = value === null ? "" : plain(value * scale, digits);
    if (!explained) say("");
  };
  /** Shows the old value again, and for a while why the new one was refused. */
  const refuse = (message: string) => {
    const typed = `${input.value}${unit ? ` ${unit}` : ""}`.trim();
    put(known);
    say(`${typed ? `${typed} was refused. ` : ""}${message}`);
    input.setAttribute("aria-invalid", "false");
    clearTimeout(explained);
    explained = window.setTimeout(() => ((explained = 0), say("")), EXPLAINED);
  };
  const take = () => {
    clearTimeout(timer);
    const value = read();
    if (typeof value === "string") return refuse(value);
    if (input.value === refused) return refuse(wrong.textContent ?? "");
    if (value === known || (value !== null && known !== null && plain(value * scale, digits) === plain(known * scale, digits))) return put(known);
    const before = known, sent = options.commit((known = value));
    if (sent instanceof Promise) void sent.then((done) => done === undefined && known === value && put(before));
  };
  onTaken(input, () => !same() && take());
  input.addEventListener("keydown", (event) => event.key === "Escape" && !same() && (event.stopPropagation(), put(known)));
  return {
    element: labelled(options, h("span", { class: "number-box" }, input, unit ? h("span", { class: "unit" }, unit) : null), wrong),
    show: (value) => {
      if (document.activeElement !== input || same()) put(value);
    },
  };
}

/** Calls back when editing ends. "change" alone is not enough: browsers do not fire it if the page has set the value during the edit. */
function onTaken(input: HTMLInputElement, take: () => void): void {
  input.addEventListener("change", take);
  input.addEventListener("blur", take);
  input.addEventListener("keydown", (event) => event.key === "Enter" && take());
}

async function ask(app: App, command: AnyCommand, say: (message: string) => void): Promise<void> {
  try {
    const { ok, message } = await app.connection.send("check", { command: command as unknown as Record<string, unknown> });
    say(ok ? "" : message);
  } catch {
    /* disconnected: the page shows that elsewhere */
  }
}

export interface TextOptions extends Common {
  commit(value: string): void;
  check?(value: string): AnyCommand;
  placeholder?: string;
}

export function textField(app: App, options: TextOptions): Field<string> {
  const input = h("input", { type: "text", "aria-label": options.label, help: options.help, placeholder: options.placeholder ?? "", spellcheck: false, dataset: { at: options.at ?? options.label } });
  const wrong = h("small", { class: "field-error", role: "alert", hidden: true });
  let known = "", timer = 0;
  const say = (message: string) => {
    wrong.textContent = message;
    wrong.hidden = !message;
    input.setAttribute("aria-invalid", String(!!message));
  };
  const put = (value: string) => ((known = input.value = value), say(""));
  input.addEventListener("input", () => {
    clearTimeout(timer);
    say("");
    if (options.check && input.value !== known) timer = window.setTimeout(() => void ask(app, options.check!(input.value), say), CHECK_DELAY);
  });
  onTaken(input, () => {
    clearTimeout(timer);
    if (input.value !== known) options.commit((known = input.value = input.value.trim()));
  });
  input.addEventListener("keydown", (event) => event.key === "Escape" && input.value !== known && (event.stopPropagation(), put(known)));
  return { element: labelled(options, input, wrong), show: (value) => (document.activeElement !== input || input.value === known) && put(value) };
}

export interface ChoiceOptions extends Common {
  choices: readonly (string | readonly [value: string, words: string])[];
  commit(value: string): void;
}

export function choiceField(options: ChoiceOptions): Field<string> {
  const select = h("select", { "aria-label": options.label, help: options.help, dataset: { at: options.at ?? options.label } },
    options.choices.map((choice) => (typeof choice === "string" ? h("option", { value: choice }, choice) : h("option", { value: choice[0] }, choice[1]))));
  select.addEventListener("change", () => options.commit(select.value));
  return { element: labelled(options, select), show: (value) => void (select.value = value) };
}

export interface TickOptions extends Common {
  commit(on: boolean): void;
}

export function tickField(options: TickOptions): Field<boolean> {
  const input = h("input", { type: "checkbox", "aria-label": options.label, dataset: { at: options.at ?? options.label } });
  input.addEventListener("change", () => options.commit(input.checked));
  return { element: h("label", { class: `tick-field ${options.class ?? ""}`, help: options.help }, input, options.face !== "" && h("span", null, options.face ?? options.label)), show: (on) => void (input.checked = on) };
}

/** Creates a group of buttons. One of them is pressed at a time. */
export function segments<T extends string>(label: string, choices: readonly (readonly [value: T, face: Child, help: string])[], commit: (value: T) => void): Field<T> {
  const buttons = choices.map(([value, face, help]) => h("button", { type: "button", help, dataset: { choice: value, at: `${label} ${value}` }, onclick: () => commit(value) }, face));
  return {
    element: h("div", { class: "segments", role: "group", "aria-label": label }, buttons),
    show: (now) => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(choices[i]![0] === now))),
  };
}

export interface SliderOptions extends Common {
  scale?: number;
  step?: number;
  /** Called with the value of the slider; `done` is false while the slider moves. */
  move(value: number, done: boolean): void;
}

export interface Slider extends Field<number> {
  bounds(least: number, most: number): void;
}

export function sliderField({ label, help, at, scale = 1, step, move }: SliderOptions): Slider {
  const input = h("input", { type: "range", "aria-label": label, help, dataset: { at: at ?? `${label} slider` } });
  const sender = throttled((value: number) => move(value, false));
  let held = false;
  input.addEventListener("input", () => ((held = true), sender.send(Number(input.value) / scale)));
  input.addEventListener("change", () => {
    held = false;
    sender.cancel();
    move(Number(input.value) / scale, true);
  });
  return {
    element: input,
    show: (value) => {
      if (!held) input.value = String(value * scale);
    },
    bounds: (least, most) => {
      const [a, b] = [least * scale, most * scale];
      input.min = String(a);
      input.max = String(b);
      input.step = String(step ?? 10 ** Math.floor(Math.log10(Math.max(b - a, 1e-6) / 200)));
    },
  };
}

/** Limits calls of a function to one every 33 ms, with the latest value. */
export function throttled<T>(run: (value: T) => void): { send(value: T): void; cancel(): void } {
  let timer = 0, waiting: { value: T } | null = null, last = 0;
  const now = () => {
    timer = 0;
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    last = performance.now();
    run(value);
  };
  return {
    send: (value) => {
      waiting = { value };
      if (!timer) timer = window.setTimeout(now, Math.max(0, SEND_INTERVAL - (performance.now() - last)));
    },
    cancel: () => {
      waiting = null;
      clearTimeout(timer);
      timer = 0;
    },
  };
}

function labelled(options: Common, field: HTMLElement, wrong?: HTMLElement): HTMLElement {
  const face = options.face ?? options.label;
  return h("label", { class: `field ${face ? "" : "bare"} ${options.class ?? ""}` }, face ? h("span", { class: "field-label" }, face) : null, field, wrong);
}
