// The lists of figures and motions.

import type { App } from "../../app";
import { fill, h, iconButton } from "../../dom";
import { ICONS } from "../../icons";
import type { FigureSummary, MotionView } from "../../messages";
import { chooseFigure, onChosen } from "../chosen";
import { saveFigure } from "../dialogs/save";
import { button, section } from "../forms";

const SAVE = "M12 4v11M8 11l4 4l4-4M5 19h14", BIN = "M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13";

export function figureList(app: App, build: (fresh: boolean) => void): HTMLElement {
  const list = h("div", { class: "list", role: "listbox", "aria-label": "Figures" });
  onChosen(app, (now) => {
    const figures = app.store.get("project")?.figures ?? [];
    fill(list, figures.map((figure) => figureRow(app, figure, now?.figure.figure === figure.figure)), !figures.length && h("p", { class: "quiet-text" }, "No figure is open. Build one, open a file, or choose an example."));
  });
  return section("Figures", "The figures of the project. Commands act on the chosen figure.", true, list,
    h("div", { class: "row" }, button("New figure", "Creates a figure of one link.", () => build(true), "small")));
}

function figureRow(app: App, { figure, name, links, dofs }: FigureSummary, on: boolean): HTMLElement {
  return h("div", { class: `list-row${on ? " on" : ""}` },
    h("button", { type: "button", class: "list-face", role: "option", "aria-selected": String(on), help: "Chooses this figure.", dataset: { figure: String(figure) }, onclick: () => chooseFigure(app, figure) },
      h("span", null, name), h("small", { class: "quiet-text" }, `${links} link${links === 1 ? "" : "s"}, ${dofs} dof`)),
    iconButton(SAVE, `Save ${name}`, "Saves this figure as figure.toml, URDF or MJCF.", () => saveFigure(app, figure, name)),
    iconButton(BIN, `Remove ${name}`, "Removes this figure from the project.", () => void app.run("remove_figure", { figure })));
}

export function motionList(app: App): HTMLElement {
  const list = h("div", { class: "list", role: "listbox", "aria-label": "Motions" });
  app.store.on("project", (project) => {
    const motions = project?.motions ?? [];
    fill(list, motions.length > 0 && stillRow(app, project!.shown === null), [...motions].reverse().map((motion) => motionRow(app, motion, project!.shown === motion.motion)),
      !motions.length && h("p", { class: "quiet-text" }, "Computed and opened motions appear here."));
  }, true);
  return section("Motions", "The motions of the project. Choose the motion to show.", true, list);
}

function stillRow(app: App, on: boolean): HTMLElement {
  return h("div", { class: `list-row${on ? " on" : ""}` }, h("button", { type: "button", class: "list-face", role: "option", "aria-selected": String(on), help: "Shows the figures in their initial pose, which can be edited.", dataset: { motion: "none" }, onclick: () => void app.run("show_motion", { motion: null }) }, h("span", null, "Initial pose")));
}

function motionRow(app: App, { motion, title, duration, frames, kind }: MotionView, on: boolean): HTMLElement {
  return h("div", { class: `list-row${on ? " on" : ""}` },
    h("button", { type: "button", class: "list-face", role: "option", "aria-selected": String(on), help: "Shows this motion.", dataset: { motion: String(motion), kind }, onclick: () => void app.run("show_motion", { motion }) },
      h("span", null, title), h("small", { class: "quiet-text" }, `${duration.toFixed(2)} s, ${frames} frames`)),
    iconButton(ICONS.close, `Remove ${title}`, "Removes this motion.", () => void app.run("remove_motion", { motion })));
}
