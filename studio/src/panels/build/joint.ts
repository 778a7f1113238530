// The form of the chosen link's joint: type, axis, rotation order, frame, limits, springs, stop, lock, initial state.

import type { App } from "../../app";
import { h } from "../../dom";
import type { DofView, SetJointType } from "../../messages";
import { type Chosen, chosen } from "../chosen";
import { anglesOf, dofsOf, hasOrder, type StopTable, type Vector } from "../document";
import { choiceField, DEGREES, type Field, numberField, textField, tickField } from "../fields";
import { keep, section, vectorField } from "../forms";
import { lockField, shortName } from "../dofs/card";

const AXES: Record<string, Vector> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], "-x": [-1, 0, 0], "-y": [0, -1, 0], "-z": [0, 0, -1] };

export function jointForm(app: App, place: HTMLElement): (now: Chosen) => void {
  return keep<Chosen>(place, (now) => JSON.stringify([now.figure.figure, now.joint.name, now.joint.type, !!now.joint.parent, now.joint.stop?.type, dofsOf(now.figure, now.joint.name).map(({ name, locked }) => [name, locked])]), (now) => form(app, now));
}

function form(app: App, first: Chosen) {
  const { figure: { figure }, joint: { name: joint } } = first;
  const name = textField(app, { label: "Name of the joint", face: "Name", help: "Name of the joint.", check: (value) => ({ kind: "rename_joint", figure, joint, name: value }), commit: (value) => void app.run("rename_joint", { figure, joint, name: value }) });
  const kinds = typeFields(app, first);
  const origin = vectorField(app, { label: "Position", help: first.joint.parent ? "Origin of the joint in its parent's frame." : "Origin of the joint in the world.", unit: "m", step: 0.01, check: (value) => ({ kind: "set_joint_place", figure, joint, origin: value }), commit: (value) => void app.run("set_joint_place", { figure, joint, origin: value }) });
  const turned = vectorField(app, { label: "Rotation", help: "Rotation of the joint's frame in its parent's frame, as x-y-z Euler angles.", unit: "°", scale: DEGREES, step: 5, check: (value) => ({ kind: "set_joint_place", figure, joint, angles: value }), commit: (value) => void app.run("set_joint_place", { figure, joint, angles: value }) });
  const table = dofTable(app, first), stop = stopFields(app, first), lock = dofsOf(first.figure, joint).length ? lockField(app, figure, joint) : null;
  return {
    element: section("Joint", "The joint between the chosen link and its parent.", true, name.element, kinds.element, origin.element, turned.element, lock?.element, table.element, stop.element),
    show: (now: Chosen) => {
      name.show(now.joint.name);
      kinds.show(now);
      origin.show((now.joint.origin ?? [0, 0, 0]) as Vector);
      turned.show(anglesOf(now.joint.rotation));
      const own = dofsOf(now.figure, now.joint.name);
      lock?.show(own.length > 0 && own.every(({ locked }) => locked));
      table.show(now);
      stop.show(now);
    },
  };
}

function axisName(axis: number[] | undefined): string {
  return Object.entries(AXES).find(([, own]) => axis?.every((x, i) => Math.abs(x - own[i]!) < 1e-9))?.[0] ?? "other";
}

