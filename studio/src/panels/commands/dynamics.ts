// Settings of the dynamics commands.

import type { App } from "../../app";
import { h } from "../../dom";
import type { World } from "../../messages";
import { onChosen } from "../chosen";
import { choiceField, numberField, tickField } from "../fields";
import { button, keep } from "../forms";

export interface Setting {
  element: HTMLElement;
  /** Runs the command with these settings. */
  run?: () => void;
  /** Called when it is opened. */
  opened?: () => void;
}

const MODES = [["computed", "computed torque"], ["inverse", "current state"], ["open", "open loop"]] as const;

/** Direct dynamics, without or with contact. */
export function runSettings(app: App, contact: boolean): Setting {
  let duration = 2, alone = false;
  const what = contact ? "Direct Contact Dynamics" : "Direct Dynamics – No Contact";
  const seconds = numberField(app, { label: `Duration of ${contact ? "contact" : "direct"} dynamics`, face: "Duration", help: "Duration of the motion, at most 600 s.", unit: "s", min: 0.001, max: 600, step: 0.5, commit: (x) => (duration = x ?? duration) });
  const only = tickField({ label: `Only the chosen figure${contact ? " in contact" : ""}`, face: "Only the chosen figure", help: "Simulates only the chosen figure. Otherwise all figures of the project are simulated together.", commit: (on) => (alone = on) });
  const models = h("div");
  app.store.on("welcome", (welcome) => {
    const model = choiceField({ label: "Contact model", help: "Contact model: springs with friction, or impulses without penetration.", choices: (welcome?.contacts ?? []).map(({ name }) => name), commit: (value) => void app.run("set_scheme", { contact: value as World["contact"] }) });
    models.replaceChildren(model.element);
    app.store.on("project", (project) => project && model.show(project.world.contact), true);
  }, true);
  seconds.show(duration);
  const run = () => {
    const figure = alone ? app.store.get("selection").figure : null;
    void app.run(contact ? "contact_dynamics" : "direct_dynamics", { duration, figure });
  };
  return { run, element: h("div", null, seconds.element, contact && models, only.element, button("Run", `${what}: computes the motion and shows it.`, run, "primary wide", `Run ${contact ? "contact" : "direct"} dynamics`)) };
}

/** HYBRID Dynamics: the desired motion, and the control of the direct part. */
export function hybridSettings(app: App): Setting {
  let mode: "open" | "inverse" | "computed" = "computed", wanted = "", duration: number | null = 2;
  const place = h("div");
  const run = () => void app.run("hybrid_dynamics", { figure: app.store.get("selection").figure, motion: wanted === "" ? null : Number(wanted), mode, duration: wanted === "" ? duration : null });
  const show = keep<{ motions: [string, string][] }>(place, ({ motions }) => JSON.stringify(motions), ({ motions }) => {
    const which = choiceField({ label: "Desired motion", face: "Desired", help: "The desired motion: from keys, from control functions, or a motion of the project.", choices: [["", "keys or controls"], ...motions], commit: (value) => (wanted = value) });
    const held = choiceField({ label: "Control", help: "Control of the direct dynamics. Computed torque: feedback to the desired motion. Current state: inverse dynamics at every step. Open loop: the computed forces alone; the motion soon drifts away.", choices: MODES, commit: (value) => (mode = value as typeof mode) });
    const seconds = numberField(app, { label: "Duration of control functions", face: "Duration", help: "Duration of a motion that control functions prescribe.", unit: "s", min: 0.01, max: 600, step: 0.5, commit: (x) => (duration = x) });
    if (!motions.some(([value]) => value === wanted)) wanted = "";
    which.show(wanted);
    held.show(mode);
    seconds.show(duration);
    return { element: h("div", null, which.element, held.element, seconds.element, button("Run", "Computes HYBRID Dynamics: inverse dynamics of the desired motion, then direct dynamics.", run, "primary wide", "Run hybrid dynamics")), show: () => undefined };
  });
  onChosen(app, (now) => show({ motions: (now?.project.motions ?? []).filter(({ figure }) => figure === now!.figure.figure).map((m) => [String(m.motion), `${m.title} (${m.duration.toFixed(1)} s)`]) }));
  return { run, element: place };
}

/** Another Frame. */
export function frameSettings(app: App): Setting {
  let frames = 1, contact = true;
  const count = numberField(app, { label: "Frames", help: "Number of frames to append. The duration of a frame is 1 / frame rate.", min: 1, max: 10000, step: 1, commit: (x) => (frames = Math.round(x ?? 1)) });
  const withContact = tickField({ label: "With contact", help: "Simulates contact with the ground and obstacles.", commit: (on) => (contact = on) });
  count.show(frames);
  withContact.show(contact);
  const run = () => void app.run("another_frame", { frames, contact });
  return { run, element: h("div", null, count.element, withContact.element, button("Another Frame", "Computes the next frame and shows it.", run, "primary wide", "Compute another frame")) };
}
