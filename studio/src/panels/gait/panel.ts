// The gait panel: three levels side by side (words, numbers and determinants, torque profiles).

import type { App } from "../../app";
import { h } from "../../dom";
import { chosen } from "../chosen";
import { button } from "../forms";
import { numbersLevel } from "./numbers";
import { profilesLevel } from "./profiles";
import { wordsLevel } from "./words";

export interface GaitPanel {
  element: HTMLElement;
  tools: HTMLElement[];
}

export function gaitPanel(app: App): GaitPanel {
  const level = (number: string, title: string, words: string, content: HTMLElement) =>
    h("section", { class: "level", "aria-label": title }, h("header", null, h("span", { class: "level-number" }, number), h("h3", null, title), h("small", { class: "quiet-text" }, words)), content);
  const element = h("div", { class: "levels" },
    level("1", "Words", "style and coordination", wordsLevel(app)),
    level("2", "Numbers", "steps and determinants", numbersLevel(app)),
    level("3", "Torques", "profiles over time", profilesLevel(app)));
  const run = () => {
    const now = chosen(app);
    if (now) void app.run("walk", { figure: now.figure.figure });
    else app.notify({ tone: "info", text: "No figure is open. Open a human first." });
  };
  app.shortcut("shift+w", "Walk with the settings of the gait panel", run);
  return { element, tools: [button("Walk", "Computes a walk with these settings and shows it (Shift W).", run, "primary")] };
}
