// The live run of a live page: passes commands of stage and panel to the worker, and its frames to the store.

import type { App } from "../app";
import { LiveMotion } from "../live";
import type { Live } from "../messages";
import type { Channel, Ground, Motion } from "../motion";
import { type Description, feetOf } from "./description";
import type { Order, Report } from "./worker";
import LiveWorker from "./worker?worker&inline";

type Vector = [number, number, number];
type Fields = Record<string, unknown>;

const HEAD = 16; // bytes of the header of a live frame

export class LivePageRun {
  state: Live;
  private readonly worker: Worker;
  private motion: LiveMotion;
  private ground: Ground | null;
  private earliest = 0;
  private notified = false;
  private waiting = new Map<number, (report: Extract<Report, { kind: "advanced" }>) => void>();
  private next = 1;

  constructor(private readonly app: App, readonly description: Description, buffer: ArrayBuffer, private readonly shown: Motion) {
    const { figures, batch, controls } = description, all = Array.from({ length: batch }, () => figures).flat();
    this.ground = shown.header.ground;
    this.state = {
      kind: "live", run: 1, state: "building", dynamics: controls ? "walk" : "contact", figures: all.map((_, k) => k), links: all.map(({ links }) => links.length), points: all.map(({ contacts }) => contacts.length),
      time: 0, pace: 1, faster: 0, fallen: false, speed: 0, heading: 0, style: controls?.styles[0] ?? "",
    } as unknown as Live;
    this.motion = this.fresh();
    this.worker = new LiveWorker();
    this.worker.onmessage = ({ data }: MessageEvent<Report>) => this.take(data);
    this.worker.onerror = (event) => app.notify({ tone: "error", text: `The simulation could not start: ${event.message || "this browser does not support WebAssembly in workers"}.` });
    this.order({ kind: "load", buffer }, [buffer]);
    app.connection.local = (kind, fields) => this.run(kind, fields);
  }

  order(order: Order, transfer: Transferable[] = []): void {
    this.worker.postMessage(order, transfer);
  }

