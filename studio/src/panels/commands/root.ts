// Root Characteristics and Change Root.

import type { App } from "../../app";
import { h } from "../../dom";
import { type Chosen, chosen, onChosen } from "../chosen";
import { anglesOf, quaternionOf, rotationOf, type Vector } from "../document";
import { choiceField, DEGREES, tickField } from "../fields";
import { button, keep, vectorField } from "../forms";
import type { Setting } from "./dynamics";

const FREEDOMS = ["x", "y", "z", "rot x", "rot y", "rot z"] as const;

export function rootSettings(app: App): Setting {
  const place = h("div");
  const show = keep<Chosen | null>(place, (now) => (now ? `${now.figure.figure} ${rootJoint(now)?.type}` : ""), (now) => (now ? rootForm(app, now) : { element: h("p", { class: "quiet-text" }, "No figure is open. Open or build one first."), show: () => undefined }));
  onChosen(app, show);
  return { element: place };
}

function rootJoint({ document }: Chosen) {
  return document.joint.find(({ parent }) => !parent);
}

function rootForm(app: App, first: Chosen) {
  const figure = first.figure.figure, joint = rootJoint(first), free = joint?.type === "free";
  const set = (fields: Record<string, unknown>) => void app.run("set_root", { figure, ...fields });
  const position = vectorField(app, { label: "Position", help: "Position of the root in the world.", unit: "m", step: 0.05, commit: (value) => (free ? set({ position: value }) : void app.run("set_joint_place", { figure, joint: joint!.name, origin: value })) });
  const attitude = vectorField(app, { label: "Attitude", help: "Attitude of the root in the world, as x-y-z Euler angles.", unit: "°", scale: DEGREES, step: 5, commit: (value) => (free ? set({ attitude: quaternionOf(value) }) : void app.run("set_joint_place", { figure, joint: joint!.name, angles: value })) });
  const velocity = vectorField(app, { label: "Velocity", help: "Initial velocity of the root in the world.", unit: "m/s", step: 0.1, commit: (value) => set({ velocity: value }) });
  const spin = vectorField(app, { label: "Spin", help: "Initial angular velocity of the root, world axes.", unit: "°/s", scale: DEGREES, step: 10, commit: (value) => set({ spin: value }) });
  const may = FREEDOMS.map((name, i) => tickField({ label: `Root may move: ${name}`, face: name, help: `Allows the root to move along this axis, or to rotate about it. Otherwise it is held in place.`, commit: (on) => {
    const now = chosen(app);
    if (now) set({ free: heldOf(now).map((held, k) => (k === i ? on : !held)) });
  } }));
  const force = vectorField(app, { label: "Force", help: "A permanent force on the root link, world axes.", unit: "N", step: 10, commit: (value) => set({ force: value }) });
  const moment = vectorField(app, { label: "Moment", help: "A permanent moment on the root link, world axes.", unit: "N m", step: 5, commit: (value) => set({ moment: value }) });
  const type = choiceField({ label: "Root joint", help: "Type of the joint between root and world; free has six degrees of freedom.", choices: ["free", "weld", "ball", "revolute", "translational", "planar"], commit: (value) => void app.run("change_root", { figure, link: app.store.get("figures").get(figure)!.document["root"] as string, joint: value }) });
  return {
    element: h("div", null, type.element, position.element, attitude.element, free && [velocity.element, spin.element, h("div", { class: "field-label" }, "May move"), h("div", { class: "ticks" }, may.map(({ element }) => element)), force.element, moment.element]),
    show: (now: Chosen | null) => {
      if (!now) return;
      type.show(rootJoint(now)?.type ?? "free");
      const root = now.document.link.findIndex(({ name }) => name === rootJoint(now)?.child), [x, y, z, ...q] = now.figure.poses[root] ?? [0, 0, 0, 1, 0, 0, 0];
      const turn = rotationOf(q as [number, number, number, number]);
      position.show([x!, y!, z!]);
      attitude.show(anglesOf(turn));
      if (!free) return;
      const rates = now.figure.dofs.filter(({ joint: own }) => own === rootJoint(now)!.name).map(({ rate }) => rate);
      velocity.show(rates.slice(0, 3) as Vector);
      const own = rates.slice(3, 6);
      spin.show(turn.map((row) => row.reduce((sum, r, k) => sum + r * (own[k] ?? 0), 0)) as Vector);
      heldOf(now).forEach((held, i) => may[i]!.show(!held));
      const acting = (isMoment: boolean): Vector => now.project.forces.find((f) => f.figure === figure && f.link === rootJoint(now)!.child && f.moment === isMoment && f.start === 0 && f.end === null)?.vector ?? [0, 0, 0];
      force.show(acting(false));
      moment.show(acting(true));
    },
  };
}

/** Returns which of the root's six directions are held in place. */
function heldOf(now: Chosen): boolean[] {
  return now.figure.dofs.filter(({ joint }) => joint === rootJoint(now)?.name).slice(0, 6).map(({ drive }) => drive === "motion");
}

export function changeRootSettings(app: App): Setting {
  const place = h("div");
  let link = "", figure = -1;
  const run = () => {
    const now = chosen(app);
    if (now) void app.run("change_root", { figure: now.figure.figure, link: link || now.link.name });
  };
  const show = keep<Chosen | null>(place, (now) => (now ? JSON.stringify([now.figure.figure, now.document.link.map(({ name }) => name)]) : ""), (now) => {
    if (!now) return { element: h("p", { class: "quiet-text" }, "No figure is open. Open or build one first."), show: () => undefined };
    const which = choiceField({ label: "New root", help: "The new root. Click a link on the stage, or choose it here. The joints between old and new root are reversed and keep their limits and springs.", choices: now.document.link.map(({ name }) => name), commit: (value) => (link = value) });
    const present = h("p", { class: "quiet-text" });
    return {
      element: h("div", null, present, which.element, button("Change the root", "Makes this link the root. The dynamics stay the same.", run, "primary wide")),
      show: (state) => {
        if (!state) return;
        if (figure !== state.figure.figure || state.number > 0 || !state.document.link.some(({ name }) => name === link)) link = state.link.name;
        figure = state.figure.figure;
        which.show(link);
        present.textContent = `The root is ${state.document.root}.`;
      },
    };
  });
  onChosen(app, show);
  return { element: place };
}
