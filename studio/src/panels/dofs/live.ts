// The Live panel: start, pause and stop; speed, style, direction and ground; pushes; numbers with sliders.

import type { App } from "../../app";
import { fill, h, icon } from "../../dom";
import { ICONS } from "../../icons";
import type { Ground, Live, Number as Slot } from "../../messages";
import { type Chosen, chosen, onChosen } from "../chosen";
import { choiceField, numberField, segments, sliderField } from "../fields";
import { button, keep, section } from "../forms";

type Dynamics = Live["dynamics"];

const QUARTER = Math.PI / 4;
const RAMP = 0.07; // [rad] inclination of the terrain "slope" if none is set: 4°

export function livePanel(app: App): HTMLElement {
  return h("div", { class: "live-panel" }, runControls(app), walkControls(app), pushControls(app), numbersPanel(app));
}

function going(run: Live | null): run is Live {
  return !!run && run.state !== "stopped";
}

function runControls(app: App): HTMLElement {
  let dynamics: Dynamics = "walk", picked: Dynamics | null = null;
  const kind = segments<Dynamics>("Live dynamics", [["walk", "Walk", "A human with a walking controller that keeps its balance."], ["contact", "Contact", "Direct dynamics with contact: forces, springs and drives move the figures."], ["direct", "No contact", "Direct dynamics without contact."]], (value) => kind.show((dynamics = picked = value)));
  const state = h("p", { class: "quiet-text live-words", role: "status" });
  const start = button([icon(ICONS.live, false, 15), "Start"], "Starts a live simulation. Drag links, push the figure and change its numbers while it runs.", () => {
    const now = chosen(app), speed = now?.project.gait.velocity;
    if (now) void app.run("live_start", { figure: now.figure.figure, dynamics, ...(speed ? { speed } : {}), style: now.project.gait.style });
  }, "primary", "Start the live run");
  const pause = button("Pause", "Pauses or continues the live run (Space).", () => void app.run("live_pause", { paused: app.store.get("run")?.state === "running" }), "", "Pause the live run");
  const stop = button("Stop", "Ends the live run; its motion is kept.", () => void app.run("live_stop", {}), "", "Stop the live run");
  const pace = sliderField({ label: "Pace", help: "Pace: simulated seconds per second of real time.", step: 0.05, move: (value) => app.store.get("run") && app.connection.post("live_pace", { pace: value }) });
  pace.bounds(0.05, 2);
  pace.show(1);
  app.store.on("run", (run) => {
    const on = going(run);
    start.hidden = on && !run.fallen;
    start.lastChild!.textContent = on ? "Restart" : "Start";
    pause.hidden = !on || run.fallen;
    stop.hidden = !on;
    pause.textContent = run?.state === "paused" ? "Continue" : "Pause";
    if (on) kind.show((dynamics = run.dynamics));
    if (on) pace.show(run.pace);
    state.textContent = on ? `${run.state === "building" ? "compiling …" : run.fallen ? "fallen" : run.state} · ${run.time.toFixed(1)} s` : "No live run is in progress.";
  }, true);
  onChosen(app, (now) => {
    const able = now?.project.figures.find(({ figure }) => figure === now.figure.figure)?.can_walk ?? false;
    kind.element.querySelector<HTMLButtonElement>("[data-choice='walk']")!.disabled = !able;
    if (!going(app.store.get("run"))) dynamics = picked === null || (picked === "walk" && !able) ? (able ? "walk" : "contact") : picked;
    kind.show(dynamics);
  });
  return h("div", { class: "live-run" }, kind.element, h("div", { class: "row" }, start, pause, stop, state), h("div", { class: "slider-row" }, h("span", { class: "field-label" }, "Pace"), pace.element));
}

