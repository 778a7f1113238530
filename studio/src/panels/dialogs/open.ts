// The dialog that opens a file from the workspace or this computer, or a sample figure.

import type { App } from "../../app";
import { dialog } from "../../dialog";
import { fill, h, icon } from "../../dom";
import type { Entry } from "../../messages";
import { choiceField, numberField, tickField } from "../fields";
import { openFromDisk, sizeOf, reportOpened } from "../files";
import { button } from "../forms";
import { mayReplace } from "./replace";

const DETAILS = ["standard", "simple27", "simple36", "thesis42", "thesis51", "full"];
const FOLDER = "M3.5 6.500h6l2 2.500h9v10h-17z", FILE = "M6 3.500h8l4 4v13H6zM14 3.500v4h4";

export function openDialog(app: App): void {
  let add = false;
  const beside = tickField({ label: "Add to the project", help: "Keeps the open figures and adds the new one beside them.", commit: (on) => (add = on) });
  beside.show(add);
  const window = dialog("Open", h("div", { class: "open-dialog" },
    h("section", { "aria-label": "Workspace" }, h("h4", null, "Workspace"), workspace(app, () => add, () => window.close())),
    h("section", { "aria-label": "Other sources" },
      h("h4", null, "This computer"), fromDisk(app, () => add, () => window.close()),
      h("h4", null, "Human"), person(app, () => add, () => window.close()),
      h("h4", null, "Samples"), samples(app, () => add, () => window.close()),
      beside.element)));
}

/** Opens something; if it replaces unsaved work, a question comes first. */
async function unlessRefused<T>(app: App, add: boolean, open: () => Promise<T | undefined>): Promise<T | undefined> {
  return add || (await mayReplace(app)) ? open() : undefined;
}

function workspace(app: App, add: () => boolean, done: () => void): HTMLElement {
  const path = h("div", { class: "crumbs" }), list = h("div", { class: "file-list", role: "listbox", "aria-label": "Files" });
  const show = async (folder: string) => {
    const found = await app.run("list_files", { folder });
    if (!found) return;
    const parts = folder.split("/").filter(Boolean);
    fill(path, button("workspace", "Shows the workspace, the folder that the studio reads and writes.", () => void show(""), "quiet small"),
      parts.map((part, i) => ["/", button(part, `Shows the folder ${part}.`, () => void show(parts.slice(0, i + 1).join("/")), "quiet small")]));
    fill(list, found.entries.map((entry) => row(entry, () => {
      const whole = [...parts, entry.name].join("/");
      if (entry.folder) return void show(whole);
      done();
      void unlessRefused(app, add(), () => app.run("open_file", { path: whole, add: add() })).then((opened) => opened && reportOpened(app, entry.name, opened));
    })), !found.entries.length && h("p", { class: "quiet-text" }, "This folder contains no file that the studio can open."));
  };
  void show("");
  return h("div", null, path, list);
}

function row({ name, folder, size }: Entry, onclick: () => void): HTMLElement {
  return h("button", { class: "file-row", type: "button", role: "option", onclick, help: folder ? "Opens this folder." : "Opens this file.", dataset: { file: name } },
    icon(folder ? FOLDER : FILE, false, 16), h("span", { class: "spread" }, name), h("small", { class: "quiet-text" }, folder ? "" : sizeOf(size)));
}

function fromDisk(app: App, add: () => boolean, done: () => void): HTMLElement {
  const endings = app.store.get("welcome")?.opens ?? [];
  const input = h("input", { type: "file", accept: endings.join(","), class: "hidden-file", "aria-label": "A file on this computer" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (!file) return;
    done();
    void unlessRefused(app, add(), () => openFromDisk(app, file, add()));
  });
  return h("div", null, h("div", { class: "row" }, button("Choose a file …", "Opens a figure, motion, script or project from this computer. You can also drop it on the page.", () => input.click()), input),
    h("p", { class: "quiet-text small-text" }, endings.join("  ")));
}

function person(app: App, add: () => boolean, done: () => void): HTMLElement {
  const options: Record<string, unknown> = { height: 1.75, mass: 75, sex: "m", detail: "standard" };
  const height = numberField(app, { label: "Height", help: "Height of the body. Lengths, masses and inertias follow from anthropometric tables.", unit: "m", min: 0.5, max: 2.6, step: 0.01, commit: (x) => (options["height"] = x) });
  const mass = numberField(app, { label: "Body mass", face: "Mass", help: "Mass of the whole body.", unit: "kg", min: 5, max: 300, step: 1, commit: (x) => (options["mass"] = x) });
  const sex = choiceField({ label: "Sex", help: "Sex, which determines the proportions of the body.", choices: [["m", "male"], ["f", "female"]], commit: (x) => (options["sex"] = x) });
  const detail = choiceField({ label: "Detail", help: "Number of links and joints. The walking controller needs 'standard'.",
    choices: DETAILS, commit: (x) => (options["detail"] = x) });
  height.show(1.75);
  mass.show(75);
  sex.show("m");
  detail.show("standard");
  return h("div", { class: "two-columns" }, height.element, mass.element, sex.element, detail.element,
    button("Open this human", "Creates a human with these numbers.", () => {
      done();
      void unlessRefused(app, add(), () => app.run("open_sample", { name: "human", options, add: add() })).then((opened) => opened && reportOpened(app, "a human", opened));
    }, "primary"));
}

function samples(app: App, add: () => boolean, done: () => void): HTMLElement {
  const all = (app.store.get("welcome")?.samples ?? []).filter(({ name }) => name !== "human");
  return h("div", { class: "chips" }, all.map(({ name, words }) => h("button", { type: "button", class: "chip", help: words, dataset: { sample: name }, onclick: () => {
    done();
    void unlessRefused(app, add(), () => app.run("open_sample", { name, add: add() })).then((opened) => opened && reportOpened(app, name.replaceAll("_", " "), opened));
  } }, name.replaceAll("_", " "))));
}
