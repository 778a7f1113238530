// The controls of one degree of freedom: a slider within its limits, and its rate, limits, spring and drive.

import type { App } from "../../app";
import { fill, h, icon } from "../../dom";
import type { DofView } from "../../messages";
import { remember, remembered } from "../../theme";
import { DEGREES, type Field, numberField, segments, sliderField, tickField } from "../fields";
import { button } from "../forms";

export interface Card {
  element: HTMLElement;
  show(dof: DofView): void;
}

export type ShowCurve = (dof: string, what: "keys" | "control") => void;

const LOCKED = "M6.500 11h11v9h-11zM8.500 11V8a3.500 3.500 0 0 1 7 0v3", OPEN = "M6.500 11h11v9h-11zM8.500 11V8a3.500 3.500 0 0 1 6.800-1.200";
const KEY = "anthropi.open.dof";
const WIDE = { rad: Math.PI, m: 2 } as const; // largest value of sliders without limits

/** Returns the name within its joint: "x" for "l_hip.x". */
export function shortName({ name, joint }: DofView): string {
  return name.startsWith(`${joint}.`) ? name.slice(joint.length + 1) : name;
}

export function dofCard(app: App, figure: number, first: DofView, full: boolean, showCurve: ShowCurve): Card {
  const { name: dof, unit } = first, scale = unit === "rad" ? DEGREES : 1, sign = unit === "rad" ? "°" : "m";
  const set = (value: number, done: boolean) => (done ? void app.run("set_dof", { figure, dof, value, done }) : app.connection.post("set_dof", { figure, dof, value, done }));
  const slider = sliderField({ label: dof, at: `${dof} slider`, help: `Sets the initial value of ${dof} within its limits.`, scale, ...(unit === "rad" ? { step: 0.5 } : { step: 0.005 }), move: set });
  const value = numberField(app, { label: `${dof} value`, face: "", at: `${dof} value`, help: `Initial value of ${dof}. It may exceed the limits.`, unit: sign, scale, step: unit === "rad" ? 1 : 0.01, commit: (x) => x !== null && set(x, true) });
  const lock = h("button", { type: "button", class: "icon-button lock", "aria-label": `Lock ${dof}`, dataset: { at: `${dof} lock` }, onclick: () => void app.run("lock_joint", { figure, name: dof, locked: lock.getAttribute("aria-pressed") !== "true" }) });
  const open = h("span", { class: "dof-name" }, full ? shortName(first) : dof);
  const more = full && !first.locked ? acting(app, figure, first, showCurve) : null;
  return {
    element: h("div", { class: `dof${first.locked ? " locked" : ""}`, dataset: { dof } }, h("div", { class: "dof-line" }, open, slider.element, value.element, lock), more?.element),
    show: (now) => {
      const low = now.lower ?? -WIDE[unit], high = now.upper ?? WIDE[unit];
      slider.bounds(Math.min(low, now.value), Math.max(high, now.value));
      slider.show(now.value);
      value.show(now.value);
      for (const input of [slider.element, value.element.querySelector("input")!] as HTMLInputElement[]) input.disabled = now.locked;
      lock.setAttribute("aria-pressed", String(now.locked));
      fill(lock, icon(now.locked ? LOCKED : OPEN, false, 15));
      lock.disabled = !now.lockable;
      lock.dataset["help"] = now.locked ? `Unlocks ${dof}.` : now.lockable ? `Locks ${dof} at its present value.` : `One rotation of a ball joint cannot be locked alone. Lock the whole joint, or choose a rotation order to make it an Euler joint.`;
      more?.show(now);
    },
  };
}

