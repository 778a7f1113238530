// Examples to begin with: sample figures and ready scenes, as the server lists them.

import type { App } from "../app";
import { dialog } from "../dialog";
import { h, icon } from "../dom";
import { ICONS } from "../icons";
import type { Choice } from "../messages";

export function openGallery(app: App): void {
  const welcome = app.store.get("welcome");
  if (!welcome) return app.notify({ tone: "info", text: "The examples come from the server, which is not connected yet." });
  const cards = (choices: Choice[], run: (name: string) => Promise<unknown>) => h("div", { class: "cards" }, choices.map(({ name, words }) =>
    h("button", { class: "card", type: "button", dataset: { example: name }, onclick: () => {
      window.close();
      void run(name);
    } }, h("span", { class: "card-picture" }, icon(pictureOf(name, words), false, 30)), h("b", null, titled(name)), h("span", { class: "quiet-text" }, words))));
  const groups = (choices: Choice[]) => [...new Set(choices.map(({ group }) => group))].map((group) => ({ group, own: choices.filter((c) => c.group === group) }));
  const window = dialog("Examples", h("div", { class: "gallery" },
    groups(welcome.examples).map(({ group, own }) => h("section", null, h("h4", null, group || "Ready to run"), cards(own, (name) => app.run("open_example", { name })))),
    welcome.samples.length > 0 && groups(welcome.samples).map(({ group, own }) => h("section", null, h("h4", null, group || "Figures"), cards(own, (name) => app.run("open_sample", { name }))))));
}

function titled(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A picture by what the words are about. */
function pictureOf(name: string, words: string): string {
  const all = `${name} ${words}`.toLowerCase();
  if (/walk|run|human|person|gait/.test(all)) return ICONS.stick;
  if (/pendul|chain|swing/.test(all)) return "M5 4h14M12 4l5 11M17 15m-2.200 0a2.200 2.200 0 1 0 4.400 0a2.200 2.200 0 1 0-4.400 0M12 4l-3 8";
  if (/push|blow|hit/.test(all)) return ICONS.blow;
  if (/terrain|rough|stairs|hill|slope/.test(all)) return "M3 18l5-7l4 4l4-8l5 11z";
  if (/hopper|jump/.test(all)) return "M12 3v5M9 8h6l-5 3h5l-5 3h5l-5 3M12 17v4M7 21h10";
  if (/roach|insect|leg/.test(all)) return "M5 12h14M8 12L5 6M12 12V5M16 12l3-6M8 12l-3 6M12 12v7M16 12l3 6";
  if (/arm|robot/.test(all)) return "M5 20h6M8 20v-6l6-5l4 3M14 9m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0";
  return ICONS.volume;
}
