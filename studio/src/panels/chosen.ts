// The figure and link that the panels show: the selected ones, or otherwise the first.

import type { App } from "../app";
import type { FigureView, ProjectView } from "../messages";
import { type Document, documentOf, type JointTable, jointAbove, type LinkTable } from "./document";

export interface Chosen {
  project: ProjectView;
  figure: FigureView;
  document: Document;
  /** Index of the chosen link in its figure; the root if no link is chosen. */
  number: number;
  link: LinkTable;
  joint: JointTable;
}

/** Returns the chosen figure and link, or null if no figure is open. */
export function chosen(app: App): Chosen | null {
  const project = app.store.get("project"), figures = app.store.get("figures"), selection = app.store.get("selection");
  const id = project?.figures.some(({ figure }) => figure === selection.figure) ? selection.figure : project?.figures[0]?.figure;
  const figure = id === undefined ? undefined : figures.get(id);
  if (!project || !figure) return null;
  const document = documentOf(figure);
  const number = selection.figure === id && selection.link !== null && selection.link < document.link.length ? selection.link : 0;
  const link = document.link[number], joint = link && jointAbove(document, link.name);
  return link && joint ? { project, figure, document, number, link, joint } : null;
}

/** Calls the listener once at the start, and when the choice or its data changes, at most once per event-loop turn. */
export function onChosen(app: App, listener: (now: Chosen | null) => void): void {
  const later = soon(() => listener(chosen(app)));
  for (const key of ["project", "figures", "selection"] as const) app.store.on(key, later);
  later();
}

/** Ensures that the selected figure is always one that is open. */
export function keepSelection(app: App): void {
  const settle = () => {
    const project = app.store.get("project"), selection = app.store.get("selection");
    if (!project || project.figures.some(({ figure }) => figure === selection.figure)) return;
    const last = project.figures[project.figures.length - 1];
    app.store.set("selection", { figure: last?.figure ?? 0, link: null, dof: null });
  };
  app.store.on("project", settle, true);
}

export function chooseFigure(app: App, figure: number): void {
  if (app.store.get("selection").figure !== figure) app.store.set("selection", { figure, link: null, dof: null });
}

export function chooseLink(app: App, figure: FigureView, link: string): void {
  const document = documentOf(figure), number = document.link.findIndex(({ name }) => name === link);
  if (number >= 0) app.store.set("selection", { figure: figure.figure, link: number, dof: jointAbove(document, link)?.name ?? null });
}

/** Chooses a link as soon as the server has created it. */
export function chooseWhenThere(app: App, figure: number, link: string): void {
  const stop = app.store.on("figures", (figures) => {
    const view = figures.get(figure);
    if (!view || !documentOf(view).link.some(({ name }) => name === link)) return;
    stop();
    chooseLink(app, view, link);
  });
  setTimeout(stop, 5000);
  const view = app.store.get("figures").get(figure);
  if (view) chooseLink(app, view, link);
}

/** Merges several calls in one event-loop turn into one. */
export function soon(run: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    setTimeout(() => ((asked = false), run()));
  };
}
