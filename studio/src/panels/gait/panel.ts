// The gait panel: three levels side by side. Words; numbers and determinants; torque profiles.

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
    else app.notify({ tone: "info", text: "Open a person first: only figures with legs walk." });
  };
  app.shortcut("shift+w", "Walk as the gait panel says", run);
  return { element, tools: [button("Walk", "Walks as the three levels say, and shows the motion (Shift W).", run, "primary")] };
}
