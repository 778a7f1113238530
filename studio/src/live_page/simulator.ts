// The simulation of a live page: steps, forces of the pointer, commands, and the states of the last minute.
// It does not use the clock or the page, so that the same inputs always give the same bits.

import { feetOf, type LiveContent } from "./description";
import { Kernel } from "./kernel";
import { addDrag, addImpulse, type AppliedImpulse, type Drag, type LinkState, moved } from "./pointer";

type Vector = [number, number, number];

export interface WalkCommand {
  go?: boolean | null;
  speed?: number | null;
  heading?: number | null;
  turn?: number | null;
  style?: string | null;
}

interface Snapshot {
  time: number;
  state: Float64Array[];
}

/** A call of the step kernel: all that is needed to repeat it elsewhere. */
export interface LoggedCall {
  steps: number;
  inputs: Record<string, number[]>;
}

const INPUT_INTERVAL = 4e-3; // [s] of simulated time over which forces of the pointer are constant
const KEPT = 60; // [s] of states that can be restored
const MAX_STATE = 1e8; // a larger number in a state means that the simulation has diverged

export class Simulator {
  fallen = false;
  diverged = false;
  readonly command: Float64Array | null;
  style: string;
  /** If it is a list, all calls of the step kernel are added to it. */
  log: LoggedCall[] | null = null;
  private readonly step: Kernel;
  private readonly view: Kernel;
  private readonly states: string[];
  private readonly fed: [input: string, output: string][];
  private readonly wrenches: Float64Array;
  private parameters: Float64Array[];
  private settings: Float64Array | null;
  private blend: { since: number; from: Float64Array; to: Float64Array } | null = null;
  private drag: Drag | null = null;
  private impulses: AppliedImpulse[] = [];
  private due = 0;
  private kept: Snapshot[] = [];
  private links: LinkState[][] = [];

  constructor(private readonly content: LiveContent) {
    const { description, code, arrays } = content;
    this.step = new Kernel(code.step, description.layouts.step, description.batch);
    this.view = new Kernel(code.view, description.layouts.view, description.batch);
    this.states = [...arrays.keys()].filter((name) => name.startsWith("state/")).map((name) => name.slice(6));
    this.fed = this.states.filter((name) => !["start", "stream"].includes(name)).map((name) => [name, `0.${name}`]);
    this.wrenches = new Float64Array(6 * description.links.length);
    this.parameters = this.rows("input/parameters");
    this.settings = arrays.get("input/settings")?.slice(0, this.size("input/settings")) ?? null;
    this.command = arrays.get("input/command")?.slice(0, this.size("input/command")) ?? null;
    this.style = description.controls?.styles[0] ?? "";
    this.restart();
  }

  get time(): number {
    return this.value("start") + this.value("count") * this.content.description.dt;
  }

  /** Returns to the first state. The command, the style and the ground stay. */
  restart(): void {
    const { description, arrays } = this.content;
    for (let r = 0; r < description.batch; r++) {
      for (const name of this.states) this.step.set(name, r, this.row(`state/${name}`, r));
      this.step.set("dt", r, [description.dt]);
      this.step.set("per_frame", r, [1]);
      if (this.step.has("settings")) this.step.set("settings", r, this.row("input/settings", r));
    }
    if (this.settings && arrays.has(`style/${this.style}`)) this.settings = arrays.get(`style/${this.style}`)!.slice();
    if (this.command && description.controls) this.command[description.controls.heading] = 0;
    this.blend = null;
    this.drag = null;
    this.impulses = [];
    this.due = 0;
    this.kept = [];
    this.fallen = this.diverged = false;
    this.writeInputs();
    this.look();
    this.keep();
  }

  /** Simulates a duration [s]. A fraction of a step is kept for the next call. */
  advance(duration: number): void {
    if (this.diverged) return;
    const { dt } = this.content.description;
    this.due += duration / dt;
    let left = Math.floor(this.due + 1e-9);
    this.due -= left;
    while (left > 0 && !this.diverged) {
      this.impulses = this.impulses.filter((one) => one.until > this.time + 0.5 * dt);
      const steps = Math.min(left, this.constantSteps());
      this.call(steps);
      left -= steps;
    }
    this.keep();
  }

  /** Returns for how many steps the inputs can be constant: forces of the pointer and styles change, and an impulse ends with its last step. */
  private constantSteps(): number {
    const { dt } = this.content.description, ends = this.impulses.map(({ until }) => Math.max(1, Math.round((until - this.time) / dt)));
    return this.drag || this.impulses.length || this.blend ? Math.min(Math.round(INPUT_INTERVAL / dt), ...ends) : Infinity;
  }

