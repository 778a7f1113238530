// An editor of a curve through points. Points are dragged, added and removed with the pointer or the keyboard.

import type { App } from "../../app";
import { h } from "../../dom";
import { type Point, splined } from "./spline";

export interface CurveState {
  points: readonly Point[];
  unit: string;
  /** Factor by which a value is multiplied to get the shown number. */
  scale?: number;
  /** Another curve, drawn dashed for comparison. */
  ghost?: readonly Point[] | null;
  /** Range of times that is always shown [s]. */
  span?: [number, number];
  limits?: [number | null, number | null];
}

export interface CurveOptions {
  label: string;
  help: string;
  /** Sends the edited points to the server; further edits wait until it is done. */
  change(points: Point[]): Promise<unknown>;
  /** Called after an edit has been sent; it must call `show` with the present data. */
  refresh(): void;
  choose?(index: number | null): void;
  /** Called when a point is released without having been moved. */
  press?(point: Point): void;
  /** Points keep their times; points cannot be added or removed. */
  fixedTimes?: boolean;
}

const SVG = "http://www.w3.org/2000/svg", LEFT = 44, RIGHT = 12, TOP = 10, BOTTOM = 20;

export class CurveEditor {
  readonly element: HTMLElement;
  /** Range [s] within which neighbouring points follow a dragged point. */
  soft = 0;
  chosen: number | null = null;
  private readonly svg = make("svg", { class: "curve", role: "group" });
  private state: CurveState = { points: [], unit: "" };
  private wanted: number | null = null; // time of the chosen point, to find it again after an edit
  private latest: Point[] | null = null; // edited points that are not sent yet
  private busy = false;
  private held: { index: number; from: Point[] } | null = null;
  private box: [number, number, number, number] = [0, 1, -1, 1];

  constructor(private readonly app: App, private readonly options: CurveOptions) {
    this.svg.setAttribute("aria-label", options.label);
    this.element = h("div", { class: "curve-place", dataset: { tip: "none" }, help: options.help }, this.svg as unknown as HTMLElement);
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.svg.addEventListener("pointerdown", (event) => this.press(event as PointerEvent));
    this.svg.addEventListener("pointermove", (event) => this.move(event as PointerEvent));
    this.svg.addEventListener("pointerup", () => this.release());
    this.svg.addEventListener("pointercancel", () => this.release());
    this.svg.addEventListener("dblclick", (event) => this.add(event as MouseEvent));
    this.svg.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
    this.svg.addEventListener("focusin", (event) => this.reach(event as FocusEvent));
    app.store.on("time", () => this.cursor());
  }

  show(state: CurveState): void {
    if (this.held || this.busy) return;
    this.state = { ...state, points: [...state.points].sort((a, b) => a[0] - b[0]) };
    const at = this.state.points.findIndex(([t]) => this.wanted !== null && Math.abs(t - this.wanted) < 1e-6);
    this.chosen = at < 0 ? null : at;
    this.draw();
  }

  /** Sends edits one after the other, skipping all but the latest. */
  private async submit(): Promise<void> {
    this.latest = this.state.points.map(([t, x]) => [t, x]);
    if (this.busy) return;
    this.busy = true;
    while (this.latest) {
      const points: Point[] = this.latest;
      this.latest = null;
      await this.options.change(points);
    }
    this.busy = false;
    this.options.refresh();
  }

  get points(): readonly Point[] {
    return this.state.points;
  }

  /** Moves a point and its neighbours. */
  put(index: number, point: Point, done: boolean, from: readonly Point[] = this.state.points): void {
    const old = from[index]!, by = point[1] - old[1];
    const points = from.map((own, i): Point => {
      if (i === index) return this.options.fixedTimes ? [own[0], point[1]] : point;
      const far = Math.abs(own[0] - old[0]);
      return this.soft > 0 && far < this.soft ? [own[0], own[1] + by * 0.5 * (1 + Math.cos((Math.PI * far) / this.soft))] : own;
    });
    const moved = points[index]!;
    this.state = { ...this.state, points: points.sort((a, b) => a[0] - b[0]) };
    this.chosen = this.state.points.indexOf(moved);
    this.wanted = moved[0];
    if (done) void this.submit();
    this.options.choose?.(this.chosen);
    this.draw();
  }

