// The dialogs that save the project or a figure, in the workspace or as a download.

import type { App } from "../../app";
import { CommandError } from "../../connection";
import { dialog } from "../../dialog";
import { h } from "../../dom";
import { fetchFile } from "../files";
import { button } from "../forms";

const EXTENSION = ".anthropi";

/** Saves the project in its present file. If it has none, a dialog asks for a name. */
export async function save(app: App): Promise<void> {
  const project = app.store.get("project");
  if (!project) return;
  if (!project.path) return saveAs(app);
  const saved = await app.run("save_project", {});
  if (!saved) return saveAs(app); // for example because another studio has changed the file
  app.notify({ tone: "good", text: `Saved ${saved.path}.` });
}

export function saveAs(app: App): void {
  const project = app.store.get("project");
  if (!project) return;
  nameDialog("Save the project", project.path || `${fileName(project.name) || "project"}${EXTENSION}`, "The file contains the whole project: figures, motions, keys, curves, forces, world and camera.",
    async (path, replace) => {
      const saved = await app.connection.send("save_project", { path, replace });
      app.notify({ tone: "good", text: `Saved ${saved.path}.` });
    }, [button("Download", "Downloads the project instead of saving it in the workspace.", () => void app.run("export", { format: EXTENSION }).then((made) => made && fetchFile(made)))]);
}

export function saveFigure(app: App, figure: number, name: string): void {
  nameDialog("Save the figure", `${fileName(name) || "figure"}.toml`, "The extension of the name chooses the format: .toml is complete; .urdf and .xml (MJCF) are for other programs.",
    async (path, replace) => {
      const saved = await app.connection.send("save_figure", { figure, path, replace });
      app.notify({ tone: "good", text: `Saved ${saved.path}.` });
    }, [".toml", ".urdf", ".xml"].map((format) => button(`Download ${format}`, `Downloads the figure as ${format}.`, () => void app.run("export", { format, figure }).then((made) => made && fetchFile(made)), "small")));
}

function nameDialog(title: string, first: string, words: string, write: (path: string, replace: boolean) => Promise<void>, others: HTMLElement[]): void {
  const input = h("input", { type: "text", value: first, "aria-label": "Name in the workspace", spellcheck: false, help: "Path of the file, relative to the workspace." });
  const wrong = h("p", { class: "field-error", role: "alert", hidden: true });
  const replace = h("button", { type: "button", class: "danger", hidden: true, help: "Replaces the existing file.", onclick: () => void go(true) }, "Replace");
  const go = async (over: boolean) => {
    try {
      await write(input.value.trim(), over);
      window.close();
    } catch (error) {
      wrong.textContent = (error as Error).message;
      wrong.hidden = false;
      replace.hidden = !(error instanceof CommandError && /already/.test(error.message));
    }
  };
  const form = h("form", { class: "save-dialog", onsubmit: (event: SubmitEvent) => (event.preventDefault(), void go(false)) },
    h("label", { class: "field" }, h("span", { class: "field-label" }, "Name"), input), wrong, h("p", { class: "quiet-text" }, words),
    h("div", { class: "row" }, others, h("div", { class: "spread" }), replace, h("button", { class: "primary", type: "submit", help: "Saves the file." }, "Save")));
  const window = dialog(title, form);
  input.focus();
  input.setSelectionRange(0, Math.max(0, first.lastIndexOf(".")));
}

/** Converts a name to a valid file name. */
export function fileName(name: string): string {
  return name.trim().toLowerCase().replace(/[^a-z0-9._-]+/g, "_").replace(/^[._]+|_+$/g, "");
}