/** Creates the fields for type, axis, rotation order and pitch. */
function typeFields(app: App, first: Chosen) {
  const { figure: { figure }, joint } = first, choices = app.store.get("welcome")?.joints ?? [], keys = choices.find(({ type }) => type === joint.type)?.keys ?? [];
  const set = (fields: Partial<SetJointType>) => {
    const now = chosen(app)?.joint ?? joint;
    void app.run("set_joint_type", { figure, joint: joint.name, type: now.type, axis: (now.axis as Vector | undefined) ?? null, order: now.order ?? null, pitch: now.pitch ?? null, ...fields });
  };
  const type = choiceField({ label: "Joint type", face: "Type", help: "Type of the joint, with the number of degrees of freedom. A change of type removes limits and springs.", choices: choices.filter((own) => !["composite", "custom"].includes(own.type) || joint.type === own.type).map((own) => [own.type, own.dofs ? `${own.type} (${own.dofs})` : own.type] as const),
    commit: (value) => (value === "universal" ? set({ type: value, axes: ["x", "y"], axis: null, order: null }) : set({ type: value, ...(value === "euler" ? { order: joint.order ?? "xyz" } : {}) })) });
  const order = hasOrder(joint) ? choiceField({ label: "Rotation order of the joint", face: "Rotation order", help: "The order of the three rotations; the pose is kept. A ball joint becomes an Euler joint.", choices: [...(joint.type === "euler" ? [] : [["", "none (ball joint)"] as const]), ...(app.store.get("welcome")?.orders ?? []).map((own) => [own, own.toUpperCase().split("").join("-")] as const)], commit: (value) => value && void app.run("set_rotation_order", { figure, joint: joint.name, order: value }) }) : null;
  const axis = keys.includes("axis") ? choiceField({ label: "Axis of the joint", face: "Axis", help: "The axis of rotation or translation, in the joint's frame.", choices: [...Object.keys(AXES), ...(axisName(joint.axis) === "other" ? ["other"] : [])], commit: (value) => AXES[value] && set({ axis: AXES[value]! }) }) : null;
  const slant = keys.includes("axis") ? vectorField(app, { label: "Axis", help: "Components of the axis; its length does not matter.", unit: "", step: 0.1, commit: (value) => set({ axis: value }) }) : null;
  const pitch = keys.includes("pitch") ? numberField(app, { label: "Pitch", help: "Translation per turn.", unit: "m/turn", scale: 2 * Math.PI, step: 0.01, commit: (x) => set({ pitch: x }) }) : null;
  return {
    element: h("div", null, h("div", { class: "two" }, type.element, order?.element ?? axis?.element), slant && h("details", { class: "more" }, h("summary", { help: "Components of the axis." }, "Components of the axis"), slant.element), pitch?.element),
    show: ({ joint: now }: Chosen) => {
      type.show(now.type);
      order?.show(now.order ?? "");
      axis?.show(axisName(now.axis));
      slant?.show((now.axis ?? [0, 0, 0]) as Vector);
      pitch?.show(now.pitch ?? null);
    },
  };
}

/** Creates a table with a row per degree of freedom: initial value and rate, limits, spring, damper, lock. */
function dofTable(app: App, first: Chosen) {
  const { figure: { figure }, joint } = first, dofs = dofsOf(first.figure, joint.name);
  const rows = dofs.map((dof) => dofRow(app, figure, dof));
  const heads = ["", "start", "rate", "from", "to", "spring", "rest", "damper", "motor", "lock"];
  return {
    element: dofs.length ? h("div", { class: "dof-table-place" }, h("h4", null, "Degrees of freedom and initial state"), h("table", { class: "dof-table" }, h("thead", null, h("tr", null, heads.map((head) => h("th", null, head)))), h("tbody", null, rows.map(({ element }) => element))),
      h("p", { class: "quiet-text small-text" }, dofs.some(({ unit }) => unit === "rad") ? "Angles in °, rates in °/s, springs in N m/rad, dampers in N m s/rad." : "Lengths in m, springs in N/m, dampers in N s/m.")) : h("div"),
    show: (now: Chosen) => {
      const views = dofsOf(now.figure, joint.name);
      rows.forEach((row, i) => views[i] && row.show(views[i]));
    },
  };
}