  remove(index: number): void {
    if (this.options.fixedTimes || this.state.points.length < 2) return;
    this.state = { ...this.state, points: this.state.points.filter((_, i) => i !== index) };
    this.choose(null);
    void this.submit();
    this.draw();
  }

  choose(index: number | null): void {
    this.chosen = index;
    this.wanted = index === null ? null : this.state.points[index]?.[0] ?? null;
    this.options.choose?.(index);
  }

  private frame(): void {
    const { points, scale = 1, ghost, span, limits } = this.state, all = [...points, ...(ghost ?? [])];
    const times = [...all.map((p) => p[0]), ...(span ?? [])], values = [...all.map((p) => p[1] * scale), ...[...(limits ?? [])].filter((x) => x !== null).map((x) => (x as number) * scale)];
    const [t0, t1] = times.length ? [Math.min(...times), Math.max(...times)] : [0, 1];
    let [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [-1, 1];
    const room = Math.max((high - low) * 0.12, Math.abs(high) * 0.02, 1e-6);
    if (high - low < 1e-9) [low, high] = [low - Math.max(1, Math.abs(low) * 0.5), high + Math.max(1, Math.abs(high) * 0.5)];
    this.box = [t0, Math.max(t1, t0 + 0.1), low - room, high + room];
  }

  private get size(): [number, number] {
    return [Math.max(this.element.clientWidth, 80), Math.max(this.element.clientHeight, 60)];
  }

  private x(t: number): number {
    const [t0, t1] = this.box;
    return LEFT + ((t - t0) / (t1 - t0)) * (this.size[0] - LEFT - RIGHT);
  }

  private y(shown: number): number {
    const [, , low, high] = this.box;
    return TOP + ((high - shown) / (high - low)) * (this.size[1] - TOP - BOTTOM);
  }

  private at(event: MouseEvent): Point {
    const room = this.svg.getBoundingClientRect(), [t0, t1, low, high] = this.box, [wide, tall] = this.size;
    const t = t0 + ((event.clientX - room.left - LEFT) / (wide - LEFT - RIGHT)) * (t1 - t0), shown = high - ((event.clientY - room.top - TOP) / (tall - TOP - BOTTOM)) * (high - low);
    return [Math.max(0, Math.round(t * 1000) / 1000), shown / (this.state.scale ?? 1)];
  }

  private draw(): void {
    if (!this.held) this.frame();
    const [wide, tall] = this.size, { points, scale = 1, unit, ghost, limits } = this.state, [t0, t1, low, high] = this.box;
    const focused = this.svg.contains(document.activeElement);
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    const parts: Element[] = [];
    for (const t of ticks(t0, t1, Math.max(2, Math.floor(wide / 80)))) parts.push(make("line", { class: "grid", x1: this.x(t), x2: this.x(t), y1: TOP, y2: tall - BOTTOM }), text(short(t), this.x(t), tall - 6, "middle"));
    for (const v of ticks(low, high, Math.max(2, Math.floor(tall / 34)))) parts.push(make("line", { class: v === 0 ? "grid zero" : "grid", x1: LEFT, x2: wide - RIGHT, y1: this.y(v), y2: this.y(v) }), text(short(v), LEFT - 6, this.y(v) + 3.5, "end"));
    parts.push(text(unit, 4, 11, "start"), text("s", wide - 4, tall - 6, "end"));
    for (const limit of limits ?? []) if (limit !== null) parts.push(make("line", { class: "limit", x1: LEFT, x2: wide - RIGHT, y1: this.y(limit * scale), y2: this.y(limit * scale) }));
    if (ghost?.length) parts.push(make("path", { class: "ghost", d: this.path(ghost) }));
    if (points.length) parts.push(make("path", { class: "line", d: this.path(points) }));
    points.forEach(([t, v], i) => parts.push(make("circle", { class: i === this.chosen ? "point on" : "point", cx: this.x(t), cy: this.y(v * scale), r: points.length > 80 ? 3 : 4.5, tabindex: 0, role: "slider", "data-index": i,
      "aria-label": `Point ${i + 1} at ${short(t)} s`, "aria-valuenow": short(v * scale), "aria-valuetext": `${short(v * scale)} ${unit}` })));
    parts.push(make("line", { class: "cursor", x1: 0, x2: 0, y1: TOP, y2: tall - BOTTOM }));
    this.svg.replaceChildren(...parts);
    this.cursor();
    if (focused && this.chosen !== null) this.svg.querySelector<SVGElement>(`[data-index="${this.chosen}"]`)?.focus();
  }

  private path(points: readonly Point[]): string {
    const [t0, t1] = this.box, n = Math.min(600, Math.max(120, 6 * points.length)), times = Array.from({ length: n + 1 }, (_, i) => t0 + ((t1 - t0) * i) / n);
    return splined(points, times).map((v, i) => `${i ? "L" : "M"}${this.x(times[i]!).toFixed(1)} ${this.y(v * (this.state.scale ?? 1)).toFixed(1)}`).join("");
  }

  private cursor(): void {
    const line = this.svg.querySelector(".cursor"), t = this.app.store.get("time"), x = String(this.x(t));
    line?.setAttribute("x1", x);
    line?.setAttribute("x2", x);
    line?.setAttribute("visibility", t < this.box[0] || t > this.box[1] ? "hidden" : "visible");
  }

  private press(event: PointerEvent): void {
    const index = indexOf(event.target);
    if (index === null) {
      this.choose(null);
      const motion = this.app.store.get("motion"), t = this.at(event)[0];
      if (motion && !this.app.store.get("live")) this.app.store.set("time", Math.min(Math.max(t, motion.start), Math.max(motion.end, t)));
      return this.draw();
    }
    this.choose(index);
    this.held = { index, from: [...this.state.points] };
    this.svg.setPointerCapture(event.pointerId);
    this.draw();
    this.svg.querySelector<SVGElement>(`[data-index="${index}"]`)?.focus();
    event.preventDefault();
  }

  private move(event: PointerEvent): void {
    if (this.held) this.put(this.held.index, this.at(event), false, this.held.from);
  }

  private release(): void {
    if (!this.held) return;
    const { from } = this.held;
    this.held = null;
    const moved = this.state.points.some(([t, x], i) => from[i]?.[0] !== t || from[i]?.[1] !== x);
    if (moved) void this.submit();
    else this.options.refresh();
    const point = this.chosen === null ? undefined : this.state.points[this.chosen];
    if (!moved && point) this.options.press?.(point);
    this.draw();
  }

  /** Chooses the point that gets the keyboard focus, so that it keeps the focus when the curve is redrawn. */
  private reach(event: FocusEvent): void {
    const index = indexOf(event.target);
    if (index === null || index === this.chosen) return;
    this.choose(index);
    for (const point of this.svg.querySelectorAll(".point")) point.classList.toggle("on", indexOf(point) === index);
  }

  private add(event: MouseEvent): void {
    if (this.options.fixedTimes || indexOf(event.target) !== null) return;
    this.insert(this.at(event));
  }

  /** Adds a point. */
  insert(point: Point): void {
    const kept = this.state.points.filter(([t]) => Math.abs(t - point[0]) > 1e-6);
    this.state = { ...this.state, points: [...kept, point].sort((a, b) => a[0] - b[0]) };
    this.choose(this.state.points.indexOf(point));
    void this.submit();
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const index = indexOf(event.target);
    if (index === null) return;
    const [t, v] = this.state.points[index]!, [t0, t1, low, high] = this.box, many = event.shiftKey ? 10 : 1, scale = this.state.scale ?? 1;
    const up = ((high - low) / 200 / scale) * many, along = ((t1 - t0) / 400) * many;
    const go: Record<string, Point> = { ArrowUp: [t, v + up], ArrowDown: [t, v - up], ArrowLeft: [Math.max(0, t - along), v], ArrowRight: [t + along, v] };
    const to = go[event.key];
    if (to) {
      this.chosen = index;
      this.put(index, to, true);
    } else if (event.key === "Delete" || event.key === "Backspace") this.remove(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function indexOf(target: EventTarget | null): number | null {
  const index = (target as Element | null)?.getAttribute?.("data-index");
  return index === null || index === undefined ? null : Number(index);
}

function make(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

function text(words: string, x: number, y: number, anchor: string): SVGElement {
  const element = make("text", { x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}

/** Returns at most `most` round numbers between two limits. */
function ticks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough)!;
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}