function walkControls(app: App): HTMLElement {
  const command = (fields: { speed?: number; style?: string; turn?: number; go?: boolean; ground?: Ground }) => void app.run("live_walk", fields);
  const speed = sliderField({ label: "Speed", help: "Walking speed.", step: 0.05, move: (value, done) => (done ? command({ speed: value }) : app.connection.post("live_walk", { speed: value })) });
  speed.bounds(0.3, 2.2);
  const number = numberField(app, { label: "Walking speed", face: "", help: "Walking speed.", unit: "m/s", step: 0.1, min: 0, max: 3, commit: (x) => x !== null && command({ speed: x }) });
  const place = h("div");
  const styles = keep<{ styles: readonly (readonly [string, string])[]; terrains: readonly string[]; run: Live | null; ground: string }>(place, ({ styles: all }) => JSON.stringify(all), ({ styles: all, terrains }) => {
    const style = choiceField({ label: "Live style", face: "Style", help: "Walking style. The walker changes to it within one or two steps.", choices: all, commit: (value) => command({ style: value }) });
    const ground = choiceField({ label: "Terrain", help: "The ground. A change acts at once.", choices: terrains, commit: (value) => {
      const project = app.store.get("project");
      if (!project) return;
      const next = { ...project.world.ground, kind: value as Ground["kind"] };
      if (value === "slope" && next.slope === 0) next.slope = RAMP;
      void app.run("set_ground", { ground: next });
    } });
    return { element: h("div", null, style.element, ground.element), show: ({ run, ground: now }) => {
      if (run?.style) style.show(run.style);
      ground.show(now);
    } };
  });
  const box = h("div", { class: "walk-controls" },
    h("div", { class: "slider-row" }, h("span", { class: "field-label" }, "Speed"), speed.element, number.element),
    place,
    h("div", { class: "row wrap" }, button("Turn left", "Turns the walker 45° to the left.", () => command({ turn: QUARTER }), "small"), button("Turn right", "Turns the walker 45° to the right.", () => command({ turn: -QUARTER }), "small"),
      button("Go", "Makes the walker walk.", () => command({ go: true }), "small", "Start walking"), button("Stand", "Makes the walker stop and stand.", () => command({ go: false }), "small", "Stop walking")));
  const show = () => {
    const run = app.store.get("run"), welcome = app.store.get("welcome"), project = app.store.get("project"), walks = going(run) && run.dynamics === "walk";
    for (const field of box.querySelectorAll<HTMLInputElement>("button, input, [data-at='Live style']")) field.disabled = !walks;
    if (walks && run.speed) (speed.show(run.speed), number.show(run.speed));
    styles({ styles: (welcome?.styles ?? []).map(({ name }) => [name, name] as const), terrains: (welcome?.terrains ?? []).map(({ name }) => name), run, ground: project?.world.ground.kind ?? "flat" });
    const select = box.querySelector<HTMLSelectElement>("[data-at='Live style']");
    if (select) select.disabled = !walks;
  };
  for (const key of ["run", "welcome", "project"] as const) app.store.on(key, show);
  show();
  return section("Walking", "Commands of the walker: speed, style, direction, ground.", true, box);
}

/** Creates the controls for pushes: the pointer tools, and buttons with a given impulse. */
function pushControls(app: App): HTMLElement {
  let size = 20;
  const tool = segments<"look" | "hand" | "impulse">("Pointer", [["look", "Look", "The pointer only moves the camera."], ["hand", "Hand", "Drag a link; a spring pulls it to the pointer."], ["impulse", "Push", "Click a link to apply an impulse to it."]], (value) => app.store.set("tool", value));
  app.store.on("tool", (value) => tool.show(value), true);
  const amount = numberField(app, { label: "Push", help: "Impulse that the buttons below apply to the chosen link.", unit: "N s", step: 5, min: 0, commit: (x) => (size = x ?? size) });
  amount.show(size);
  const push = (x: number, y: number) => {
    const now = chosen(app), run = app.store.get("run");
    if (!now || !going(run)) return app.notify({ tone: "info", text: "No live run is in progress. Start one first." });
    const centre = (now.link.centre ?? [0, 0, 0]) as [number, number, number];
    const impulse: [number, number, number] = [x * size, y * size, 0];
    void app.run("impulse", { figure: now.figure.figure, link: now.link.name, point: centre, impulse });
    dispatchEvent(new CustomEvent("anthropi:push", { detail: { figure: now.figure.figure, link: now.number, point: centre, impulse } }));
  };
  const target = h("span", { class: "quiet-text" });
  onChosen(app, (now) => (target.textContent = now ? `on ${now.link.name}` : ""));
  return section("Push", "Push the figure in a live run.", true, tool.element, h("div", { class: "row" }, amount.element, target),
    h("div", { class: "row wrap" }, button("Forwards", "Impulse along +x.", () => push(1, 0), "small", "Push forwards"), button("Back", "Impulse along −x.", () => push(-1, 0), "small", "Push back"), button("Left", "Impulse along +y.", () => push(0, 1), "small", "Push left"), button("Right", "Impulse along −y.", () => push(0, -1), "small", "Push right")));
}

