// The panel of a live page: start, pause, rewind and restart; pushes; speed, direction and style; slope and gravity.

import type { App } from "../app";
import { h } from "../dom";
import type { LivePageRun } from "./run";

const PUSHES: [label: string, name: string, x: number, y: number][] = [["↖", "ahead and left", 1, 1], ["↑", "ahead", 1, 0], ["↗", "ahead and right", 1, -1], ["←", "left", 0, 1], ["→", "right", 0, -1], ["↙", "back and left", -1, 1], ["↓", "back", -1, 0], ["↘", "back and right", -1, -1]];
const REWIND = 3; // [s]
const SPEED_STEP = 0.1; // [m/s] of the arrow keys
const TURN_STEP = Math.PI / 12; // [rad] of the arrow keys
const PUSHED = /(^|\/)(pelvis|trunk|body|base)$/; // the link that is pushed by number

export function mountLivePanel(app: App, run: LivePageRun, place: HTMLElement): void {
  const { controls, slots, figures, links } = run.description, { store } = app;
  const button = (label: string, help: string, click: () => void, kind = "") => h("button", { class: `small ${kind}`, type: "button", help, onclick: click }, label);
  const pause = button("Pause", "Pauses or continues the simulation (Space).", () => run.pause(run.state.state === "running"));
  const slow = button("Slow motion", "Runs at a quarter of real time, or at real time again.", () => void app.run("live_pace", { pace: run.state.pace < 1 ? 1 : 0.25 }));
  const rows: (HTMLElement | false)[] = [
    h("div", { class: "row wrap" }, pause, slow, button(`Back ${REWIND} s`, "Returns to the state of some seconds ago and goes on from there. The timeline rewinds up to a minute: pause, choose a time, continue.", () => run.rewind(run.state.time - REWIND)), button("Restart", "Starts again from the first state (R).", () => run.restart())),
  ];

  const amount = h("input", { type: "number", min: "0", max: "400", step: "5", value: "40", "aria-label": "Impulse of a push", help: "Impulse of a push in N s. 40 N s changes the speed of 75 kg by half a metre per second." });
  const pushed = Math.max(0, links.findIndex((name) => PUSHED.test(name)));
  const push = (x: number, y: number) => {
    const heading = run.state.heading ?? 0, size = Number(amount.value) / Math.hypot(x, y), c = Math.cos(heading), s = Math.sin(heading);
    void app.run("impulse", { figure: 0, link: links[pushed]!, point: [0, 0, 0], impulse: [size * (c * x - s * y), size * (s * x + c * y), 0] });
  };
  rows.push(h("div", { class: "live-push", role: "group", "aria-label": "Push" },
    h("span", { class: "field-label" }, `Push the ${links[pushed]!.split("/").pop()}`), h("label", { class: "row" }, amount, h("small", null, "N s")),
    h("div", { class: "push-pad" }, ...PUSHES.map(([label, name, x, y]) => h("button", { class: "small", type: "button", "aria-label": `Push ${name}`, help: `Pushes ${name}, as seen by the figure.`, onclick: () => push(x, y) }, label)))));

  if (controls) {
    const speed = slider("Speed", "m/s", controls.speeds[0], controls.speeds[1], 0.05, run.state.speed || 1.3, (x) => void app.run("live_walk", { speed: x, go: true }), "Walking speed (↑ and ↓).");
    const style = h("select", { "aria-label": "Style", help: "Walking style. The walker changes to it within a second.", onchange: () => void app.run("live_walk", { style: style.value }) }, controls.styles.map((name) => h("option", { value: name }, name)));
    const turn = (by: number) => void app.run("live_walk", { turn: by });
    rows.push(speed.element, controls.styles.length > 1 && h("label", { class: "row live-style" }, h("span", { class: "field-label" }, "Style"), style),
      h("div", { class: "row wrap" }, button("Turn left", "Turns 15° to the left (←).", () => turn(TURN_STEP)), button("Turn right", "Turns 15° to the right (→).", () => turn(-TURN_STEP)), button("Stand", "Stops and stands.", () => void app.run("live_walk", { go: false })), button("Go", "Walks again.", () => void app.run("live_walk", { go: true }))));
    const faster = (by: number) => () => void app.run("live_walk", { speed: (run.state.speed ?? 1.3) + by, go: true });
    app.shortcut("up", "Walk faster", faster(SPEED_STEP));
    app.shortcut("down", "Walk slower", faster(-SPEED_STEP));
    app.shortcut("left", "Turn left", () => turn(TURN_STEP));
    app.shortcut("right", "Turn right", () => turn(-TURN_STEP));
    store.on("run", (now) => now && now.speed && speed.show(now.speed));
    if (slots["ground.normal"] && controls.slopes > 0) rows.push(slider("Slope", "%", -100 * controls.slopes, 100 * controls.slopes, 1, 0, (x) => run.setSlope(x / 100), "Slope of the ground in the direction of walking; it turns about the point below the figure.").element);
  }
  rows.push(slider("Gravity", "m/s²", 0, 25, 0.1, 9.8, (x) => run.setGravity(x), "Gravity: 1.6 on the Moon, 3.7 on Mars, 9.8 on the Earth.").element);
  app.shortcut("r", "Restart the simulation", () => run.restart());

  const status = h("output", { class: "live-status", "aria-label": "Simulation" });
  const panel = h("section", { class: "simulation-panel", "aria-label": "Simulation" },
    h("details", { open: !matchMedia("(max-width: 700px)").matches }, h("summary", null, "Push it", status), h("p", { class: "quiet-text" }, `Drag ${figures.length > 1 || run.description.batch > 1 ? "a body" : "the figure"}, or push it. It is simulated on this page, ${(1 / run.description.dt).toFixed(0)} steps per second.`), ...rows.filter((row): row is HTMLElement => !!row)));
  place.append(panel);
  store.on("run", (now) => {
    if (!now) return;
    pause.textContent = now.state === "running" ? "Pause" : "Continue";
    slow.setAttribute("aria-pressed", String(now.pace < 1));
    status.textContent = `${now.fallen ? "fallen" : now.state} · ${now.faster >= 10 ? now.faster.toFixed(0) : now.faster.toFixed(1)}× real time`;
  }, true);
}

function slider(label: string, unit: string, least: number, most: number, step: number, value: number, change: (x: number) => void, help: string): { element: HTMLElement; show(x: number): void } {
  const field = h("input", { type: "range", min: String(least), max: String(most), step: String(step), "aria-label": label, help }), shown = h("output", { class: "number" });
  const show = (x: number) => {
    if (document.activeElement !== field) field.value = String(x);
    shown.textContent = `${Number(x.toFixed(2))} ${unit}`;
  };
  field.value = String(value);
  field.addEventListener("input", () => (change(Number(field.value)), (shown.textContent = `${Number(Number(field.value).toFixed(2))} ${unit}`)));
  show(value);
  return { element: h("label", { class: "live-slider" }, h("span", { class: "field-label" }, label), field, shown), show };
}
