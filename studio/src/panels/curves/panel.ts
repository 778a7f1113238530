// The Curves panel: the keys or the control function of a degree of freedom.

import type { App } from "../../app";
import { fill, h } from "../../dom";
import type { ControlFunction, DofView, Key } from "../../messages";
import { type Chosen, chosen, onChosen } from "../chosen";
import { choiceField, DEGREES, type Field, numberField, segments, textField } from "../fields";
import { button, keep } from "../forms";
import { CurveEditor } from "./editor";
import { formulaOf } from "./formula";
import { showKey } from "../../timeline/tracks";
import type { Point } from "./spline";

type What = "keys" | "control";
type Of = ControlFunction["of"];

const UNITS: Record<Of, [turn: string, length: string]> = { position: ["°", "m"], velocity: ["°/s", "m/s"], acceleration: ["°/s²", "m/s²"], force: ["N m", "N"] };
const NONE: ControlFunction = { of: "position", times: [], values: [], formula: "" };

export class CurvesPanel {
  readonly element = h("div", { class: "curves-panel" });
  private what: What = "keys";
  private dof = "";
  private joint = "";
  private readonly side = h("div", { class: "curves-side" });
  private readonly editor: CurveEditor;
  private readonly kind: Field<What>;
  private readonly time: Field<number | null>;
  private readonly value: Field<number | null>;
  private readonly which: (now: Chosen | null) => void;

  constructor(private readonly app: App) {
    this.editor = new CurveEditor(app, { label: "Curve", help: "Drag points to move them. A double click adds a point. Delete removes the chosen point, arrow keys move it (with Shift ten times as far).", change: (points) => this.change(points), refresh: () => this.show(), choose: () => this.showPoint(), press: (point) => this.showKey(point) });
    this.kind = segments<What>("Curve of", [["keys", "Keys", "The keys of this degree of freedom."], ["control", "Control function", "Position, velocity, acceleration or force over time, as a curve or a formula."]], (value) => ((this.what = value), this.show()));
    this.time = numberField(app, { label: "Point time", face: "t", help: "Time of the chosen point.", unit: "s", min: 0, step: 0.05, commit: (x) => this.move(x, null) });
    this.value = numberField(app, { label: "Point value", face: "value", help: "Value of the chosen point, in the unit of the curve.", step: 1, commit: (x) => this.move(null, x) });
    const dofs = h("div");
    this.which = keep<Chosen | null>(dofs, (now) => (now ? JSON.stringify(now.figure.dofs.filter((d) => !d.locked).map(({ name }) => name)) : ""), (now) => {
      const field = choiceField({ label: "Degree of freedom", face: "", help: "The degree of freedom whose curve is shown.", choices: (now?.figure.dofs ?? []).filter((d) => !d.locked).map(({ name }) => name), commit: (value) => ((this.dof = value), this.editor.choose(null), this.show()) });
      return { element: field.element, show: () => field.show(this.dof) };
    });
    fill(this.element, h("div", { class: "curves-head" }, this.kind.element, dofs, this.time.element, this.value.element,
      button("Add a point", "Adds a point at the time of the timeline's cursor.", () => this.addHere(), "small"), button("Remove point", "Removes the chosen point (Delete).", () => this.editor.chosen !== null && this.editor.remove(this.editor.chosen), "small")),
      h("div", { class: "curves-body" }, this.editor.element, this.side));
    onChosen(app, () => this.show());
  }

  /** Shows the curve of a degree of freedom. */
  of(dof: string, what: What): void {
    this.dof = dof;
    this.what = what;
    this.show();
  }

  private view(): DofView | null {
    const now = chosen(this.app), joint = now?.joint.name;
    if (!now || !joint) return null;
    if (joint !== this.joint) {
      this.joint = joint;
      if (now.figure.dofs.find(({ name }) => name === this.dof)?.joint !== joint) this.dof = ""; // another joint was chosen
    }
    const free = now.figure.dofs.filter((d) => !d.locked);
    const found = free.find(({ name }) => name === this.dof) ?? free.find((d) => d.joint === joint) ?? free[0] ?? null;
    this.dof = found?.name ?? "";
    return found;
  }

