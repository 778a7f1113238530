// The form of the chosen link: name, parent, size, density or mass, centre of mass, inertia tensor, markers.

import type { App } from "../../app";
import { h, iconButton } from "../../dom";
import { ICONS } from "../../icons";
import type { SetLinkSize } from "../../messages";
import type { Chosen } from "../chosen";
import { chooseWhenThere, chosen } from "../chosen";
import { boxOf, isInSubtree, type Vector } from "../document";
import { choiceField, numberField, segments, textField } from "../fields";
import { button, keep, section, vectorField } from "../forms";

type Weight = "density" | "mass";

export function linkForm(app: App, place: HTMLElement): (now: Chosen) => void {
  return keep<Chosen>(place, (now) => JSON.stringify([now.figure.figure, now.link.name, now.document.link.map(({ name }) => name), now.document.marker.map(({ name, link }) => [name, link]), !!boxOf(now.link)]), (now) => form(app, now));
}

function form(app: App, first: Chosen) {
  const { figure: { figure }, link: { name: link } } = first, root = !first.joint.parent;
  const latest = () => chosen(app) ?? first;
  const name = textField(app, { label: "Name of the link", face: "Name", help: "Name of the link (F2 in the tree).", check: (value) => ({ kind: "rename_link", figure, link, name: value }), commit: (value) => void app.run("rename_link", { figure, link, name: value }).then((done) => done !== undefined && chooseWhenThere(app, figure, value)) });
  const parent = choiceField({ label: "Parent", help: "The parent link; the link keeps its pose in the world.", choices: root ? [["", "the world"]] : first.document.link.map((own) => own.name).filter((own) => !isInSubtree(first.document, own, link)), commit: (value) => value && void app.run("reparent_link", { figure, link, parent: value, keep_place: true }) });
  const weight = weightFields(app, first, latest);
  const centre = vectorField(app, { label: "Centre of mass", help: "Centre of mass in the link's frame, whose origin is at its joint.", unit: "m", step: 0.01, check: (value) => ({ kind: "set_link_inertia", figure, link, centre: value }), commit: (value) => void app.run("set_link_inertia", { figure, link, centre: value }) });
  const tensorAt = (diagonal: Vector, products: Vector): [Vector, Vector, Vector] => [[diagonal[0], products[0], products[1]], [products[0], diagonal[1], products[2]], [products[1], products[2], diagonal[2]]];
  const parts = (): [Vector, Vector] => {
    const I = latest().link.tensor ?? [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
    return [[I[0]![0]!, I[1]![1]!, I[2]![2]!], [I[0]![1]!, I[0]![2]!, I[1]![2]!]];
  };
  const setTensor = (tensor: [Vector, Vector, Vector]) => ({ figure, link, tensor });
  const moments = vectorField(app, { label: "Tensor", help: "Moments of inertia about the centre of mass, in the link's axes.", unit: "kg m²", step: 0.001, names: ["xx", "yy", "zz"], check: (value) => ({ kind: "set_link_inertia", ...setTensor(tensorAt(value, parts()[1])) }), commit: (value) => void app.run("set_link_inertia", setTensor(tensorAt(value, parts()[1]))) });
  const products = vectorField(app, { label: "Products", help: "Off-diagonal elements of the inertia tensor, for example xy = −∫ x y dm.", unit: "kg m²", step: 0.001, names: ["xy", "xz", "yz"], check: (value) => ({ kind: "set_link_inertia", ...setTensor(tensorAt(parts()[0], value)) }), commit: (value) => void app.run("set_link_inertia", setTensor(tensorAt(parts()[0], value))) });
  const remove = h("div", { class: "row wrap" }, button("Make root", "Makes this link the root. The dynamics stay the same.", () => void app.run("change_root", { figure, link }), "small"), button("Remove", "Removes this link; its children are connected to its parent (Delete).", () => void app.run("remove_link", { figure, link }), "small danger"), button("Remove branch", "Removes this link and all its descendants.", () => void app.run("remove_link", { figure, link, branch: true }), "small danger"));
  const markers = markerFields(app, first);
  return {
    element: section("Link", "The chosen link.", true, name.element, parent.element, weight.element, centre.element, moments.element, products.element, markers.element, remove),
    show: (now: Chosen) => {
      name.show(now.link.name);
      parent.show(now.joint.parent ?? "");
      weight.show(now);
      centre.show((now.link.centre ?? [0, 0, 0]) as Vector);
      const [diagonal, off] = parts();
      moments.show(diagonal);
      products.show(off);
      markers.show(now);
    },
  };
}

/** Creates the fields for size, density and mass of a box, or for the mass alone, which scales the tensor. */
function weightFields(app: App, first: Chosen, latest: () => Chosen) {
  const { figure: { figure }, link: { name: link } } = first;
  const isBox = !!boxOf(first.link);
  let by: Weight = isBox ? "density" : "mass";
  const size = (): Vector => boxOf(latest().link) ?? [0.3, 0.06, 0.06], mass = () => latest().link.mass ?? 0;
  const density = () => mass() / Math.max(size().reduce((a, b) => a * b, 1), 1e-12);
  const resize = (box: Vector): SetLinkSize => ({ figure, link, size: box, ...(by === "density" ? { density: density() } : { mass: mass() }) });
  const box = vectorField(app, { label: "Size", help: "Length (x), height (y) and width (z) of a box that starts at the joint. A new size makes the link such a box.", unit: "m", step: 0.01, min: 0.0001, names: ["length", "height", "width"], check: (value) => ({ kind: "set_link_size", ...resize(value) }), commit: (value) => void app.run("set_link_size", resize(value)) });
  const which = segments<Weight>("Kept when the size changes", [["density", "density", "A new size keeps the density and changes the mass."], ["mass", "mass", "A new size keeps the mass and changes the density."]], (value) => which.show((by = value)));
  const dense = numberField(app, { label: "Density", help: "Makes the link a box of this density.", unit: "kg/m³", min: 0, step: 50, check: (x) => ({ kind: "set_link_size", figure, link, size: size(), density: x }), commit: (x) => app.run("set_link_size", { figure, link, size: size(), density: x }) });
  const heavy = numberField(app, { label: "Mass", help: "Mass; the tensor is scaled in proportion.", unit: "kg", min: 0, step: 0.1, check: (x) => ({ kind: "set_link_inertia", figure, link, mass: x }), commit: (x) => app.run("set_link_inertia", { figure, link, mass: x }) });
  which.show(by);
  const keeps = h("div", { class: "row" }, h("span", { class: "field-label" }, "New size keeps"), which.element);
  return {
    element: isBox ? h("div", null, box.element, keeps, h("div", { class: "two" }, heavy.element, dense.element))
      : h("div", null, heavy.element, h("details", { class: "more" }, h("summary", { help: "This link has other shapes. A size replaces them by a box." }, "Make a box"), box.element, keeps)),
    show: (now: Chosen) => {
      box.show(size());
      heavy.show(now.link.mass ?? 0);
      dense.show(density());
    },
  };
}

function markerFields(app: App, first: Chosen) {
  const { figure: { figure }, link: { name: link } } = first;
  const rows = first.document.marker.filter((own) => own.link === link).map((own) => ({ name: own.name, field: vectorField(app, { label: `Marker ${own.name}`, help: "Position of the marker, in the link's frame.", unit: "m", step: 0.01, commit: (point) => void app.run("set_marker", { figure, name: own.name, link, point }) }) }));
  const name = h("input", { type: "text", placeholder: "marker name", "aria-label": "Name of the new marker", spellcheck: false, help: "Name of a new marker, a named point on the link." });
  const add = () => name.value.trim() && void app.run("set_marker", { figure, name: name.value.trim(), link, point: (boxOf(first.link) ? [boxOf(first.link)![0], 0, 0] : [0, 0, 0]) as Vector });
  return {
    element: h("details", { class: "more" }, h("summary", { help: "Named points on this link." }, `Markers (${rows.length})`), rows.map(({ name: own, field }) => h("div", { class: "row" }, field.element, iconButton(ICONS.close, `Remove marker ${own}`, "Removes this marker.", () => void app.run("remove_marker", { figure, name: own })))), h("div", { class: "row" }, name, button("Add a marker", "Adds a marker at the link's far end.", add, "small"))),
    show: (now: Chosen) => {
      for (const { name: own, field } of rows) field.show((now.document.marker.find((m) => m.name === own)?.point ?? [0, 0, 0]) as Vector);
    },
  };
}
