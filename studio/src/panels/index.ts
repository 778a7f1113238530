// Creates all panels when the page starts: commands, figure editor, gait, curves, degrees of freedom, forces, live run.

import type { App } from "../app";
import { fill, h } from "../dom";
import type { Stage } from "../stage/stage";
import { mountBar } from "./bar";
import { FigureEditor } from "./build/editor";
import { keepSelection } from "./chosen";
import { figureList, motionList } from "./commands/lists";
import { commandMenu } from "./commands/menu";
import { worldPanel } from "./commands/world";
import { CurvesPanel } from "./curves/panel";
import { forcesPanel } from "./dofs/forces";
import { livePanel } from "./dofs/live";
import { dofWindow } from "./dofs/window";
import { segments } from "./fields";
import { gaitPanel } from "./gait/panel";
import { explainPanels } from "./help";
import { StudiesPage } from "../studies/page";
import { Sheet } from "./sheet";

/** The places for panels: the left column, the right column, the bar at the top and a layer for dialogs. */
export interface Places {
  left: HTMLElement;
  right: HTMLElement;
  bar: HTMLElement;
  dialogs: HTMLElement;
}

type Tab = "dofs" | "forces" | "live";

export function mountPanels(places: Places, app: App, stage: Stage | null): void {
  keepSelection(app);
  const shell = places.dialogs.parentElement!, sheet = new Sheet(shell), editor = new FigureEditor(app, shell);
  const curves = new CurvesPanel(app), gait = gaitPanel(app);
  const openGait = () => sheet.toggle("Gait", gait.element, gait.tools), openCurves = () => sheet.toggle("Curves", curves.element);
  const studies = new StudiesPage(app, shell), openStudies = () => studies.toggle();
  const tabs = rightTabs(app, places.right, (dof, what) => {
    curves.of(dof, what);
    sheet.show("Curves", curves.element);
  });
  const menu = commandMenu(app, stage, { build: () => editor.open(), dofs: () => unfold(shell, places.right, () => tabs.show("dofs")) });
  fill(places.left, h("div", { class: "commands-panel" }, menu, figureList(app, (fresh) => (fresh ? void editor.fresh() : editor.open())), motionList(app), worldPanel(app)), editor.element);
  mountBar(places.bar, app, { gait: openGait, curves: openCurves, studies: openStudies });
  app.shortcut("shift+g", "Gait: three levels", openGait);
  app.shortcut("shift+s", "Studies: progress and plots", openStudies);
  app.shortcut("shift+k", "Curves: keys and control functions", openCurves);
  explainPanels(app);
}

function rightTabs(app: App, place: HTMLElement, showCurve: (dof: string, what: "keys" | "control") => void): { show(tab: Tab): void } {
  const pages: Record<Tab, HTMLElement> = { dofs: dofWindow(app, showCurve), forces: forcesPanel(app), live: livePanel(app) };
  const show = (tab: Tab) => {
    choice.show(tab);
    for (const [name, page] of Object.entries(pages)) page.hidden = name !== tab;
  };
  const choice = segments<Tab>("Right panel", [["dofs", "Joints", "Degrees of freedom of the joints: sliders within limits, rotation order, locks, springs, drives."], ["forces", "Forces", "Forces and moments on links."], ["live", "Live", "The live run: start, speed, style, direction, ground, pushes, numbers."]], show);
  choice.element.classList.add("tabs");
  fill(place, choice.element, Object.values(pages));
  show("dofs");
  const off = app.store.on("run", (run) => {
    if (!run || run.state === "stopped") return;
    off();
    show("live"); // the first live run opens its controls
  });
  return { show };
}

/** Unfolds the right column if necessary, then shows a panel in it. */
function unfold(shell: HTMLElement, place: HTMLElement, then: () => void): void {
  if (shell.classList.contains("no-right")) place.parentElement?.querySelector<HTMLButtonElement>(".fold button")?.click();
  then();
  place.querySelector<HTMLElement>("select, input")?.focus();
}
