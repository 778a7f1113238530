// Shows plots over time or over the gait cycle, and in the page of a walk the figure that walks by the norm.

import type { App } from "../app";
import { h } from "../dom";
import { CycleCharts } from "./charts";
import type { Shell } from "../shell";
import { NormGhost } from "./ghost";

export function mountCycle(app: App, { plots: place, timeline, stage, fold }: Shell): CycleCharts {
  const { store } = app, charts = new CycleCharts(app);
  const button = (over: "time" | "cycle", label: string, help: string) => h("button", { type: "button", help, dataset: { over }, onclick: () => store.set("over", over) }, label);
  const buttons = [button("cycle", "Gait cycle", "Plots joint angles and ground forces from strike to strike, with the norm of people."), button("time", "Time", "Plots the chosen channels over time.")];
  const choice = h("div", { class: "segments over-choice", role: "group", "aria-label": "Plots over", hidden: true }, buttons);
  place.append(charts.element);
  timeline.querySelector(".transport [aria-label='Plots']")?.before(choice);
  let headline: HTMLElement | null = null;
  const show = () => {
    const walk = !!store.get("motion")?.header.gait, over = store.get("over");
    choice.hidden = !walk;
    place.classList.toggle("over-cycle", walk && over === "cycle");
    for (const own of buttons) own.setAttribute("aria-pressed", String(own.dataset["over"] === over));
  };
  store.on("motion", show, true);
  store.on("over", show);
  if (store.get("mode") === "player") store.on("motion", (motion) => {
    const { strides } = charts, ghost = motion?.header.gait?.ghost;
    if (store.get("run")) return headline?.remove();
    if (!motion || !ghost || !strides) return;
    headline = h("div", { class: "headline" }, h("h1", null, motion.header.title), h("p", null, motion.header.caption ?? ""));
    stage.append(headline);
    fold("below", false); // the curves are part of the page, on a phone too
    mountGhost(app, new NormGhost(strides, ghost.stride, ghost.poses), stage);
  });
  return charts;
}

/** Shows the ghost, and a legend that hides it. Both leave when the simulation begins. */
function mountGhost(app: App, ghost: NormGhost, stage: HTMLElement): void {
  const { store } = app, speed = store.get("motion")!.header.gait!.speed;
  const box = h("input", { type: "checkbox", checked: true, onchange: () => store.set("ghost", box.checked ? ghost : null) });
  const legend = h("div", { class: "legend" }, h("span", null, h("i", { class: "solid" }), "simulated"),
    h("label", { help: "The mean joint angles of people at this speed and step length, with feet that stand on the ground: a motion without physics." }, box, h("i", { class: "pale" }), `norm of people at ${speed.toFixed(1)} m/s`));
  stage.append(legend);
  store.set("ghost", ghost);
  const stop = store.on("run", (run) => {
    if (!run) return;
    stop();
    legend.remove();
    store.set("ghost", null);
  });
}
