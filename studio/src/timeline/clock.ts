// The clock: advances the time while a motion plays. In a live run, the frames from the server set the time.

import type { Known } from "../app";
import type { Store } from "../store";

export function runClock(store: Store<Known>): void {
  let before = 0, running = false;
  const tick = (now: number) => {
    const motion = store.get("motion");
    if (!store.get("playing") || store.get("live") || !motion || motion.span <= 0) {
      running = false;
      if (motion && motion.span <= 0) store.set("playing", false);
      return;
    }
    const gone = Math.min((now - before) / 1000, 0.25);
    before = now;
    advance(store, gone * store.get("pace"));
    requestAnimationFrame(tick);
  };
  store.on("playing", (playing) => {
    if (!playing || running) return;
    running = true;
    before = performance.now();
    requestAnimationFrame(tick);
  }, true);
}

function advance(store: Store<Known>, by: number): void {
  const motion = store.get("motion")!;
  let t = store.get("time") + by;
  if (t > motion.end || t < motion.start) {
    if (!store.get("loop")) {
      store.set("time", Math.min(Math.max(t, motion.start), motion.end));
      return store.set("playing", false);
    }
    t = motion.start + ((((t - motion.start) % motion.span) + motion.span) % motion.span);
  }
  store.set("time", t);
}

/** Steps frames forward or back and stops playing. */
export function stepFrames(store: Store<Known>, by: number): void {
  const motion = store.get("motion");
  if (!motion) return;
  store.set("playing", false);
  const k = Math.min(Math.max(motion.nearest(store.get("time")) + by, 0), motion.frames - 1);
  store.set("time", motion.time[k] ?? 0);
}

/** Plays or pauses; at the end of the motion, it plays from the start again. */
export function togglePlay(store: Store<Known>): void {
  const motion = store.get("motion"), playing = store.get("playing");
  if (!playing && motion && !store.get("loop") && store.get("time") >= motion.end) store.set("time", motion.start);
  store.set("playing", !playing);
}