/** Creates sliders for masses, springs, dampers and gains. In a live run, a change acts at once. */
function numbersPanel(app: App): HTMLElement {
  const list = h("div", { class: "numbers" }), search = h("input", { type: "search", placeholder: "Search: mass, knee, gain …", "aria-label": "Search numbers", help: "Shows only numbers whose name contains this text." });
  let gains: readonly Slot[] = [];
  const setGain = (slot: string, value: number) => (gains = gains.map((own) => (own.slot === slot ? { ...own, value } : own)));
  const show = keep<{ now: Chosen | null; slots: readonly Slot[] }>(list, ({ now, slots }) => JSON.stringify([now?.figure.figure, slots.map(({ slot }) => slot)]), ({ now, slots }) => {
    const rows = slots.map((slot) => numberRow(app, now!.figure.figure, slot, setGain));
    return { element: h("div", null, rows.map(({ element }) => element), !rows.length && h("p", { class: "quiet-text" }, "No number matches the search.")), show: ({ slots: values }) => rows.forEach((row, i) => row.show(values[i]!)) };
  });
  const refresh = () => {
    const now = chosen(app), words = search.value.toLowerCase().split(/\s+/).filter(Boolean), run = app.store.get("run");
    const own = now ? [...(going(run) && run.dynamics === "walk" ? gains : []), ...now.figure.numbers] : [];
    const found = words.length ? own.filter(({ slot }) => words.every((word) => slot.toLowerCase().includes(word))) : own.filter(({ slot }) => slot.startsWith("gain:") || (now && (slot.startsWith(`${now.link.name}.`) || slot.startsWith(`${now.joint.name}.`))));
    show({ now, slots: found.slice(0, 60) });
  };
  app.store.on("welcome", (welcome) => ((gains = welcome?.gains ?? []), refresh()), true);
  onChosen(app, refresh);
  let walks = false;
  app.store.on("run", (run) => {
    const now = going(run) && run.dynamics === "walk";
    if (now !== walks) ((walks = now), refresh());
  });
  search.addEventListener("input", refresh);
  const details = section("Numbers", "Masses, springs, dampers and gains of the chosen link, or those found by the search. They act at once in a live run.", false, search, list);
  fill(details.querySelector(".part-content")!, search, list);
  return details;
}

function numberRow(app: App, figure: number, { slot, least, most, unit }: Slot, setGain: (slot: string, value: number) => void) {
  const name = slot.replace("gain:", "gain ").replaceAll("_", " ");
  const set = (value: number, done: boolean) => (done ? void app.run("set_number", { figure, slot, value, done }) : app.connection.post("set_number", { figure, slot, value, done }));
  const slider = sliderField({ label: slot, help: `${name}. A change acts at once in a live run.`, move: (value, done) => (setGain(slot, value), number.show(value), set(value, done)) });
  const number = numberField(app, { label: `${slot} value`, face: "", help: name, unit, commit: (x) => x !== null && (setGain(slot, x), slider.show(x), app.run("set_number", { figure, slot, value: x, done: true })) });
  slider.bounds(least, most);
  return {
    element: h("div", { class: "number-row" }, h("span", { class: "field-label" }, name), h("div", { class: "slider-row" }, slider.element, number.element)),
    show: (now: Slot) => {
      slider.bounds(Math.min(now.least, now.value), Math.max(now.most, now.value));
      slider.show(now.value);
      number.show(now.value);
    },
  };
}