  /** Sets a number of a slot such as "gravity" in all rollouts. */
  setSlot(name: string, values: number[]): void {
    const place = this.content.description.slots[name];
    if (!place) throw new Error(`The simulation of this page has no number '${name}'.`);
    for (const row of this.parameters) row.set(values.slice(0, place[1]), place[0]);
  }

  /** Changes the command or the style of a walker. */
  walk({ go, speed, heading, turn, style }: WalkCommand): void {
    const { controls } = this.content.description, row = this.command;
    if (!controls || !row) throw new Error("The figure of this page has no walker.");
    if (speed !== undefined && speed !== null) row[controls.speed] = Math.min(Math.max(speed, controls.speeds[0]), controls.speeds[1]);
    if (go !== undefined && go !== null && controls.go !== null) row[controls.go] = go ? 1 : 0;
    else if (go === false) row[controls.speed] = 0;
    else if (go && row[controls.speed] === 0) row[controls.speed] = (controls.speeds[0] + controls.speeds[1]) / 2;
    if (heading !== undefined && heading !== null) row[controls.heading] = heading;
    if (turn) row[controls.heading]! += turn;
    if (style && style !== this.style && this.settings) {
      const to = this.content.arrays.get(`style/${style}`);
      if (!to) throw new Error(`The page has no style '${style}'. Styles: ${controls.styles.join(", ")}.`);
      this.style = style;
      this.blend = { since: this.time, from: this.settings, to };
    }
  }

  /** Pulls a point of a link to a target, until `release`. */
  pull(rollout: number, link: number, point: Vector, target: Vector): void {
    const { pointer } = this.content.description, old = this.drag;
    if (old && old.rollout === rollout && old.link === link) this.drag = moved(old, target, this.time, pointer);
    else this.drag = { rollout, link, point, target, velocity: [0, 0, 0], since: this.time };
  }

  release(): void {
    this.drag = null;
  }

  /** Applies an impulse [N s], world axes, at a point of a link. */
  push(rollout: number, link: number, point: Vector, impulse: Vector): void {
    this.impulses.push({ rollout, link, point, impulse, until: this.time + this.content.description.pointer.impulse_duration });
  }

  /** Restores the last kept state at or before a time [s]; later states are forgotten. */
  rewind(time: number): void {
    while (this.kept.length > 1 && this.kept[this.kept.length - 1]!.time > time + 1e-9) this.kept.pop();
    const { state } = this.kept[this.kept.length - 1]!;
    state.forEach((row, r) => this.write(r, row));
    this.drag = null;
    this.impulses = [];
    this.due = 0;
    this.diverged = false;
    this.look();
  }

  get earliest(): number {
    return this.kept[0]?.time ?? this.time;
  }

  /** Returns, figure by figure: poses (x y z, w x y z) of all links, points and forces of all contacts, coordinates of all degrees of freedom, centre of mass, force on each foot. */
  frame(): Float32Array {
    const { figures, means, batch } = this.content.description, numbers: number[] = [];
    for (let r = 0; r < batch; r++) {
      const row = means["contact"] === undefined ? null : this.step.get("means", r, "inputs");
      const angles = this.view.get("angles", r), centres = this.view.get("com", r);
      figures.forEach((figure, f) => {
        const { links, contacts, dofs } = figure;
        for (const i of links) numbers.push(...this.links[r]![i]!.pose);
        for (const k of row ? contacts : []) {
          const weight = row![means["contact_weight"]! + k]! || 1;
          for (let i = 0; i < 3; i++) numbers.push(row![means["contact_point"]! + 3 * k + i]! / weight);
          for (let i = 0; i < 3; i++) numbers.push(row![means["contact"]! + 3 * k + i]!);
        }
        for (const [, , index] of dofs) numbers.push(angles[index]!);
        numbers.push(...centres.subarray(3 * f, 3 * f + 3));
        for (const { contacts: own } of feetOf(figure))
          for (let i = 0; i < 3; i++) numbers.push(row ? own.reduce((sum, k) => sum + row[means["contact"]! + 3 * contacts[k]! + i]!, 0) : 0);
      });
    }
    return Float32Array.from(numbers);
  }

  /** Returns the present q of a rollout. */
  q(rollout = 0): Float64Array {
    return this.step.get("q", rollout, "inputs");
  }

