// The tracks of the timeline: a ruler, rows of marks and the cursor. They are drawn on a canvas and edited with pointer and keyboard.

import type { App } from "../app";
import { h } from "../dom";
import { type Mark, type Row, rowsOf } from "./rows";
import { stepFrames } from "./clock";

const RULER = 22, NEAR = 7; // pixels

export class Tracks {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "tracks", tabIndex: 0, role: "slider", "aria-label": "Timeline",
    help: "Drag to change the time. The mouse wheel zooms; with Shift it scrolls. Drag a diamond to move a key. Double-click a row of keys to set a key. Delete removes the chosen key." });
  private readonly label = h("div", { class: "track-label", hidden: true });
  private rows: Row[] = [];
  private gutter = 64; // [pixels] width of the titles
  private asked = false;
  private chosen: Mark | null = null;
  private held: { mark: Mark; to: number } | "scrub" | null = null;

  constructor(private readonly app: App) {
    this.element = h("div", { class: "tracks-place" }, this.canvas, this.label);
    const { store } = app;
    for (const key of ["time", "range", "theme"] as const) store.on(key, () => this.request());
    for (const key of ["motion", "project", "cameraKeys"] as const) store.on(key, () => this.arrange());
    store.on("motion", () => this.fit(), true);
    store.on("project", () => !store.get("live") && (store.get("motion")?.span ?? 0) <= 0 && this.fit());
    store.on("time", (t) => store.get("live") && store.set("range", [Math.max(0, t - 10), Math.max(10, t)]));
    new ResizeObserver(() => this.request()).observe(this.element);
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", () => this.release());
    this.canvas.addEventListener("pointerleave", () => (this.label.hidden = true));
    this.canvas.addEventListener("dblclick", (event) => this.double(event));
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.arrange();
  }

  /** Shows the whole motion, or all keys if there is no motion. */
  private fit(): void {
    const { store } = this.app, motion = store.get("motion");
    if (store.get("live")) return;
    if (motion && motion.span > 0) return store.set("range", [motion.start, motion.end]);
    const keys = Object.values(store.get("project")?.keys ?? {}).flat(), last = keys.reduce((most, { time }) => Math.max(most, time), 0);
    const to = Math.max(2, last + 0.5);
    if (store.get("range")[0] !== 0 || store.get("range")[1] !== to) store.set("range", [0, to]);
  }

  private arrange(): void {
    this.rows = rowsOf(this.app.store);
    this.gutter = this.rows.some(({ title }) => title.length > 9) ? 104 : 64;
    this.canvas.style.height = `${RULER + this.rows.reduce((sum, row) => sum + row.height, 0) + 4}px`;
    this.request();
  }

  private request(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => ((this.asked = false), this.draw()));
  }

  private x(t: number): number {
    const [from, to] = this.app.store.get("range");
    return this.gutter + ((t - from) / Math.max(to - from, 1e-9)) * (this.canvas.clientWidth - this.gutter - 12);
  }

  private t(x: number): number {
    const [from, to] = this.app.store.get("range");
    return from + ((x - this.gutter) / Math.max(this.canvas.clientWidth - this.gutter - 12, 1)) * (to - from);
  }

  private draw(): void {
    const wide = this.canvas.clientWidth, tall = this.canvas.clientHeight, ratio = devicePixelRatio;
    if (!wide) return;
    if (this.canvas.width !== Math.round(wide * ratio) || this.canvas.height !== Math.round(tall * ratio)) {
      this.canvas.width = Math.round(wide * ratio);
      this.canvas.height = Math.round(tall * ratio);
    }
    const pen = this.canvas.getContext("2d")!, style = getComputedStyle(document.documentElement), colour = (name: string) => style.getPropertyValue(name).trim();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, tall);
    pen.font = `11px ${colour("--font")}`;
    pen.textBaseline = "middle";
    this.drawRuler(pen, colour, wide, tall);
    let y = RULER;
    for (const row of this.rows) {
      this.drawRow(pen, colour, row, y, wide);
      y += row.height;
    }
    const t = this.app.store.get("time"), x = Math.round(this.x(t)) + 0.5;
    pen.fillStyle = pen.strokeStyle = colour("--mark");
    pen.lineWidth = 1.5;
    line(pen, x, 8, x, tall);
    pen.beginPath();
    pen.moveTo(x - 5, 2);
    pen.lineTo(x + 5, 2);
    pen.lineTo(x + 5, 8);
    pen.lineTo(x, 14);
    pen.lineTo(x - 5, 8);
    pen.fill();
    const motion = this.app.store.get("motion");
    for (const [name, value] of Object.entries({ min: motion?.start ?? 0, max: motion?.end ?? 0, now: t })) this.canvas.setAttribute(`aria-value${name}`, value.toFixed(3));
    this.canvas.setAttribute("aria-valuetext", `${t.toFixed(2)} seconds`);
  }

  private drawRuler(pen: CanvasRenderingContext2D, colour: (name: string) => string, wide: number, tall: number): void {
    const [from, to] = this.app.store.get("range"), step = nice(((to - from) / Math.max(wide - this.gutter, 1)) * 80);
    pen.lineWidth = 1;
    pen.textAlign = "center";
    for (let i = Math.ceil(from / (step / 5)); i * (step / 5) <= to + 1e-9; i++) {
      const t = i * (step / 5), x = Math.round(this.x(t)) + 0.5, whole = i % 5 === 0;
      pen.strokeStyle = colour("--edge");
      line(pen, x, whole ? RULER : RULER - 4, x, whole ? tall : RULER);
      if (!whole) continue;
      pen.fillStyle = colour("--faint");
      pen.fillText(`${Number(t.toFixed(3))}`, x, 10);
    }
  }

  private drawRow(pen: CanvasRenderingContext2D, colour: (name: string) => string, row: Row, y: number, wide: number): void {
    pen.fillStyle = colour("--quiet");
    pen.textAlign = "left";
    pen.fillText(row.title.length > 16 ? `${row.title.slice(0, 15)}…` : row.title, 10, y + row.height / 2);
    pen.save();
    pen.beginPath();
    pen.rect(this.gutter - 6, y, wide - this.gutter + 6, row.height);
    pen.clip();
    for (const { from, to, side } of row.bars) {
      pen.fillStyle = colour(side === "l" ? "--left" : "--right");
      pen.globalAlpha = 0.78;
      const a = this.x(from), b = this.x(to);
      pen.beginPath();
      pen.roundRect(a, y + (side === "l" ? 4 : row.height / 2 + 1), Math.max(b - a - 1, 2), row.height / 2 - 5, 3);
      pen.fill();
      pen.globalAlpha = 1;
    }
    for (const mark of row.marks) this.drawMark(pen, colour, row, mark, y);
    pen.restore();
  }

  private drawMark(pen: CanvasRenderingContext2D, colour: (name: string) => string, row: Row, mark: Mark, y: number): void {
    const held = this.held !== null && this.held !== "scrub" && this.held.mark === mark ? this.held.to : mark.time;
    const x = this.x(held), middle = y + row.height / 2;
    if (mark.kind === "event") {
      if (row.kind === "steps") return; // the ends of the bars show these events
      pen.strokeStyle = colour("--warm");
      return line(pen, x, y + 3, x, y + row.height - 3);
    }
    const size = mark === this.chosen ? 6.5 : 5;
    pen.fillStyle = colour(mark.kind === "camera" ? "--good" : "--warm");
    pen.beginPath();
    pen.moveTo(x, middle - size);
    pen.lineTo(x + size, middle);
    pen.lineTo(x, middle + size);
    pen.lineTo(x - size, middle);
    pen.fill();
    if (mark !== this.chosen) return;
    pen.strokeStyle = colour("--text");
    pen.lineWidth = 1.5;
    pen.stroke();
  }

  private rowAt(event: MouseEvent): Row | null {
    let y = event.clientY - this.canvas.getBoundingClientRect().top - RULER;
    for (const row of this.rows) {
      if (y >= 0 && y < row.height) return row;
      y -= row.height;
    }
    return null;
  }

  private markAt(event: MouseEvent): Mark | null {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    const near = (mark: Mark) => Math.abs(this.x(mark.time) - x);
    const [best] = [...(this.rowAt(event)?.marks ?? [])].sort((a, b) => near(a) - near(b));
    return best && near(best) <= NEAR ? best : null;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const mark = this.markAt(event);
    this.canvas.setPointerCapture(event.pointerId);
    if (mark && mark.kind !== "event") {
      this.chosen = mark;
      this.held = { mark, to: mark.time };
      this.app.store.set("time", mark.time);
      if (mark.kind !== "camera") showKey(this.app, mark.figure, mark.time);
    } else {
      this.held = "scrub";
      this.scrub(event);
    }
    this.request();
  }

  private move(event: PointerEvent): void {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    if (this.held === "scrub") return this.scrub(event);
    if (this.held) {
      this.held.to = Math.max(0, Math.round(this.t(x) * 100) / 100);
      return this.request();
    }
    const mark = this.markAt(event);
    this.label.hidden = !mark;
    this.canvas.style.cursor = mark && mark.kind !== "event" ? "ew-resize" : "default";
    if (!mark) return;
    this.label.textContent = mark.label;
    this.label.style.left = `${Math.min(x + 10, this.canvas.clientWidth - 160)}px`;
  }

  private release(): void {
    const held = this.held;
    this.held = null;
    if (held && held !== "scrub" && Math.abs(held.to - held.mark.time) > 1e-6) {
      const { mark, to } = held, { time } = mark;
      if (mark.kind === "camera") void this.app.run("move_camera_key", { time, to });
      else void this.app.run("move_key", { figure: mark.figure, time, to });
    }
    this.request();
  }

  private scrub(event: PointerEvent): void {
    const { store } = this.app, motion = store.get("motion");
    if (!motion) return;
    if (store.get("live")) void this.app.run("live_pause", { paused: true });
    store.set("playing", false);
    const t = this.t(event.clientX - this.canvas.getBoundingClientRect().left);
    store.set("time", this.rows.some((row) => row.kind === "keys") && motion.span <= 0 ? Math.max(0, t) : Math.min(Math.max(t, motion.start), motion.end));
  }

  private double(event: MouseEvent): void {
    const row = this.rowAt(event), time = this.app.store.get("time");
    if (row?.kind === "keys") setKey(this.app, row.figure, time);
    if (row?.kind === "camera") dispatchEvent(new CustomEvent("anthropi:camera-key"));
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { store } = this.app, [from, to] = store.get("range"), motion = store.get("motion");
    const least = motion?.start ?? 0, most = Math.max(motion?.end ?? 1, least + 1e-3);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = ((event.deltaX || event.deltaY) / 600) * (to - from), go = Math.min(Math.max(by, least - from), most - to);
      return store.set("range", [from + go, to + go]);
    }
    const at = this.t(event.clientX - this.canvas.getBoundingClientRect().left), factor = Math.exp(event.deltaY / 400);
    const a = Math.max(least, at - (at - from) * factor), b = Math.min(most, at + (to - at) * factor);
    if (b - a > 0.02) store.set("range", [a, b]);
  }

  private key(event: KeyboardEvent): void {
    const marks = this.rows.flatMap((row) => row.marks).filter((mark) => mark.kind !== "event");
    if ((event.key === "Delete" || event.key === "Backspace") && this.chosen) {
      const { kind, time, figure } = this.chosen;
      this.chosen = null;
      if (kind === "camera") void this.app.run("remove_camera_key", { time });
      else void this.app.run("remove_key", { figure, time });
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      const on = event.key === "PageDown", t = this.app.store.get("time");
      const next = marks.filter((mark) => (on ? mark.time > t + 1e-6 : mark.time < t - 1e-6)).sort((a, b) => (on ? a.time - b.time : b.time - a.time))[0];
      if (next) this.app.store.set("time", (this.chosen = next).time);
      if (next && next.kind !== "camera") showKey(this.app, next.figure, next.time);
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") stepFrames(this.app.store, event.key === "ArrowUp" ? 10 : -10);
    else return;
    event.preventDefault();
  }
}

/** Shows the pose of a key. A shown motion is not replaced; it has its own pose at this time. */
export function showKey(app: App, figure: number, time: number): void {
  if (app.store.get("project")?.shown === null && !app.store.get("live")) void app.run("show_key", { figure, time });
}

/** Sets a key of a figure at a time: the pose of the motion at this time, or the initial pose. */
export function setKey(app: App, figure: number, time: number): void {
  const shown = app.store.get("project")?.shown ?? null;
  void app.run("set_key", shown === null ? { figure, time } : { figure, time, motion: shown, at: time });
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

/** Returns a round number of about this size: 1, 2 or 5 times a power of ten. */
function nice(x: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(x, 1e-6))), f = x / power;
  return (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10) * power;
}