  /** Simulates some seconds as fast as possible; for measurements and tests. */
  advance(seconds: number, log = false): Promise<Extract<Report, { kind: "advanced" }>> {
    const id = this.next++;
    this.order({ kind: "advance", seconds, log, id });
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  pause(paused: boolean): void {
    const { store } = this.app, t = store.get("time");
    if (!paused && this.state.state === "paused" && t < this.motion.end - 1e-3) this.rewind(t); // go on from the time of the cursor
    this.order({ kind: "pause", paused });
    this.change({ state: paused ? "paused" : "running" });
  }

  rewind(time: number): void {
    this.order({ kind: "rewind", time: Math.max(time, this.earliest) });
  }

  restart(): void {
    this.notified = false;
    this.order({ kind: "restart" });
    if (this.state.state === "paused") this.pause(false);
  }

  setGravity(size: number): void {
    this.order({ kind: "slot", name: "gravity", values: [0, 0, -size] });
  }

  /** Tilts the ground about the point below the figure; uphill is ahead of it. */
  setSlope(ratio: number): void {
    const at = this.motion.poses(0, this.motion.end, new Float32Array(7 * this.state.links[0]!)), heading = this.state.heading ?? 0;
    const ground = this.ground, [px = 0, py = 0, pz = 0] = ground?.point ?? [], [nx = 0, ny = 0, nz = 1] = ground?.normal ?? [];
    const x = at[0]!, y = at[1]!, z = pz - (nx * (x - px) + ny * (y - py)) / nz, size = Math.hypot(ratio, 1);
    const normal = [(-ratio * Math.cos(heading)) / size, (-ratio * Math.sin(heading)) / size, 1 / size];
    this.order({ kind: "slot", name: "ground.point", values: [x, y, z] });
    this.order({ kind: "slot", name: "ground.normal", values: normal });
    this.ground = { kind: "plane", point: [x, y, z], normal };
    this.motion.header.ground = this.ground;
  }

  /** Carries out a command of stage or timeline, as the server of the studio would. */
  private run(kind: string, fields: Fields): unknown {
    const place = (figure: number): [number, (name: string) => number] => {
      const each = this.description.figures.length, own = this.description.figures[figure % each]!;
      return [Math.floor(figure / each), (name) => Math.max(0, own.links.find((i) => this.description.links[i] === name || this.description.links[i]!.endsWith(`/${name}`)) ?? 0)];
    };
    if (kind === "live_pause") this.pause(Boolean(fields["paused"]));
    else if (kind === "live_pace") (this.order({ kind: "pace", pace: Number(fields["pace"]) }), this.change({ pace: Number(fields["pace"]) }));
    else if (kind === "live_walk") this.order({ kind: "walk", command: fields });
    else if (kind === "release_link") this.order({ kind: "release" });
    else if (kind === "drag_link" || kind === "impulse") {
      const [rollout, link] = place(Number(fields["figure"])), point = fields["point"] as Vector;
      if (kind === "impulse") this.order({ kind: "push", rollout, link: link(String(fields["link"])), point, impulse: fields["impulse"] as Vector });
      else this.order({ kind: "drag", rollout, link: link(String(fields["link"])), point, target: fields["target"] as Vector });
    }
    return {};
  }

  private take(report: Report): void {
    if (report.kind === "failed") return this.app.notify({ tone: "error", text: `The simulation failed: ${report.message}` });
    if (report.kind === "ready") return this.change({ state: "running" });
    if (report.kind === "advanced") {
      this.waiting.get(report.id)?.(report);
      this.waiting.delete(report.id);
      return;
    }
    const { frames, fallen, diverged, faster, speed, heading, style, earliest, reset } = report, { store } = this.app;
    requestAnimationFrame(() => this.order({ kind: "seen" }));
    const { time } = frames[frames.length - 1]!;
    if (reset) this.cut(time);
    this.earliest = earliest;
    for (const one of frames) this.motion.take(framed(one.time, one.numbers));
    if (store.get("motion") !== this.motion) store.set("motion", this.motion);
    if (this.state.state !== "paused" || reset) store.set("time", this.motion.end);
    this.change({ time, fallen, faster: Math.round(faster * 10) / 10, speed, heading, style });
    if (diverged) this.stop("The simulation diverged: the forces were too large. Restart it, or rewind.");
    else if (fallen && !this.notified) this.app.notify({ tone: "info", text: "It has fallen. Restart, rewind, or drag it up." });
    this.notified = fallen;
  }

  private stop(text: string): void {
    if (this.state.state === "paused") return;
    this.order({ kind: "pause", paused: true });
    this.change({ state: "paused" });
    this.app.notify({ tone: "error", text });
  }

  /** Removes the frames after a time, or all of them after a restart. */
  private cut(time: number): void {
    if (!this.motion.frames || time <= this.motion.start) this.motion = this.fresh();
    else this.motion.cut(time);
  }

  private fresh(): LiveMotion {
    const all = Array.from({ length: this.description.batch }, () => this.description.figures).flat();
    const more = all.map((figure, k) => [[`angle/${k}`, figure.dofs.length], [`com/${k}`, 3], [`ground/${k}`, 3 * feetOf(figure).length]] as const);
    const motion = new LiveMotion(this.state, this.shown.figures, this.ground, this.shown.header["things"], more);
    motion.header.title = this.shown.header.title;
    motion.header.gait = this.shown.header.gait ?? null;
    motion.header.channels = all.flatMap((figure, k) => channelsOf(figure, k));
    return motion;
  }

  private change(fields: Partial<Live>): void {
    this.state = { ...this.state, ...fields };
    this.app.store.set("run", this.state);
    this.app.store.set("live", this.state.state === "running");
  }
}

/** Describes what can be plotted: coordinates, centre of mass, and forces of the contacts. */
function channelsOf(figure: Description["figures"][number], k: number): Channel[] {
  const { dofs, contact_links: links } = figure;
  return [
    ...dofs.map(([name, unit], column) => ({ name, group: "angle", unit, array: `angle/${k}`, column, figure: k })),
    ...["x", "y", "z"].map((axis, column) => ({ name: `centre of mass ${axis}`, group: "place", unit: "m", array: `com/${k}`, column, figure: k })),
    ...feetOf(figure).flatMap(({ name }, row) => ["forwards", "to the left", "vertical"].map((axis, column) => ({ name: `${name}, ${axis}`, group: "ground", unit: "N", array: `ground/${k}`, column: 3 * row + column, figure: k }))),
    ...links.flatMap((link, row) => ["x", "y", "z"].map((axis, column) => ({ name: `${link} ${row} ${axis}`, group: "force", unit: "N", array: `contact/${k}`, column: 6 * row + 3 + column, figure: k }))),
  ];
}

/** Adds the header of a live frame: sequence, run, time, pace. */
function framed(time: number, numbers: Float32Array): ArrayBuffer {
  const buffer = new ArrayBuffer(HEAD + numbers.byteLength), view = new DataView(buffer);
  view.setUint32(4, 1, true);
  view.setFloat32(8, time, true);
  new Float32Array(buffer, HEAD).set(numbers);
  return buffer;
}