  private keys(now: Chosen): Key[] {
    return now.project.keys[String(now.figure.figure)] ?? [];
  }

  private control(now: Chosen): ControlFunction | null {
    return now.project.controls[String(now.figure.figure)]?.[this.dof] ?? null;
  }

  private show(): void {
    const now = chosen(this.app), dof = this.view();
    this.kind.show(this.what);
    this.which(now);
    if (!now || !dof) return fill(this.side, h("p", { class: "quiet-text" }, "Open or build a figure first."));
    const turn = dof.unit === "rad", span: [number, number] = [0, Math.max(1, this.app.store.get("motion")?.end ?? 1)];
    if (this.what === "keys") {
      const points = this.keys(now).filter(({ values }) => this.dof in values).map((key): Point => [key.time, key.values[this.dof]!]);
      this.editor.show({ points, unit: turn ? "°" : "m", scale: turn ? DEGREES : 1, span, limits: [dof.lower, dof.upper] });
      this.keySide(now);
    } else {
      const control = this.control(now) ?? NONE, unit = UNITS[control.of][turn ? 0 : 1];
      this.editor.show({ points: control.formula ? [] : control.times.map((t, i): Point => [t, control.values[i]!]), ghost: drawn(control.formula, span), unit, scale: unit.startsWith("°") ? DEGREES : 1, span, ...(control.of === "position" ? { limits: [dof.lower, dof.upper] as [number | null, number | null] } : {}) });
      this.controlSide(now, control);
    }
    this.showPoint();
  }

  private keySide(now: Chosen): void {
    const { figure } = now.figure, { ends, turned } = now.project.keys_setting, count = this.keys(now).length, shape = `keys ${figure} ${count}`;
    if (this.side.dataset["shape"] === shape) return;
    this.side.dataset["shape"] = shape;
    const edge = choiceField({ label: "Ends", help: "Conditions at the ends of the spline: zero curvature (natural), zero velocity (clamped), or cyclic (periodic).", choices: ["natural", "clamped", "periodic"], commit: () => undefined });
    const turns = choiceField({ label: "Rotations", help: "How rotations of ball joints are interpolated. log: accelerations are continuous. squad: velocities are continuous, and a key changes only the motion near it.", choices: [["log", "log"], ["squad", "squad"]], commit: () => undefined });
    edge.show(ends);
    turns.show(turned);
    const read = (field: Field<string>) => field.element.querySelector("select")!.value;
    fill(this.side, h("p", { class: "quiet-text" }, `${count} key${count === 1 ? "" : "s"} of this figure. Each point is the value of a key. A new point sets a key of this degree of freedom only.`), edge.element, turns.element,
      button("Interpolate", "Computes a smooth motion through all keys and shows it.", () => void this.app.run("interpolate", { figure, ends: read(edge) as "natural", turned: read(turns) as "log" }), "primary"));
  }

  private controlSide(now: Chosen, control: ControlFunction): void {
    const shape = `control ${now.figure.figure} ${this.dof} ${control.of} ${control.formula}`;
    if (this.side.dataset["shape"] === shape) return;
    this.side.dataset["shape"] = shape;
    const of = choiceField({ label: "Quantity", help: "The controlled quantity. Position, velocity and acceleration prescribe the motion; force drives by a force.", choices: ["position", "velocity", "acceleration", "force"], commit: (value) => void this.put({ ...control, of: value as Of }) });
    const formula = textField(this.app, { label: "Formula of t", help: "A formula of the time t in SI units, such as 0.3*sin(2*pi*t). If it is empty, the points are used.", placeholder: "0.3*sin(2*pi*t)",
      check: (value) => ({ kind: "set_control", figure: now.figure.figure, dof: this.dof, control: { ...control, formula: value } }), commit: (value) => void this.put(value || control.times.length ? { ...control, formula: value } : null) });
    of.show(control.of);
    formula.show(control.formula);
    fill(this.side, of.element, formula.element, button("Remove control", "Removes the control function; the degree of freedom is then free.", () => void this.put(null), "small"));
  }