/** Creates the fields for rate, limits, spring, damper and drive. */
function acting(app: App, figure: number, first: DofView, showCurve: ShowCurve): Card {
  const { name: dof, unit } = first, turn = unit === "rad", scale = turn ? DEGREES : 1;
  let now = first;
  const rate = numberField(app, { label: `${dof} rate`, face: "rate", help: "Initial rate.", unit: turn ? "°/s" : "m/s", scale, step: turn ? 10 : 0.1, commit: (x) => app.run("set_dof", { figure, dof, rate: x ?? 0 }) });
  const limit = (side: "lower" | "upper") => numberField(app, { label: `${dof} ${side} limit`, face: side === "lower" ? "from" : "to", help: `The ${side} limit. Leave it empty for no limit.`, unit: turn ? "°" : "m", scale, step: turn ? 1 : 0.01, empty: "none",
    check: (x) => ({ kind: "set_limits", figure, dof, lower: now.lower, upper: now.upper, [side]: x }), commit: (x) => void app.run("set_limits", { figure, dof, lower: now.lower, upper: now.upper, [side]: x }) });
  const lower = limit("lower"), upper = limit("upper");
  const spring = (key: "stiffness" | "rest" | "damping", face: string, help: string, units: [string, string], by = 1) => numberField(app, { label: `${dof} ${key}`, face, help, unit: units[turn ? 0 : 1], scale: by, ...(key === "rest" ? {} : { min: 0 }), step: key === "rest" ? 1 : 0.5,
    check: (x) => ({ kind: "set_spring", figure, dof, [key]: x }), commit: (x) => void app.run("set_spring", { figure, dof, [key]: x }) });
  const stiffness = spring("stiffness", "spring", "Stiffness of the spring.", ["N m/rad", "N/m"]), rest = spring("rest", "rest", "Rest position of the spring.", ["°", "m"], scale), damping = spring("damping", "damper", "Damping coefficient: the force is proportional to the rate.", ["N m s", "N s/m"]);
  const drive = segments<DofView["drive"]>(`Drive of ${dof}`, [["free", "Free", "Only springs, gravity and other links move it."], ["force", "Force", "Driven by a force: a constant or a control function of time."], ["motion", "Motion", "Driven by a prescribed motion; by default it keeps its present value."]], (value) => void app.run("set_drive", { figure, dof, drive: value }));
  const amount = numberField(app, { label: `${dof} driving force`, face: "", help: "The constant force or torque that drives it.", unit: turn ? "N m" : "N", step: 1, commit: (x) => app.run("set_drive", { figure, dof, drive: "force", value: x ?? 0 }) });
  const curve = button("Curve", `Edits the control function of ${dof} as a curve.`, () => showCurve(dof, "control"), "small", `Curve of ${dof}`);
  const keys = button("Keys", `Edits the keys of ${dof} as a curve.`, () => showCurve(dof, "keys"), "small", `Keys of ${dof}`);
  const fields: [Field<number | null>, keyof DofView][] = [[rate, "rate"], [lower, "lower"], [upper, "upper"], [stiffness, "stiffness"], [rest, "rest"], [damping, "damping"]];
  const details = h("details", { class: "dof-more", open: remembered(KEY) !== "no" }, h("summary", { help: `Limits, spring, damper, rate and drive of ${dof}.` }, "limits, spring, drive"),
    h("div", { class: "dof-grid" }, lower.element, upper.element, rate.element, stiffness.element, rest.element, damping.element), h("div", { class: "row wrap" }, drive.element, curve, keys), amount.element);
  details.addEventListener("toggle", () => remember(KEY, details.open ? "yes" : "no"));
  return {
    element: details,
    show: (dofNow) => {
      now = dofNow;
      for (const [field, key] of fields) field.show(dofNow[key] as number | null);
      drive.show(dofNow.drive);
      amount.element.hidden = dofNow.drive !== "force";
      const control = app.store.get("project")?.controls[String(figure)]?.[dof];
      amount.show(control && control.of === "force" && control.formula !== "" && Number.isFinite(Number(control.formula)) ? Number(control.formula) : null);
    },
  };
}

/** Creates a checkbox that locks the whole joint. */
export function lockField(app: App, figure: number, joint: string): Field<boolean> {
  return tickField({ label: `Lock joint ${joint}`, face: "Locked", help: "Locks the whole joint at its present position.", commit: (on) => void app.run("lock_joint", { figure, name: joint, locked: on }) });
}
