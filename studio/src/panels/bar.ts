// The bar at the top: file menu, undo and redo, buttons of the panels, name of the project.

import type { App } from "../app";
import { fill, h, icon, iconButton } from "../dom";
import { openGallery } from "../help/gallery";
import { menu } from "../menu";
import { exportDialog } from "./dialogs/export";
import { openDialog } from "./dialogs/open";
import { mayReplace } from "./dialogs/replace";
import { save, saveAs } from "./dialogs/save";
import { openFromDisk } from "./files";
import { button } from "./forms";

const UNDO = "M8 5L4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-3", REDO = "M16 5l4 4l-4 4M20 9H10a5.500 5.500 0 0 0 0 11h3", DOWN = "M7 10l5 5l5-5";

export interface BarActions {
  gait(): void;
  curves(): void;
  studies(): void;
}

export function mountBar(place: HTMLElement, app: App, actions: BarActions): void {
  const { store } = app;
  const undo = iconButton(UNDO, "Undo", "Undoes the last edit (Ctrl Z).", () => void app.run("undo", {}));
  const redo = iconButton(REDO, "Redo", "Redoes the last undone edit (Ctrl Shift Z).", () => void app.run("redo", {}));
  const name = h("button", { type: "button", class: "quiet project-name", help: "Name of the project, and whether it is saved. Click to save it.", onclick: () => void save(app) });
  const file = menu([h("span", null, "File"), icon(DOWN, false, 13)], "File", "Menu: new, open, save, export.", () => [
    { label: "New project", run: () => void mayReplace(app).then((may) => may && app.run("new_project", {})), help: "Opens an empty project." },
    { label: "Walking human", run: () => void mayReplace(app).then((may) => may && app.run("new_project", { walking: true })), help: "Opens a project with a walking human." },
    { label: "Open …", hint: "Ctrl O", run: () => openDialog(app) },
    { label: "Examples …", run: () => openGallery(app) },
    { label: "Save", hint: "Ctrl S", run: () => void save(app) },
    { label: "Save as …", hint: "Ctrl Shift S", run: () => saveAs(app) },
    { label: "Export …", hint: "Ctrl E", run: () => exportDialog(app) },
  ]);
  file.querySelector("button")!.className = "quiet";
  const studies = button("Studies", "Opens the studies of the workspace: sweeps, samples and searches, with their progress and plots (Shift S).", actions.studies, "quiet");
  studies.dataset["studies"] = "";
  fill(place, file,
    button("Open", "Opens a figure, motion, script or project from the workspace or this computer, or a sample (Ctrl O).", () => openDialog(app), "quiet"),
    button("Export", "Exports the motion, the figure or the project: web page, GLB, BVH, tables, pictures, video … (Ctrl E).", () => exportDialog(app), "quiet"),
    undo, redo,
    button("Gait", "Opens the gait panel with three levels: words, numbers, torque profiles (Shift G).", actions.gait, "quiet"),
    button("Curves", "Opens the curve editor for keys and control functions of degrees of freedom (Shift K).", actions.curves, "quiet"),
    studies,
    h("div", { class: "spread" }), name);
  store.on("project", (project) => {
    undo.disabled = !project?.undo;
    redo.disabled = !project?.redo;
    undo.dataset["help"] = project?.undo ? `Undo: ${project.undo} (Ctrl Z).` : "There is nothing to undo.";
    redo.dataset["help"] = project?.redo ? `Redo: ${project.redo} (Ctrl Shift Z).` : "There is nothing to redo.";
    fill(name, h("span", { class: `saved-dot ${project?.saved ? "yes" : ""}` }), project?.name || "no project", h("small", { class: "quiet-text" }, project?.saved ? "saved" : "not saved"));
  }, true);
  app.shortcut("ctrl+z", "Undo", () => void app.run("undo", {}));
  app.shortcut("ctrl+shift+z", "Redo", () => void app.run("redo", {}));
  app.shortcut("ctrl+y", "Redo", () => void app.run("redo", {}));
  app.shortcut("ctrl+s", "Save the project", () => void save(app));
  app.shortcut("ctrl+shift+s", "Save the project under another name", () => saveAs(app));
  app.shortcut("ctrl+o", "Open", () => openDialog(app));
  app.shortcut("ctrl+e", "Export", () => exportDialog(app));
  takeDrops(app);
  offerRecovery(app);
}

/** Opens a file that is dropped on the page. */
function takeDrops(app: App): void {
  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    const add = event.shiftKey;
    void (add ? Promise.resolve(true) : mayReplace(app)).then((may) => void (may && openFromDisk(app, file, add)));
  });
}

/** Offers to recover unsaved work of an earlier session. */
function offerRecovery(app: App): void {
  let asked = false;
  app.store.on("welcome", (welcome) => {
    if (!welcome?.recovered || asked) return;
    asked = true;
    app.notify({ tone: "info", text: `An earlier session ended without saving. ${welcome.recovered}`, action: { label: "Recover", run: () => void app.run("recover", { take: true }) } });
  }, true);
}