  private put(control: ControlFunction | null): Promise<unknown> {
    const now = chosen(this.app);
    if (!now) return Promise.resolve();
    const empty = control && !control.formula && !control.times.length;
    const given = empty ? { ...control, times: [0, 1], values: [this.view()!.value, this.view()!.value].map((x) => (control.of === "position" ? x : 0)) } : control;
    return this.app.run("set_control", { figure: now.figure.figure, dof: this.dof, control: given });
  }

  private async change(points: Point[]): Promise<unknown> {
    const now = chosen(this.app);
    if (!now) return;
    if (this.what === "control") return this.put({ ...(this.control(now) ?? NONE), formula: "", times: points.map(([t]) => t), values: points.map(([, x]) => x) });
    const { figure } = now.figure, before = this.keys(now).filter(({ values }) => this.dof in values).map((key): Point => [key.time, key.values[this.dof]!]);
    const same = (a: number, b: number) => Math.abs(a - b) < 1e-6;
    const gone = before.filter(([t]) => !points.some(([s]) => same(s, t))), come = points.filter(([t]) => !before.some(([s]) => same(s, t)));
    if (gone.length === 1 && come.length === 1) {
      const [old] = gone as [Point], [fresh] = come as [Point];
      return this.app.run("move_key", { figure, time: old[0], to: fresh[0], values: { [this.dof]: fresh[1] } }); // one edit, so that one undo suffices
    }
    for (const [time] of gone) await this.app.run("remove_key", { figure, time });
    for (const [time, x] of points) if (!before.some(([s, y]) => same(s, time) && y === x)) await this.app.run("set_key", { figure, time, values: { [this.dof]: x } });
    return;
  }

  /** Goes to a key that was pressed, and shows its pose. */
  private showKey([time]: Point): void {
    const now = chosen(this.app);
    if (!now || this.what !== "keys") return;
    this.app.store.set("time", time);
    showKey(this.app, now.figure.figure, time);
  }

  private addHere(): void {
    const now = chosen(this.app), dof = this.view();
    if (!now || !dof) return;
    const points = this.editor.points, last = points[points.length - 1];
    this.editor.insert([Math.round(this.app.store.get("time") * 1000) / 1000, last ? last[1] : this.what === "keys" || (this.control(now) ?? NONE).of === "position" ? dof.value : 0]);
  }

  private scale(): number {
    const dof = this.view(), now = chosen(this.app);
    if (!dof || !now || dof.unit !== "rad") return 1;
    return this.what === "keys" || (this.control(now) ?? NONE).of !== "force" ? DEGREES : 1;
  }

  private move(t: number | null, shown: number | null): void {
    const i = this.editor.chosen;
    if (i === null) return;
    const [time, value] = this.editor.points[i]!;
    this.editor.put(i, [t ?? time, shown === null ? value : shown / this.scale()], true);
  }

  private showPoint(): void {
    const i = this.editor.chosen, point = i === null ? undefined : this.editor.points[i];
    this.time.show(point ? point[0] : null);
    this.value.show(point ? point[1] * this.scale() : null);
    this.element.classList.toggle("no-point", !point);
  }
}

/** Returns points of a formula, in order to draw it, or null. */
function drawn(text: string, [from, to]: [number, number]): Point[] | null {
  const value = text ? formulaOf(text) : null, n = 200;
  const points = value && Array.from({ length: n + 1 }, (_, i): Point => [from + ((to - from) * i) / n, value(from + ((to - from) * i) / n)]);
  return points?.every(([, x]) => Number.isFinite(x)) ? points : null;
}