  /** Makes steps with constant inputs. */
  private call(steps: number): void {
    const { batch, links, mass, pointer } = this.content.description, now = this.time;
    this.mixStyle(now);
    this.writeInputs();
    for (let r = 0; r < batch; r++) {
      this.wrenches.fill(0);
      if (this.drag?.rollout === r) addDrag(this.wrenches, this.drag, this.links[r]![this.drag.link]!, mass, pointer);
      for (const one of this.impulses) if (one.rollout === r) addImpulse(this.wrenches, one, this.links[r]![one.link]!, pointer);
      if (links.length) this.step.set("f_ext", r, this.wrenches);
      const count = this.step.get("count", r, "inputs")[0]!;
      this.step.set("limit", r, [count + steps]);
      this.step.set("due", r, [count + steps]);
    }
    if (this.log) this.log.push(this.logged(steps));
    this.step.run();
    this.step.feedBack(this.fed);
    this.look();
  }

  private logged(steps: number): LoggedCall {
    const names = this.content.description.layouts.step.inputs.map(({ name }) => name);
    return { steps, inputs: Object.fromEntries(names.map((name) => [name, [...this.step.get(name, 0, "inputs")]])) };
  }

  /** Computes poses, velocities and falls of the present state. */
  private look(): void {
    const { batch, links, controls } = this.content.description;
    for (let r = 0; r < batch; r++) {
      const q = this.step.get("q", r, "inputs"), u = this.step.get("u", r, "inputs");
      this.diverged ||= !q.every((x) => Math.abs(x) < MAX_STATE) || !u.every((x) => Math.abs(x) < MAX_STATE);
      this.view.set("q", r, q);
      this.view.set("u", r, u);
      if (this.view.has("parameters")) this.view.set("parameters", r, this.parameters[r] ?? []);
    }
    this.view.run();
    for (let r = 0; r < batch; r++) {
      const poses = this.view.get("poses", r), w = this.view.get("angular_velocity", r), v = this.view.get("velocity", r);
      this.links[r] = links.map((_, i) => ({ pose: poses.subarray(7 * i, 7 * i + 7), angularVelocity: [...w.subarray(3 * i, 3 * i + 3)] as Vector, velocity: [...v.subarray(3 * i, 3 * i + 3)] as Vector }));
    }
    this.fallen = !!controls?.falls && this.view.get("fallen", 0)[0]! > 0.5;
  }

  private mixStyle(now: number): void {
    if (!this.blend) return;
    const { since, from, to } = this.blend, w = Math.min(Math.max((now - since) / this.content.description.controls!.style_blend, 0), 1);
    this.settings = from.map((x, i) => x + w * (to[i]! - x));
    if (w >= 1) this.blend = null;
  }

  private writeInputs(): void {
    for (let r = 0; r < this.content.description.batch; r++) {
      if (this.step.has("parameters")) this.step.set("parameters", r, this.parameters[r]!);
      if (this.settings && this.content.description.controls) this.step.set("settings", r, this.settings);
      if (this.command && this.step.has("command")) this.step.set("command", r, this.command);
    }
  }

  private keep(): void {
    const { batch } = this.content.description, state: Float64Array[] = [];
    for (let r = 0; r < batch; r++) state.push(Float64Array.from(this.states.flatMap((name) => [...this.step.get(name, r, "inputs")])));
    if (!this.kept.length || this.kept[this.kept.length - 1]!.time < this.time) this.kept.push({ time: this.time, state });
    while (this.kept.length > 1 && this.kept[0]!.time < this.time - KEPT) this.kept.shift();
  }

  private write(rollout: number, state: Float64Array): void {
    let at = 0;
    for (const name of this.states) {
      const size = this.step.get(name, rollout, "inputs").length;
      this.step.set(name, rollout, state.subarray(at, at + size));
      at += size;
    }
  }

  private value(name: string): number {
    return this.step.get(name, 0, "inputs")[0]!;
  }

  private size(name: string): number {
    return (this.content.arrays.get(name)?.length ?? 0) / this.content.description.batch;
  }

  private row(name: string, rollout: number): Float64Array {
    const size = this.size(name);
    return this.content.arrays.get(name)!.slice(size * rollout, size * (rollout + 1));
  }

  private rows(name: string): Float64Array[] {
    return Array.from({ length: this.content.description.batch }, (_, r) => (this.content.arrays.has(name) ? this.row(name, r) : new Float64Array(0)));
  }
}
