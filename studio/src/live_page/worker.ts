// The worker of a live page: steps the simulation in real time and sends frames, one at a time, to the page.

import { readLive } from "./description";
import { Simulator, type WalkCommand } from "./simulator";

type Vector = [number, number, number];

/** Messages of the page to the worker. */
export type Order =
  | { kind: "load"; buffer: ArrayBuffer }
  | { kind: "seen" }
  | { kind: "pause"; paused: boolean }
  | { kind: "pace"; pace: number }
  | { kind: "restart" }
  | { kind: "rewind"; time: number }
  | { kind: "slot"; name: string; values: number[] }
  | { kind: "walk"; command: WalkCommand }
  | { kind: "drag"; rollout: number; link: number; point: Vector; target: Vector }
  | { kind: "release" }
  | { kind: "push"; rollout: number; link: number; point: Vector; impulse: Vector }
  | { kind: "advance"; seconds: number; log?: boolean; id: number };

/** Messages of the worker to the page. */
export type Report =
  | { kind: "ready" }
  | { kind: "frame"; frames: { time: number; numbers: Float32Array<ArrayBuffer> }[]; fallen: boolean; diverged: boolean; faster: number; speed: number; heading: number; style: string; earliest: number; reset: boolean }
  | { kind: "advanced"; id: number; time: number; milliseconds: number; q: number[]; fallen: boolean; log: unknown }
  | { kind: "failed"; message: string };

const FRAME = 1 / 60; // [s] of clock time between frames
const MOST = 120; // frames that wait for a page that draws slowly; older ones are left out
const CLOCK = 1e-3; // [s] resolution of the clock in some browsers
const MAX_LAG = 0.1; // [s] of clock time that is made up for; the simulation is slower than real time beyond it

const scope = self as unknown as { postMessage(report: Report, transfer?: Transferable[]): void; onmessage: ((event: MessageEvent<Order>) => void) | null };
let simulator: Simulator | null = null;
let controls: { speed: number; heading: number } | null = null;
let waiting: { time: number; numbers: Float32Array<ArrayBuffer> }[] = [];
let paused = false, pace = 1, seen = true, reset = true, last = 0;
let simulated = 0, spent = 0; // [s] of about the last second

function tick(): void {
  const now = performance.now() / 1000;
  if (simulator && !paused) {
    last = Math.max(last, now - MAX_LAG);
    const due = Math.floor((now - last) / FRAME), gone = due * FRAME;
    if (due > 0) {
      last += gone;
      for (let k = 0; k < due; k++) {
        simulator.advance(FRAME * pace);
        keep();
      }
      simulated = 0.95 * simulated + gone * pace;
      spent = 0.95 * spent + performance.now() / 1000 - now;
      send();
    }
  } else last = now;
  setTimeout(tick, 4);
}

/** Keeps the present frame until it is sent. */
function keep(): void {
  waiting.push({ time: simulator!.time, numbers: simulator!.frame() as Float32Array<ArrayBuffer> });
  if (waiting.length > MOST) waiting.shift();
}

/** Sends the frames since the last ones, unless the page has not shown those yet. With `always`, sends the present frame only. */
function send(always = false): void {
  if (!simulator || (!seen && !always)) return;
  seen = false;
  if (always) {
    waiting = [];
    keep();
  }
  const { command } = simulator, frames = waiting;
  waiting = [];
  const report: Report = { kind: "frame", frames, fallen: simulator.fallen, diverged: simulator.diverged, faster: simulated / Math.max(spent, CLOCK), speed: command && controls ? command[controls.speed]! : 0, heading: command && controls ? command[controls.heading]! : 0, style: simulator.style, earliest: simulator.earliest, reset };
  reset = false;
  scope.postMessage(report, frames.map(({ numbers }) => numbers.buffer));
}

function obey(order: Order): void {
  if (order.kind === "load") {
    const content = readLive(order.buffer);
    simulator = new Simulator(content);
    controls = content.description.controls;
    scope.postMessage({ kind: "ready" });
    last = performance.now() / 1000;
    send(true);
    return tick();
  }
  if (!simulator) return;
  if (order.kind === "seen") seen = true;
  else if (order.kind === "pause") ((paused = order.paused), send(true));
  else if (order.kind === "pace") pace = order.pace;
  else if (order.kind === "restart") (simulator.restart(), (reset = true), send(true));
  else if (order.kind === "rewind") (simulator.rewind(order.time), (reset = true), send(true));
  else if (order.kind === "slot") simulator.setSlot(order.name, order.values);
  else if (order.kind === "walk") simulator.walk(order.command);
  else if (order.kind === "drag") simulator.pull(order.rollout, order.link, order.point, order.target);
  else if (order.kind === "release") simulator.release();
  else if (order.kind === "push") simulator.push(order.rollout, order.link, order.point, order.impulse);
  else if (order.kind === "advance") advance(order);
}

/** Simulates some seconds as fast as possible, frame by frame. For measurements and tests. */
function advance({ seconds, log, id }: Extract<Order, { kind: "advance" }>): void {
  const now = simulator!, begun = performance.now();
  if (log) now.log = [];
  for (let left = Math.round(seconds / FRAME); left > 0; left--) now.advance(FRAME);
  scope.postMessage({ kind: "advanced", id, time: now.time, milliseconds: performance.now() - begun, q: [...now.q()], fallen: now.fallen, log: log ? now.log : null });
  now.log = null;
  send(true);
}

scope.onmessage = ({ data }) => {
  try {
    obey(data);
  } catch (error) {
    scope.postMessage({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
};
