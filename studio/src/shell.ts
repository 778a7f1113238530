// The layout of the page: bar on top, commands on the left, the stage, degrees of freedom on the right, timeline and plots below.

import type { App } from "./app";
import { h, icon, iconButton } from "./dom";
import { remember, remembered } from "./theme";

export interface Shell {
  root: HTMLElement;
  bar: HTMLElement;
  tools: HTMLElement;
  left: HTMLElement;
  stage: HTMLElement;
  right: HTMLElement;
  timeline: HTMLElement;
  plots: HTMLElement;
  dialogs: HTMLElement;
  status: HTMLElement;
  /** Folds or unfolds a side: "left", "right" or "below". */
  fold(side: Side, folded?: boolean): void;
}

export type Side = "left" | "right" | "below";

const KEY = "anthropi.folded";

export function makeShell(app: App): Shell {
  const player = app.store.get("mode") === "player";
  const bar = h("div", { class: "bar-panels" });
  const tools = h("div", { class: "bar-tools" });
  const left = h("div", { class: "column-content" });
  const right = h("div", { class: "column-content" });
  const stage = h("main", { class: "stage", "aria-label": "Stage" });
  const timeline = h("div", { class: "timeline-place" });
  const plots = h("div", { class: "plots-place" });
  const dialogs = h("div", { class: "dialogs" });
  const status = h("div", { class: "status", role: "status", hidden: true });
  const root = h("div", { class: `shell${player ? " player" : ""}` });
  const narrow = matchMedia("(max-width: 760px)").matches; // there is no room for columns and plots beside the stage
  const fold = (side: Side, folded = !root.classList.contains(`no-${side}`)) => {
    root.classList.toggle(`no-${side}`, folded);
    if (!narrow) remember(KEY, (["left", "right", "below"] as Side[]).filter((s) => root.classList.contains(`no-${s}`)).join(" "));
    dispatchEvent(new Event("resize"));
  };
  const side = (name: Side, label: string, place: HTMLElement, path: string) =>
    h("aside", { class: `column ${name}`, "aria-label": label }, place,
      h("div", { class: "fold" }, iconButton(path, `Fold ${label.toLowerCase()}`, `Fold or unfold: ${label.toLowerCase()}.`, () => fold(name))));
  root.append(
    h("header", { class: "bar" }, h("div", { class: "brand", "aria-label": "AnthroPI" }, icon("M12 3.2a1.9 1.9 0 1 1 0 3.8a1.9 1.9 0 0 1 0-3.8M12 7.5v6M6.5 10.5l5.5-2.2l5.5 2.2M12 13.5l-3.6 7M12 13.5l3.6 7", false, 22), h("span", null, "AnthroPI")), bar, tools),
    ...(player ? [] : [side("left", "Commands", left, "M14 6l-6 6l6 6"), side("right", "Degrees of freedom", right, "M10 6l6 6l-6 6")]),
    stage,
    h("section", { class: "below", "aria-label": "Timeline and plots" }, timeline, plots),
    status,
    dialogs,
  );
  for (const name of (narrow ? "left right below" : remembered(KEY) ?? "").split(" ")) if (name) root.classList.add(`no-${name}`);
  if (!player) {
    app.shortcut("[", "Fold or unfold the commands", () => fold("left"));
    app.shortcut("]", "Fold or unfold the degrees of freedom", () => fold("right"));
  }
  app.shortcut("\\", "Fold or unfold the plots", () => fold("below"));
  return { root, bar, tools, left, stage, right, timeline, plots, dialogs, status, fold };
}
