// Forces and moments on links.

import type { App } from "../../app";
import { fill, h, iconButton } from "../../dom";
import { ICONS } from "../../icons";
import type { Force } from "../../messages";
import { type Chosen, chosen, onChosen } from "../chosen";
import type { Vector } from "../document";
import { choiceField, numberField, plain, segments, sliderField, tickField } from "../fields";
import { button, keep, vectorField } from "../forms";

type Direction = "x" | "y" | "z";

export function forcesPanel(app: App): HTMLElement {
  const form = h("div"), list = h("div", { class: "forces-list" });
  const showForm = keep<Chosen | null>(form, (now) => (now ? JSON.stringify([now.figure.figure, now.document.link.map(({ name }) => name)]) : ""), (now) => (now ? newForce(app, now) : { element: h("p", { class: "quiet-text" }, "Open or build a figure first."), show: () => undefined }));
  onChosen(app, showForm);
  const showList = keep<readonly Force[]>(list, (forces) => JSON.stringify(forces.map(({ force, link, axes, moment }) => [force, link, axes, moment])), (forces) => {
    const rows = forces.map((force) => forceRow(app, force));
    return { element: h("div", null, rows.map(({ element }) => element), !forces.length && h("p", { class: "quiet-text" }, "There are no forces yet. A force acts at once in a live run, and in motions that are computed afterwards.")), show: (now) => rows.forEach((row, i) => row.show(now[i]!)) };
  });
  app.store.on("project", (project) => showList(project?.forces ?? []), true);
  return h("div", { class: "forces-panel" }, h("h3", null, "Apply a force"), form, h("h3", null, "Forces"), list);
}

function newForce(app: App, first: Chosen) {
  let link = "", direction: Direction = "x", size = 45, axes: Force["axes"] = "world", moment = false, start = 0, end: number | null = null, point: Vector = [0, 0, 0], number = -1;
  const which = choiceField({ label: "Force applied on link", help: "The link that the force acts on. You can also click a link on the stage.", choices: first.document.link.map(({ name }) => name), commit: (value) => take(value) });
  const amount = numberField(app, { label: "Size of the force", face: "Size", help: "Size of the force. A negative size reverses its direction.", unit: "N", step: 5, commit: (x) => (size = x ?? size) });
  const along = segments<Direction>("Direction of the applied force", [["x", "X", "Along x: forwards."], ["y", "Y", "Along y: to the left."], ["z", "Z", "Along z: upwards."]], (value) => along.show((direction = value)));
  const whose = choiceField({ label: "Axes", help: "The axes of the direction: those of the world, or those of the link, which rotate with it.", choices: [["world", "the world's"], ["link", "the link's"]], commit: (value) => (axes = value as Force["axes"]) });
  const turns = tickField({ label: "A moment", help: "A moment [N m] instead of a force.", commit: (on) => (moment = on) });
  const from = numberField(app, { label: "From", help: "Start time.", unit: "s", min: 0, step: 0.1, commit: (x) => (start = x ?? 0) });
  const to = numberField(app, { label: "To", help: "End time. Leave it empty for a force without end.", unit: "s", min: 0, step: 0.1, empty: "no end", commit: (x) => (end = x) });
  const where = vectorField(app, { label: "Point", help: "Point of application, in the link's frame, whose origin is at its joint. By default the centre of mass.", unit: "m", step: 0.01, commit: (value) => (point = value) });
  amount.show(size);
  along.show(direction);
  whose.show(axes);
  from.show(start);
  to.show(end);
  where.show(point);
  /** Chooses a link. The force then acts at its centre of mass. */
  const take = (name: string) => {
    const centre = chosen(app)?.document.link.find((own) => own.name === name)?.centre;
    link = name;
    where.show((point = [...(centre ?? [0, 0, 0])] as Vector));
  };
  const apply = () => {
    const now = chosen(app), vector: Vector = [0, 0, 0];
    if (!now) return;
    vector["xyz".indexOf(direction)] = size;
    void app.run("apply_force", { figure: now.figure.figure, link: link || now.link.name, vector, axes, point, moment, start, end });
  };
  return {
    element: h("div", null, which.element, amount.element, h("div", { class: "row wrap" }, h("span", { class: "field-label" }, "Direction"), along.element, turns.element),
      h("details", { class: "more" }, h("summary", { help: "Axes, times and point of application." }, "More"), whose.element, h("div", { class: "two" }, from.element, to.element), where.element), button("Apply", "Adds the force. It acts in live runs and in motions that are computed afterwards.", apply, "primary wide", "Apply the force")),
    show: (now: Chosen | null) => {
      if (!now) return;
      if (number !== now.number || !link) take(now.link.name);
      number = now.number;
      which.show(link);
    },
  };
}

function forceRow(app: App, first: Force) {
  const { force, link, moment } = first, unit = moment ? "N m" : "N", words = h("span", { class: "spread" });
  let base: Vector = first.vector;
  const sized = (size: number): Vector => {
    const length = Math.hypot(...base) || 1;
    return base.map((x) => (x / length) * size) as Vector;
  };
  const slider = sliderField({ label: `Size of the force on ${link}`, help: "Size of the force; a change acts at once in a live run.", step: 1, move: (value, done) => (done ? void app.run("change_force", { force, vector: sized(value), done }) : app.connection.post("change_force", { force, vector: sized(value), done })) });
  const size = numberField(app, { label: `Force on ${link}`, face: "", help: "Size of the force.", unit, step: 5, commit: (x) => x !== null && void app.run("change_force", { force, vector: sized(x) }) });
  const element = h("div", { class: "force-row" }, h("div", { class: "row" }, words, iconButton(ICONS.close, `Remove the force on ${link}`, "Removes this force.", () => void app.run("remove_force", { force }))), h("div", { class: "slider-row" }, slider.element, size.element));
  return {
    element,
    show: (now: Force) => {
      const length = Math.hypot(...now.vector);
      if (length > 0) base = now.vector;
      const along = now.vector.map((x, i) => (Math.abs(x) > 1e-9 ? `${x < 0 ? "−" : "+"}${"xyz"[i]}` : "")).join(" ");
      fill(words, h("b", null, link), ` ${moment ? "moment" : "force"} ${along}${now.axes === "link" ? " of the link" : ""}`, h("small", { class: "quiet-text" }, ` ${now.start > 0 || now.end !== null ? `${now.start}–${now.end ?? "…"} s` : "always"}${moment ? "" : `, at ${now.point.map((x) => plain(x, 3)).join(", ")} m`}`));
      slider.bounds(0, Math.max(500, 2 * length));
      slider.show(length);
      size.show(length);
    },
  };
}
