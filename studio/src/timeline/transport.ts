// The transport controls of the timeline: play, frame by frame, loop, pace, and the time display.

import type { App } from "../app";
import { fill, h, icon, iconButton, toggle } from "../dom";
import { ICONS } from "../icons";
import { stepFrames, togglePlay } from "./clock";

const PACES = ["0.05", "0.1", "0.25", "0.5", "1", "2", "4"];

export function makeTransport(app: App, keys: HTMLElement[]): HTMLElement {
  const { store } = app;
  const play = iconButton(ICONS.play, "Play or pause", "Plays or pauses the motion, or pauses a live run (Space).", () => playPause(app), true);
  play.classList.add("play");
  const clock = h("output", { class: "clock number", "aria-label": "Time" });
  const pace = h("input", { type: "number", class: "pace", min: "0.01", max: "20", step: "any", value: "1", list: "paces", "aria-label": "Pace",
    help: "Pace: 1 is real time, 0.1 is ten times slower. The keys , and . halve and double it." });
  pace.addEventListener("change", () => setPace(app, Number(pace.value)));
  const loop = toggle(icon(ICONS.loop, false, 16), "Loop: the motion starts again at its end (L).", store.get("loop"), (on) => store.set("loop", on));
  loop.classList.add("icon-button");
  loop.setAttribute("aria-label", "Loop");
  const show = () => {
    const motion = store.get("motion"), t = store.get("time");
    const frame = motion ? motion.nearest(t) + 1 : 0;
    fill(clock, h("b", null, t.toFixed(2)), ` / ${(motion?.end ?? 0).toFixed(2)} s`, h("small", null, motion && motion.frames > 1 ? `frame ${frame} of ${motion.frames}` : "no motion"));
  };
  store.on("time", show);
  store.on("motion", show, true);
  const icons = () => fill(play, icon(store.get("playing") || store.get("live") ? ICONS.pause : ICONS.play, true, 20));
  store.on("playing", icons);
  store.on("live", icons, true);
  store.on("pace", (value) => (pace.value = String(Math.round(value * 1000) / 1000)), true);
  store.on("loop", (on) => loop.setAttribute("aria-pressed", String(on)));
  addShortcuts(app);
  return h("div", { class: "transport" },
    iconButton(ICONS.first, "To the first frame", "Goes to the first frame (Home).", () => toEnd(app, false), true),
    iconButton(ICONS.back, "One frame back", "Goes one frame back (←), or ten frames with Shift.", () => stepFrames(store, -1)),
    play,
    iconButton(ICONS.forward, "One frame forward", "Goes one frame forward (→), or ten frames with Shift.", () => stepFrames(store, 1)),
    iconButton(ICONS.last, "To the last frame", "Goes to the last frame (End).", () => toEnd(app, true), true),
    loop, h("label", { class: "pace-label" }, pace, h("span", null, "×"), h("datalist", { id: "paces" }, PACES.map((value) => h("option", { value })))),
    clock, h("div", { class: "spread" }), keys);
}

function addShortcuts(app: App): void {
  const { store } = app;
  app.shortcut("space", "Play or pause", () => playPause(app));
  app.shortcut("left", "One frame back", () => stepFrames(store, -1));
  app.shortcut("right", "One frame forward", () => stepFrames(store, 1));
  app.shortcut("shift+left", "Ten frames back", () => stepFrames(store, -10));
  app.shortcut("shift+right", "Ten frames forward", () => stepFrames(store, 10));
  app.shortcut("home", "To the first frame", () => toEnd(app, false));
  app.shortcut("end", "To the last frame", () => toEnd(app, true));
  app.shortcut("l", "Loop on or off", () => store.set("loop", !store.get("loop")));
  app.shortcut(",", "Halve the pace", () => setPace(app, store.get("pace") / 2));
  app.shortcut(".", "Double the pace", () => setPace(app, store.get("pace") * 2));
}

function playPause(app: App): void {
  const run = app.store.get("run");
  if (run && (run.state === "running" || run.state === "paused")) void app.run("live_pause", { paused: run.state === "running" });
  else togglePlay(app.store);
}

function setPace(app: App, value: number): void {
  const pace = Number.isFinite(value) && value > 0 ? Math.min(Math.max(value, 0.01), 20) : 1;
  app.store.set("pace", pace);
  const run = app.store.get("run");
  if (run && run.state !== "stopped") void app.run("live_pace", { pace: Math.min(Math.max(pace, 0.05), 4) });
}

function toEnd(app: App, last: boolean): void {
  const motion = app.store.get("motion");
  if (!motion) return;
  app.store.set("playing", false);
  app.store.set("time", last ? motion.end : motion.start);
}
