// The rows of the timeline: stance phases of each foot, other events, keys of figures, and camera keys.

import type { Known } from "../app";
import type { Motion, MotionEvent } from "../motion";
import type { Store } from "../store";

export interface Bar {
  from: number;
  to: number;
  side: string;
}

export interface Mark {
  time: number;
  kind: "event" | "key" | "camera";
  figure: number;
  label: string;
  side: string;
}

export interface Row {
  title: string;
  kind: "steps" | "events" | "keys" | "camera";
  figure: number;
  bars: Bar[];
  marks: Mark[];
  height: number;
}

export function rowsOf(store: Store<Known>): Row[] {
  const motion = store.get("motion"), project = store.get("project"), rows: Row[] = [];
  motion?.figures.forEach(({ name }, k) => {
    const own = motion.header.events.filter((event) => (event.figure ?? 0) === k);
    const id = motion.ids[k] ?? k, several = motion.figures.length > 1;
    const bars = stances(motion, own);
    if (bars.length) rows.push({ title: several ? name : "Steps", kind: "steps", figure: id, bars, marks: own.map((event) => markOf(event, id)), height: 26 });
    else if (own.length) rows.push({ title: several ? name : "Events", kind: "events", figure: id, bars: [], marks: own.map((event) => markOf(event, id)), height: 18 });
    if (!project) return;
    const keys = project.keys[String(id)] ?? [];
    rows.push({ title: several ? `${name} keys` : "Keys", kind: "keys", figure: id, bars: [], height: 18,
      marks: keys.map(({ time, values }) => ({ time, kind: "key", figure: id, side: "", label: `key at ${time.toFixed(2)} s, ${Object.keys(values).length} values` })) });
  });
  const camera = store.get("cameraKeys");
  if (project || camera.length)
    rows.push({ title: "Camera", kind: "camera", figure: -1, bars: [], height: 18, marks: camera.map(({ time }) => ({ time, kind: "camera", figure: -1, side: "", label: `camera key at ${time.toFixed(2)} s` })) });
  return rows;
}

function markOf({ time, name, side }: MotionEvent, figure: number): Mark {
  const foot = side === "l" ? "left " : side === "r" ? "right " : "";
  return { time, kind: "event", figure, side: side ?? "", label: `${foot}${name} at ${time.toFixed(2)} s` };
}

/** Stance phases of each foot: from heel strike to toe-off. */
function stances(motion: Motion, events: MotionEvent[]): Bar[] {
  const bars: Bar[] = [];
  for (const side of ["l", "r"]) {
    const own = events.filter((event) => event.side === side && /strike|off/.test(event.name)).sort((a, b) => a.time - b.time);
    let from: number | null = own[0] && /off/.test(own[0].name) ? motion.start : null;
    for (const { name, time } of own) {
      if (/strike/.test(name)) from ??= time;
      else if (from !== null) {
        bars.push({ from, to: time, side });
        from = null;
      }
    }
    if (from !== null) bars.push({ from, to: motion.end, side });
  }
  return bars;
}
