// The third level of the gait panel: torque profiles of a motion are edited as curves and simulated again by direct dynamics.

import type { App } from "../../app";
import { fill, h } from "../../dom";
import type { MotionView, Profile, ProjectView } from "../../messages";
import { CurveEditor } from "../curves/editor";
import type { Point } from "../curves/spline";
import { choiceField, numberField } from "../fields";
import { button, keep } from "../forms";

const POINTS = 40; // of a new curve; more would be too close together to be dragged

interface State {
  motions: readonly MotionView[];
  motion: number | null;
  profiles: readonly Profile[];
}

export function profilesLevel(app: App): HTMLElement {
  let motion: number | null = null, dof = "", spacing: number | null = null, hold = 1, first: ReadonlyMap<string, Profile> = new Map(), firstOf = -1;
  const head = h("div"), hint = h("p", { class: "quiet-text" });
  const editor = new CurveEditor(app, {
    label: "Torque profile", fixedTimes: true, help: "The torque of one degree of freedom over time. Drag a point to move it; neighbours within the width follow. Arrow keys move the chosen point.",
    change: (points) => (motion === null || !dof ? Promise.resolve() : app.run("set_profile", { motion, profile: { dof, times: points.map(([t]) => t), values: points.map(([, x]) => x) } })),
    refresh: () => refresh(),
    choose: (index) => value.show(index === null ? null : editor.points[index]![1]),
  });
  editor.soft = 0.12;
  const value = numberField(app, { label: "Torque at the point", face: "Point", help: "Torque at the chosen point.", unit: "N m", step: 1, empty: "–", commit: (x) => {
    const i = editor.chosen;
    if (i !== null && x !== null) editor.put(i, [editor.points[i]![0], x], true);
  } });
  const width = numberField(app, { label: "Width", help: "Range of time within which neighbouring points follow a dragged point.", unit: "s", min: 0, max: 2, step: 0.02, commit: (x) => (editor.soft = x ?? 0) });
  const apart = numberField(app, { label: "Spacing", help: "Time between two points of new profiles. If it is empty, a curve gets about 40 points.", unit: "s", min: 0.005, max: 1, step: 0.01, empty: "auto", commit: (x) => (spacing = x) });
  const held = numberField(app, { label: "Hold", help: "Factor of the feedback gains that hold the figure near the original motion. 1 is the default. With 0 the torques act alone, and the motion soon drifts away.", min: 0, max: 100, step: 0.1, commit: (x) => (hold = x ?? hold) });
  held.show(hold);
  width.show(editor.soft);
  apart.show(spacing);
  const automatic = () => Math.max(0.05, Math.round(100 * ((app.store.get("project")?.motions.find((own) => own.motion === motion)?.duration ?? 2) / POINTS)) / 100);
  const take = () => motion !== null && void app.run("take_profiles", { motion, spacing: spacing ?? automatic() }).then((taken) => {
    if (!taken) return;
    first = new Map(taken.profiles.map((own) => [own.dof, own]));
    firstOf = taken.motion;
    refresh();
  });
  const taken = () => (motion === null ? [] : app.store.get("project")?.profiles[String(motion)] ?? []);
  const run = () => motion !== null && void app.run("run_profiles", { motion, hold });
  const takeButton = button("Get profiles", "Converts the joint torques of this motion to curves that can be edited.", () => void take(), "small");
  const runButton = button("Run again", "Simulates the motion again with the edited torques and shows it. The original motion is kept.", () => void run(), "primary small");
  const showHead = keep<State>(head, ({ motions, profiles }) => JSON.stringify([motions.map(({ motion: own }) => own), profiles.map((own) => own.dof)]), ({ motions, profiles }) => {
    const which = choiceField({ label: "Motion of the profiles", face: "Motion", help: "The motion to edit. It must contain joint torques, like motions of HYBRID Dynamics and walks.", choices: motions.map((own) => [String(own.motion), own.title] as const), commit: (chosen) => ((motion = Number(chosen)), refresh()) });
    const whose = choiceField({ label: "Torque of", help: "The degree of freedom whose torque is shown.", choices: profiles.map((own) => own.dof).sort(), commit: (chosen) => ((dof = chosen), editor.choose(null), refresh()) });
    return { element: h("div", { class: "row wrap" }, which.element, profiles.length > 0 && whose.element, takeButton), show: (state) => {
      which.show(String(state.motion ?? ""));
      whose.show(dof);
    } };
  });
  const refresh = () => {
    const project = app.store.get("project");
    if (!project) return;
    const motions = withForces(project);
    if (!motions.some((own) => own.motion === motion)) motion = (motions.find((own) => own.motion === project.shown) ?? motions[motions.length - 1])?.motion ?? null;
    const profiles = taken();
    if (!profiles.some((own) => own.dof === dof)) dof = profiles.find((own) => /knee/.test(own.dof))?.dof ?? profiles.find((own) => !own.dof.startsWith("root"))?.dof ?? profiles[0]?.dof ?? "";
    showHead({ motions, motion, profiles });
    const now = profiles.find((own) => own.dof === dof), before = firstOf === motion ? first.get(dof) : undefined;
    editor.show({ points: pointsOf(now), unit: "N m", ghost: before ? pointsOf(before) : null });
    takeButton.disabled = motion === null;
    runButton.disabled = !profiles.length;
    editor.element.hidden = !profiles.length;
    fill(hint, motion === null ? "No motion has joint torques yet. Run HYBRID Dynamics or a walk first." : profiles.length ? "" : "Press Get profiles to edit the torques of this motion.");
    hint.hidden = profiles.length > 0;
  };
  app.store.on("project", refresh, true);
  return h("div", { class: "level-content profiles" }, head, hint, editor.element, h("div", { class: "row wrap" }, value.element, width.element, apart.element, held.element, h("div", { class: "spread" }), runButton));
}

function withForces(project: ProjectView): MotionView[] {
  return project.motions.filter(({ has_forces }) => has_forces);
}

function pointsOf(profile: Profile | undefined): Point[] {
  return profile ? profile.times.map((t, i): Point => [t, profile.values[i]!]) : [];
}