function dofRow(app: App, figure: number, first: DofView) {
  const { name: dof, unit } = first, scale = unit === "rad" ? DEGREES : 1;
  let now = first;
  const cell = (key: "value" | "rate" | "lower" | "upper" | "stiffness" | "rest" | "damping" | "armature", words: string, by: number, more: object, commit: (x: number | null) => void): [Field<number | null>, typeof key] => [numberField(app, { label: `${dof} ${words}`, at: `table ${dof} ${key}`, face: "", help: `${words} of ${dof}.`, scale: by, commit, ...more }), key];
  const spring = (key: "stiffness" | "rest" | "damping" | "armature", words: string, by = 1) => cell(key, words, by, { ...(key === "rest" ? {} : { min: 0 }), check: (x: number | null) => ({ kind: "set_spring", figure, dof, [key]: x }) }, (x) => void app.run("set_spring", { figure, dof, [key]: x }));
  const limit = (key: "lower" | "upper", words: string) => cell(key, words, scale, { empty: "–", check: (x: number | null) => ({ kind: "set_limits", figure, dof, lower: now.lower, upper: now.upper, [key]: x }) }, (x) => void app.run("set_limits", { figure, dof, lower: now.lower, upper: now.upper, [key]: x }));
  const cells = [cell("value", "start", scale, {}, (x) => void app.run("set_dof", { figure, dof, value: x })), cell("rate", "start rate", scale, {}, (x) => void app.run("set_dof", { figure, dof, rate: x })), limit("lower", "lower limit"), limit("upper", "upper limit"), spring("stiffness", "spring"), spring("rest", "rest", scale), spring("damping", "damper"), spring("armature", "motor inertia")];
  const lock = tickField({ label: `${dof} locked`, face: "", help: first.lockable ? `Locks ${dof} at its present value.` : "One rotation of a ball joint cannot be locked alone. Choose a rotation order first, or lock the whole joint.", commit: (on) => void app.run("lock_joint", { figure, name: dof, locked: on }) });
  lock.element.querySelector("input")!.disabled = !first.lockable;
  return {
    element: h("tr", { dataset: { row: dof } }, h("th", { help: dof }, shortName(first)), cells.map(([field]) => h("td", null, field.element)), h("td", null, lock.element)),
    show: (view: DofView) => {
      now = view;
      for (const [field, key] of cells) {
        field.show(view[key]);
        field.element.querySelector("input")!.disabled = view.locked;
      }
      lock.show(view.locked);
    },
  };
}

/** Creates the fields for the spring at the limits of the joint (docs/equations/thesis.md, 8.7). */
function stopFields(app: App, first: Chosen) {
  const { figure: { figure }, joint } = first, type = joint.stop?.type ?? "";
  if (!dofsOf(first.figure, joint.name).length) return { element: h("div"), show: () => undefined };
  const now = (): StopTable => chosen(app)?.joint.stop ?? { type: "power", k: 100 };
  const set = (fields: Partial<StopTable>) => void app.run("set_stop", { figure, joint: joint.name, ...now(), ...fields });
  const kind = choiceField({ label: "Stop", help: "Type of the spring at the limits. It starts to act in a zone before each limit.", choices: [["", "none"], "linear", "exponential", "power"], commit: (value) => (value ? set({ type: value as StopTable["type"] }) : void app.run("set_stop", { figure, joint: joint.name, type: null })) });
  const field = (key: "k" | "c" | "n" | "zone", label: string, help: string, scale = 1) => ({ key, field: numberField(app, { label, help, scale, step: 1, min: 0, empty: "default", check: (x) => ({ kind: "set_stop", figure, joint: joint.name, ...now(), [key]: x }), commit: (x) => set({ [key]: x ?? undefined }) }) });
  const fields = type ? [field("k", "Stop stiffness", "Stiffness k of the spring."), ...(type === "exponential" ? [field("c", "Stop growth", "Exponent c of the exponential spring.")] : []), ...(type === "power" ? [field("n", "Stop power", "Exponent n of the force k dⁿ. With 2 or more, the force starts smoothly.")] : []), field("zone", "Stop zone", "Distance [°] before the limit at which the spring starts to act.", DEGREES)] : [];
  const gate = choiceField({ label: "Stop gate", help: "When the spring acts. direction: only during motion towards the limit; smooth: the same with a smooth transition; none: always.", choices: ["direction", "smooth", "none"], commit: (value) => set({ gate: value as "direction" }) });
  return {
    element: h("details", { class: "more", open: !!type }, h("summary", { help: "Settings of the spring at the joint limits." }, "Stop at the limits"), kind.element, fields.map((own) => own.field.element), type ? gate.element : null),
    show: ({ joint: view }: Chosen) => {
      kind.show(view.stop?.type ?? "");
      for (const { key, field: own } of fields) own.show(view.stop?.[key] ?? null);
      gate.show(view.stop?.gate ?? "direction");
    },
  };
}
