// Asks before unsaved work is replaced by another project.

import type { App } from "../../app";
import { dialog } from "../../dialog";
import { h } from "../../dom";
import { button } from "../forms";
import { saveAs } from "./save";

/** Returns whether the open project may be replaced: at once if it contains no unsaved work, otherwise after a question. */
export function mayReplace(app: App): Promise<boolean> {
  const project = app.store.get("project");
  if (!project?.touched) return Promise.resolve(true);
  return new Promise((resolve) => {
    let answer = false;
    const close = (replace: boolean) => ((answer = replace), window.close());
    const saveFirst = async () => {
      if (!project.path) return close(false), saveAs(app);
      close((await app.run("save_project", {})) !== undefined);
    };
    const window = dialog("Replace the open project?", h("div", { class: "save-dialog" },
      h("p", null, `'${project.name}' has changes that are not saved.`),
      h("div", { class: "row" }, button("Cancel", "Keeps the open project.", () => close(false)), h("div", { class: "spread" }), button("Save first", project.path ? "Saves the project, then opens the other one." : "Asks for a name and saves the project. Then open the other one again.", () => void saveFirst()), button("Replace", "Opens the other project. Undo restores this one.", () => close(true), "primary"))));
    window.addEventListener("close", () => resolve(answer));
  });
}
