// The panel of degrees of freedom, of the chosen joint or of all joints.

import type { App } from "../../app";
import { h, iconButton } from "../../dom";
import { ICONS } from "../../icons";
import { type Chosen, chosen, chooseLink, onChosen } from "../chosen";
import { dofsOf, hasOrder, jointAbove, treeOf } from "../document";
import { choiceField, segments } from "../fields";
import { button, keep } from "../forms";
import { dofCard, lockField, type ShowCurve } from "./card";

type Shown = "joint" | "all";

export function dofWindow(app: App, showCurve: ShowCurve): HTMLElement {
  const place = h("div"), head = h("div");
  let shown: Shown = "joint";
  const which = segments<Shown>("Joints", [["joint", "Chosen joint", "All settings of the joint of the chosen link."], ["all", "All joints", "A slider for every degree of freedom, to pose the figure."]], (value) => {
    shown = value;
    which.show(shown);
    refresh(chosen(app));
  });
  which.show(shown);
  const showHead = keep<Chosen | null>(head, (now) => (now ? JSON.stringify([now.figure.figure, treeOf(now.document).map(({ joint }) => joint.name)]) : ""), (now) => (now ? jointChooser(app, now) : { element: h("p", { class: "quiet-text" }, "No figure is open. Open or build one to see its degrees of freedom."), show: () => undefined }));
  const showBody = keep<Chosen | null>(place, (now) => shape(now, shown), (now) => (!now ? { element: h("div"), show: () => undefined } : shown === "all" ? allJoints(app, now, showCurve) : oneJoint(app, now, showCurve)));
  const refresh = (now: Chosen | null) => {
    showHead(now);
    showBody(now);
  };
  onChosen(app, refresh);
  return h("div", { class: "dof-window" }, which.element, head, place);
}

function shape(now: Chosen | null, shown: Shown): string {
  if (!now) return "";
  const dofs = shown === "all" ? now.figure.dofs : dofsOf(now.figure, now.joint.name);
  return JSON.stringify([shown, now.figure.figure, shown === "all" ? "" : [now.joint.name, now.joint.type, now.joint.order, now.link.name], dofs.map(({ name, locked, unit }) => [name, locked, unit])]);
}

/** Creates the list of joints, with buttons to the previous and the next one. */
function jointChooser(app: App, first: Chosen) {
  const tree = treeOf(first.document), names = tree.map(({ joint }) => joint.name);
  const go = (name: string) => {
    const now = chosen(app), link = now?.document.joint.find((joint) => joint.name === name)?.child;
    if (now && link) chooseLink(app, now.figure, link);
  };
  const step = (by: number) => {
    const now = chosen(app);
    if (now) go(names[(names.indexOf(now.joint.name) + by + names.length) % names.length]!);
  };
  const which = choiceField({ label: "Joint", face: "", help: "The joint whose degrees of freedom are shown. You can also click a link on the stage.", choices: tree.map(({ joint, depth }) => [joint.name, `${"\u2003".repeat(Math.min(depth, 6))}${joint.name}`] as const), commit: go });
  return {
    element: h("div", { class: "row joint-chooser" }, iconButton(ICONS.back, "Previous joint", "Goes to the previous joint of the tree.", () => step(-1)), which.element, iconButton(ICONS.forward, "Next joint", "Goes to the next joint of the tree.", () => step(1))),
    show: (now: Chosen | null) => now && which.show(now.joint.name),
  };
}

function oneJoint(app: App, first: Chosen, showCurve: ShowCurve) {
  const { figure: view, joint, link } = first, { figure } = view, dofs = dofsOf(view, joint.name);
  const cards = dofs.map((dof) => dofCard(app, figure, dof, true, showCurve));
  const order = hasOrder(joint) ? choiceField({ label: "Rotation order", help: "The order of the three rotations; the pose is kept. A ball joint becomes an Euler joint.", choices: [...(joint.type === "euler" ? [] : [["", `${joint.type}: no order`] as const]), ...(app.store.get("welcome")?.orders ?? []).map((o) => [o, o.toUpperCase().split("").join("-")] as const)], commit: (value) => value && void app.run("set_rotation_order", { figure, joint: joint.name, order: value }) }) : null;
  const lock = dofs.length ? lockField(app, figure, joint.name) : null, words = h("p", { class: "quiet-text joint-words" });
  return {
    element: h("div", null,
      words,
      h("div", { class: "row wrap" }, order?.element, lock?.element),
      cards.map(({ element }) => element),
      !dofs.length && h("p", { class: "quiet-text" }, "This joint has no degree of freedom: the link is fixed to its parent."),
      h("div", { class: "row wrap" }, button("Reset pose", "Resets the initial state of this figure to its neutral pose and zero velocity.", () => void app.run("set_initial_state", { figure, rest: true }), "small"))),
    show: (now: Chosen | null) => {
      if (!now) return;
      const views = dofsOf(now.figure, joint.name);
      words.textContent = `${joint.type} joint, ${joint.parent ?? "world"} → ${link.name}, ${(now.link.mass ?? 0).toFixed(2)} kg`;
      order?.show(now.joint.order ?? "");
      lock?.show(views.length > 0 && views.every(({ locked }) => locked));
      cards.forEach((card, i) => views[i] && card.show(views[i]));
    },
  };
}

function allJoints(app: App, first: Chosen, showCurve: ShowCurve) {
  const { figure } = first.figure, cards = new Map(first.figure.dofs.map((dof) => [dof.name, dofCard(app, figure, dof, false, showCurve)]));
  const rows = treeOf(first.document).map(({ name, joint }) => {
    const own = dofsOf(first.figure, joint.name);
    return own.length ? h("div", { class: "joint-group" }, h("button", { type: "button", class: "quiet small joint-name", help: `Shows all settings of joint ${joint.name}.`, onclick: () => {
      const now = chosen(app);
      if (now && jointAbove(now.document, name)) chooseLink(app, now.figure, name);
    } }, joint.name), own.map((dof) => cards.get(dof.name)!.element)) : null;
  });
  return { element: h("div", { class: "all-joints" }, rows), show: (now: Chosen | null) => now?.figure.dofs.forEach((dof) => cards.get(dof.name)?.show(dof)) };
}
