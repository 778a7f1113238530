// The tree of links. A click chooses a link, a drag changes its parent, Delete removes it, F2 renames it, + adds a child.

import type { App } from "../../app";
import { fill, h } from "../../dom";
import { type Chosen, chooseLink, chosen } from "../chosen";
import { isInSubtree, treeOf } from "../document";

export function linkTree(app: App) {
  const element = h("div", { class: "tree", role: "tree", "aria-label": "Links", tabIndex: -1, dataset: { tip: "none" }, help: "Arrow keys move from link to link. Delete removes the chosen link, F2 renames it, + adds a child. Drag a link onto another to change its parent." });
  let dragged = "";
  const rename = () => document.querySelector<HTMLInputElement>("[data-at='Name of the link']")?.select();
  element.addEventListener("keydown", (event) => {
    const now = chosen(app), rows = [...element.querySelectorAll<HTMLElement>("[role='treeitem']")], at = rows.indexOf(document.activeElement as HTMLElement);
    if (!now || at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) {
      const row = rows[Math.min(Math.max(to, 0), rows.length - 1)]!;
      row.focus();
      chooseLink(app, now.figure, row.dataset["link"]!);
    } else if (event.key === "Delete") void app.run("remove_link", { figure: now.figure.figure, link: now.link.name });
    else if (event.key === "F2") rename();
    else if (event.key === "+" || event.key === "Insert") document.querySelector<HTMLInputElement>("[data-at='Name of the new link']")?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const show = (now: Chosen) => {
    const focused = element.contains(document.activeElement);
    fill(element, treeOf(now.document).map(({ name, depth, joint }) => {
      const on = name === now.link.name;
      const row = h("div", { class: `tree-row${on ? " on" : ""}`, role: "treeitem", "aria-selected": String(on), "aria-level": depth + 1, tabIndex: on ? 0 : -1, draggable: depth > 0, dataset: { link: name }, style: { paddingLeft: `${8 + 14 * Math.min(depth, 10)}px` } },
        h("span", { class: "tree-name" }, name), h("small", { class: "quiet-text" }, depth || joint.type !== "weld" ? joint.type : "fixed to the world"));
      row.addEventListener("click", () => {
        const latest = chosen(app);
        if (latest) chooseLink(app, latest.figure, name);
      });
      row.addEventListener("dblclick", rename);
      row.addEventListener("dragstart", (event) => ((dragged = name), event.dataTransfer?.setData("text/plain", name)));
      row.addEventListener("dragover", (event) => {
        if (!dragged || isInSubtree(now.document, name, dragged)) return;
        event.preventDefault();
        row.classList.add("target");
      });
      row.addEventListener("dragleave", () => row.classList.remove("target"));
      row.addEventListener("drop", (event) => {
        event.preventDefault();
        event.stopPropagation();
        row.classList.remove("target");
        if (dragged && dragged !== name) void app.run("reparent_link", { figure: now.figure.figure, link: dragged, parent: name, keep_place: true });
        dragged = "";
      });
      return row;
    }));
    if (focused) element.querySelector<HTMLElement>(".on")?.focus({ preventScroll: true });
  };
  return { element, show };
}
