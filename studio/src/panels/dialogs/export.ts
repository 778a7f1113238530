// The dialog that exports a motion, a figure or the project as a file.

import type { App } from "../../app";
import { dialog } from "../../dialog";
import { fill, h } from "../../dom";
import type { Choice } from "../../messages";
import { type Capture, SIZES } from "../../stage/capture";
import { chosen } from "../chosen";
import { choiceField, numberField, tickField } from "../fields";
import { fetchFile, sizeOf } from "../files";

const TITLES: Record<string, string> = { motion: "The motion", figure: "The figure", project: "The project" };

export function exportDialog(app: App): void {
  const project = app.store.get("project"), welcome = app.store.get("welcome"), now = chosen(app);
  if (!project || !welcome) return;
  let motion = project.shown ?? project.motions[project.motions.length - 1]?.motion ?? null;
  const options: Record<string, Record<string, unknown>> = {};
  const status = h("p", { class: "quiet-text export-status", role: "status" }, "");
  const which = choiceField({ label: "Motion", help: "The motion to export.", choices: project.motions.map((m) => [String(m.motion), `${m.title} · ${m.duration.toFixed(2)} s`] as const), commit: (value) => (motion = Number(value)) });
  if (motion !== null) which.show(String(motion));
  const run = async (choice: Choice, button: HTMLButtonElement) => {
    button.disabled = true;
    status.textContent = `Writing ${choice.name} …`;
    const made = await app.run("export", { format: choice.name, motion: choice.group === "motion" ? motion : null, figure: choice.group === "figure" ? now?.figure.figure ?? null : null, options: options[choice.name] ?? {} });
    button.disabled = false;
    status.textContent = made ? `Downloaded ${made.name} (${sizeOf(made.size)}).` : "";
    if (made) fetchFile(made);
  };
  const card = (choice: Choice) => {
    const able = choice.group === "motion" ? motion !== null : choice.group === "figure" ? !!now : true;
    const button: HTMLButtonElement = h("button", { type: "button", class: "export-card", disabled: !able, dataset: { format: choice.name }, help: able ? `Downloads a ${choice.name} file: ${choice.words}.` : `There is no ${choice.group} to export. Compute or open one first.`, onclick: () => void run(choice, button) },
      h("b", null, choice.name), h("span", { class: "quiet-text" }, choice.words));
    return button;
  };
  const groups = [...new Set(welcome.exports.map(({ group }) => group))];
  const sheet = h("div", { class: "export-dialog" });
  fill(sheet, project.motions.length > 1 && which.element, groups.map((group) => h("section", null, h("h4", null, TITLES[group] ?? group), h("div", { class: "export-cards" }, welcome.exports.filter((choice) => choice.group === group).map(card)))), settings(app, options), stageSection(status), status);
  dialog("Export", sheet);
}

/** Creates the buttons for a picture and a film of the stage as it is shown. */
function stageSection(status: HTMLElement): HTMLElement {
  let size = "as on the screen";
  const sizes = choiceField({ label: "Size of the picture", face: "Size", help: "Size of the picture or film in pixels.", choices: Object.keys(SIZES), commit: (value) => (size = value) });
  sizes.show(size);
  const card = (what: Capture["what"], format: string, words: string) => h("button", { type: "button", class: "export-card", dataset: { stage: what }, help: words, onclick: () => {
    status.textContent = what === "film" ? "Playing the motion once and recording it …" : "Drawing the picture …";
    const detail: Capture = { what, size: SIZES[size] ?? null, done: (name) => (status.textContent = name ? `Downloaded ${name}.` : "") };
    dispatchEvent(new CustomEvent("anthropi:capture", { detail }));
  } }, h("b", null, format), h("span", { class: "quiet-text" }, words));
  return h("section", null, h("h4", null, "The stage, as it is shown"), h("div", { class: "export-cards" }, card("picture", ".png", "Picture with this camera, theme and body"), card("film", ".webm", "Film of the motion, played once")), sizes.element);
}

/** Creates the options of pages and videos. */
function settings(app: App, options: Record<string, Record<string, unknown>>): HTMLElement {
  const set = (formats: string[], key: string, value: unknown) => formats.forEach((format) => (options[format] = { ...options[format], [key]: value }));
  const follow = tickField({ label: "Camera follows the figure", help: "In an exported page, the camera follows the figure. Otherwise it shows the whole motion.", commit: (on) => set([".html"], "follow", on) });
  follow.show(true);
  set([".html"], "follow", true);
  const rate = numberField(app, { label: "Frame rate", face: "Frames/s", help: "Frames per second of a page or a video.", min: 1, max: 1000, empty: "default", commit: (x) => x !== null && set([".html", ".mp4"], "rate", x) });
  rate.show(null);
  if (app.store.get("project")?.shown !== null) set([".png"], "time", app.store.get("time"));
  return h("section", { class: "row wrap" }, follow.element, rate.element);
}
