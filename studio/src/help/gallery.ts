// The gallery of examples and sample figures, which the server lists.

import type { App } from "../app";
import { fetchOwn } from "../connection";
import { dialog } from "../dialog";
import { h, icon } from "../dom";
import { ICONS } from "../icons";
import type { Choice } from "../messages";
import { mayReplace } from "../panels/dialogs/replace";

export function openGallery(app: App): void {
  const welcome = app.store.get("welcome");
  if (!welcome) return app.notify({ tone: "info", text: "The examples cannot be listed, because the page is not connected to the server yet. Wait a moment and try again." });
  const cards = (choices: Choice[], run: (name: string) => Promise<unknown>) => h("div", { class: "cards" }, choices.map(({ name, words }) =>
    h("button", { class: "card", type: "button", dataset: { example: name }, onclick: () => {
      window.close();
      void mayReplace(app).then((may) => may && run(name));
    } }, h("span", { class: "card-picture", dataset: { picture: name } }, icon(pictureOf(name, words), false, 30)), h("b", null, titled(name)), h("span", { class: "quiet-text" }, words))));
  const groups = (choices: Choice[]) => [...new Set(choices.map(({ group }) => group))].map((group) => ({ group, own: choices.filter((c) => c.group === group) }));
  const window = dialog("Examples", h("div", { class: "gallery" },
    groups(welcome.examples).map(({ group, own }) => h("section", null, h("h4", null, group || "Ready to run"), cards(own, (name) => app.run("open_example", { name })))),
    welcome.samples.length > 0 && groups(welcome.samples).map(({ group, own }) => h("section", null, h("h4", null, group || "Figures"), cards(own, (name) => app.run("open_sample", { name }))))));
  void showPictures(app, window);
}

let sheets: { columns: number; names: string[]; dark: string; light: string } | null = null;

/** Shows pictures of the examples in place of their icons. They are drawn by tools/thumbnails.py, all on one sheet for each theme. */
async function showPictures(app: App, window: HTMLElement): Promise<void> {
  const file = async (name: string) => {
    const answer = await fetchOwn(`/gallery/${name}`);
    if (!answer.ok) throw new Error(name);
    return answer;
  };
  try {
    sheets ??= { ...(await (await file("names.json")).json()), dark: "", light: "" } as NonNullable<typeof sheets>;
    const theme = app.store.get("theme");
    sheets[theme] ||= URL.createObjectURL(await (await file(`${theme}.webp`)).blob());
    const { columns, names } = sheets, rows = Math.ceil(names.length / columns);
    for (const place of window.querySelectorAll<HTMLElement>("[data-picture]")) {
      const k = names.indexOf(place.dataset["picture"]!);
      if (k < 0) continue;
      place.replaceChildren();
      Object.assign(place.style, { backgroundImage: `url(${sheets[theme]})`, backgroundSize: `${100 * columns}% ${100 * rows}%`, backgroundPosition: `${(100 * (k % columns)) / Math.max(columns - 1, 1)}% ${(100 * Math.floor(k / columns)) / Math.max(rows - 1, 1)}%` });
      place.classList.add("drawn");
    }
  } catch {
    return; // the icons stay
  }
}

function titled(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Finds a picture by the name of an example, or otherwise by its description. */
function pictureOf(name: string, words: string): string {
  const found = (text: string) => PICTURES.find(([about]) => about.test(text.toLowerCase()))?.[1];
  return found(name) ?? found(words) ?? ICONS.volume;
}

const HEAD = (x: number, y: number) => `M${x} ${y}m-1.800 0a1.800 1.800 0 1 0 3.600 0a1.800 1.800 0 1 0-3.600 0`;

const PICTURES: [RegExp, string][] = [
  [/fall/, `${HEAD(18.5, 12)}M16.800 12.800L9.500 15.500L4 13.500M9.500 15.500L5 19.500M15 13.500L16 18.500M2.500 21h19`],
  [/push|force|hit/, `${HEAD(13.5, 4.5)}M13 6.500L14.500 13L11.500 20.500M14.500 13L18 20M13.300 8.500L17.500 11M2.500 9h6.500M6.500 6.500L9 9L6.500 11.500`],
  [/box|obstacle/, `${HEAD(7, 5)}M7 7v6.500L4.500 20.500M7 13.500L9.500 20.500M4 11L7 8.500L10 11M13.500 15h7v5.500h-7zM15 11h4.500v4H15z`],
  [/live|drag/, `${HEAD(12, 4.5)}M12 6.500L11.500 13.500L8 20.500M11.500 13.500L14.500 17L14 21M12 8.500L8.500 11.500M12 8.500L18 7M18 7l3.500-2M20 3.500l1.500 1.500L20 7`],
  [/tired|slow/, `${HEAD(15.5, 6.5)}M14 8L11 14.500L9.500 20.500M11 14.500L14 17.500L13.500 21M13.500 9L14.500 14.500`],
  [/word|script/, `${HEAD(7.5, 8)}M7.500 10v5L5 21M7.500 15L10 21M4.500 13.500L7.500 11.500L10.500 13.500M12 3h9v6.500h-5.500L13 12V9.500h-1zM14 6.200h5`],
  [/plan|hidds|thesis/, `${HEAD(8.5, 4.5)}M8.500 6.500L8 13.500L5 20.500M8 13.500L11 20.500M5.500 10.500L8.500 8.500L11.500 11M14 20.500h2.500M18.500 20.500H21M14 6c2 0 2 6 3.500 6S19 9 21 9`],
  [/wav|key/, `${HEAD(12, 5)}M12 7v6.500L9 20.500M12 13.500L15 20.500M12 9L8 12M12 9l4-1.500L18.500 3M20.500 3.500c.8 1 .8 2 .2 3`],
  [/pendul|chain|swing/, "M5 4h14M12 4l4.500 7.500L13 18M13 18m-2.200 0a2.200 2.200 0 1 0 4.400 0a2.200 2.200 0 1 0-4.400 0M16.500 11.500v.1"],
  [/terrain|rough|stairs|hill|slope/, "M3 18l5-7l4 4l4-8l5 11z"],
  [/hopper|jump|run/, "M12 3v5M9 8h6l-5 3h5l-5 3h5l-5 3M12 17v4M7 21h10"],
  [/roach|insect|six/, "M5 12h14M8 12L5 6M12 12V5M16 12l3-6M8 12l-3 6M12 12v7M16 12l3 6"],
  [/arm|robot/, "M5 20h6M8 20v-6l6-5l4 3M14 9m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0"],
  [/walk|human|person|gait/, `${HEAD(12.5, 4.5)}M12.500 6.500L12 13.500L8 20.500M12 13.500L15 17L14.500 21M12.500 8.500L9 12.500M12.500 8.500L16 12`],
];
