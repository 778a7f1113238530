// Build Structure: the figure editor. It replaces the left column while it is open.

import type { App } from "../../app";
import { fill, h } from "../../dom";
import { type Chosen, chooseFigure, chosen, onChosen } from "../chosen";
import { saveFigure } from "../dialogs/save";
import { choiceField, segments, textField } from "../fields";
import { button, keep } from "../forms";
import { addLinkForm } from "./add";
import { jointForm } from "./joint";
import { linkForm } from "./link";
import { connectivityTable } from "./table";
import { textPanel } from "./text";
import { linkTree } from "./tree";

type Page = "tree" | "table" | "text";

export class FigureEditor {
  readonly element = h("section", { class: "editor", "aria-label": "Build Structure", hidden: true });
  private page: Page = "tree";

  constructor(private readonly app: App, private readonly shell: HTMLElement) {
    const head = h("div"), body = h("div", { class: "editor-body" }), foot = h("p", { class: "quiet-text editor-foot", role: "status" });
    const pages = segments<Page>("Show the structure as", [["tree", "Tree", "The links as a tree. Drag a link onto another to change its parent. Delete removes the chosen link, F2 renames it, + adds a child."], ["table", "Table", "The connectivity table, joints × links. Click an empty cell to change the parent of the joint's link."], ["text", "Text", "The figure.toml as text."]], (value) => {
      this.page = value;
      pages.show(value);
      showBody(chosen(app));
    });
    pages.show(this.page);
    const showHead = keep<Chosen | null>(head, (now) => JSON.stringify([now?.figure.figure, now?.project.figures.map(({ figure, name }) => [figure, name])]), (now) => this.head(now));
    const showBody = keep<Chosen | null>(body, (now) => `${this.page} ${now?.figure.figure ?? ""}`, (now) => (now ? this.body(now) : empty(app)));
    fill(this.element, h("header", { class: "editor-head" }, h("h2", null, "Build Structure"), pages.element, h("div", { class: "spread" }), button("Done", "Closes the editor (Esc).", () => this.open(false), "primary")), head, body, foot);
    onChosen(app, (now) => {
      if (this.element.hidden) return;
      showHead(now);
      showBody(now);
      fill(foot, now ? [`${now.document.link.length} ${now.document.link.length === 1 ? "link" : "links"}, ${now.figure.dofs.length} ${now.figure.dofs.length === 1 ? "degree" : "degrees"} of freedom, ${now.figure.mass.toFixed(3)} kg. `, h("span", { class: "notes" }, now.figure.notes.join(" "))] : "");
    });
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && this.open(false));
  }

  open(on = true): void {
    this.element.hidden = !on;
    this.shell.classList.toggle("building", on);
    dispatchEvent(new Event("resize"));
    if (!on) return;
    if (this.app.store.get("project")?.shown !== null) void this.app.run("show_motion", { motion: null });
    this.app.store.patch("selection", {}); // updates all forms
  }

  /** Creates a figure of one link and opens the editor. */
  async fresh(): Promise<void> {
    const figure = await this.app.run("new_figure", { name: "figure", root: "weld" });
    if (figure === undefined) return;
    chooseFigure(this.app, figure);
    this.open();
  }

  private head(first: Chosen | null) {
    const { app } = this, figures = first?.project.figures ?? [];
    const which = choiceField({ label: "Figure", face: "", help: "The figure to edit.", choices: figures.map(({ figure, name }) => [String(figure), name] as const), commit: (value) => chooseFigure(app, Number(value)) });
    const name = textField(app, { label: "Name of the figure", face: "Name", help: "Name of the figure.", check: (value) => ({ kind: "rename_figure", figure: chosen(app)!.figure.figure, name: value }), commit: (value) => void app.run("rename_figure", { figure: chosen(app)!.figure.figure, name: value }) });
    return {
      element: h("div", { class: "row editor-tools" }, figures.length > 1 && which.element, first && name.element, button("New figure", "Creates a figure of one link.", () => void this.fresh(), "small"), first && button("Save …", "Saves the figure as figure.toml, URDF or MJCF.", () => {
        const now = chosen(app);
        if (now) saveFigure(app, now.figure.figure, now.figure.name);
      }, "small")),
      show: (now: Chosen | null) => {
        if (!now) return;
        which.show(String(now.figure.figure));
        name.show(now.figure.name);
      },
    };
  }

  private body(first: Chosen) {
    if (this.page === "text") return textPanel(this.app, first);
    const structure = this.page === "tree" ? linkTree(this.app) : connectivityTable(this.app);
    const add = addLinkForm(this.app), link = h("div"), joint = h("div"), showLink = linkForm(this.app, link), showJoint = jointForm(this.app, joint);
    return {
      element: h("div", { class: `editor-columns ${this.page}` }, h("div", { class: "editor-structure" }, structure.element, add.element), h("div", { class: "editor-forms" }, link, joint)),
      show: (now: Chosen | null) => {
        if (!now) return;
        structure.show(now);
        add.show(now);
        showLink(now);
        showJoint(now);
      },
    };
  }
}

function empty(app: App) {
  return { element: h("div", { class: "editor-empty" }, h("p", { class: "quiet-text" }, "No figure is open. Create a figure of one link, then add others."), button("New figure", "Creates a figure of one link.", () => void app.run("new_figure", { name: "figure", root: "weld" }), "primary")), show: () => undefined };
}
