// The form that adds a link to the chosen link.

import type { App } from "../../app";
import { h } from "../../dom";
import { type Chosen, chooseWhenThere, chosen } from "../chosen";
import type { Vector } from "../document";
import { choiceField, numberField } from "../fields";
import { button, vectorField } from "../forms";

const AXES = [["x", "about x"], ["y", "about y"], ["z", "about z"]] as const;
const WITH_AXIS = ["revolute", "prismatic", "helical", "cylindrical"];

export function addLinkForm(app: App) {
  let type = "revolute", axis = "y", size: Vector = [0.3, 0.06, 0.06], density = 1000;
  const name = h("input", { type: "text", "aria-label": "Name of the new link", placeholder: "name", spellcheck: false, dataset: { at: "Name of the new link" }, help: "Name of the new link and of its joint." });
  const kind = choiceField({ label: "Joint of the new link", face: "Joint", help: "Type of the joint between the new link and its parent.", choices: (app.store.get("welcome")?.joints ?? []).map((j) => j.type).filter((t) => !["composite", "custom", "free", "universal"].includes(t)), commit: (value) => {
    type = value;
    along.element.hidden = !WITH_AXIS.includes(type);
  } });
  const along = choiceField({ label: "Axis of the new joint", face: "Axis", help: "The axis of rotation or translation.", choices: AXES, commit: (value) => (axis = value) });
  const box = vectorField(app, { label: "Size", help: "Length (x), height (y) and width (z) of a box that starts at the joint.", unit: "m", step: 0.01, min: 0.001, names: ["length", "height", "width"], commit: (value) => (size = value) });
  const heavy = numberField(app, { label: "Density of the new link", face: "Density", help: "Density of the material, for example 1000 for water or a human body, 600 for wood, 7800 for steel.", unit: "kg/m³", min: 0, step: 50, commit: (x) => (density = x ?? density) });
  kind.show(type);
  along.show(axis);
  box.show(size);
  heavy.show(density);
  const add = () => {
    const now = chosen(app);
    if (!now) return;
    const named = name.value.trim() || freeName(now);
    void app.run("add_link", { figure: now.figure.figure, name: named, parent: now.link.name, type, ...(WITH_AXIS.includes(type) ? { axis } : {}), size, density }).then((answer) => {
      if (answer === undefined) return;
      name.value = "";
      chooseWhenThere(app, now.figure.figure, named);
    });
  };
  name.addEventListener("keydown", (event) => event.key === "Enter" && add());
  const face = h("span");
  return {
    element: h("div", { class: "add-link" }, h("h4", null, "Add a link"), h("div", { class: "row" }, name, button(face, "Adds a link at the far end of the chosen link.", add, "primary", "Add the link")), h("div", { class: "two" }, kind.element, along.element), box.element, heavy.element),
    show: (now: Chosen) => {
      face.textContent = `Add to ${now.link.name}`;
      name.placeholder = freeName(now);
    },
  };
}

function freeName({ document: doc }: Chosen): string {
  let n = doc.link.length + 1;
  while (doc.link.some(({ name }) => name === `link${n}`) || doc.joint.some(({ name }) => name === `link${n}`)) n++;
  return `link${n}`;
}
