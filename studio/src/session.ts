// Keeps the messages of the server in the store: the project, its figures, the motion to show, the live run.

import type { App } from "./app";
import { fetchOwn } from "./connection";
import { explainFailure } from "./help/toasts";
import { LiveMotion } from "./live";
import type { FigureView, Live, MotionView, ProjectView } from "./messages";
import { type Appearance, type Ground, Motion, type ObstacleLook } from "./motion";

export const GONE = 204; // status of a motion that has been removed from the project

type Surroundings = { ground: Ground | null; obstacles: ObstacleLook[] };

const MAX_FETCHED = 6; // motions that are kept

export function keepSession(app: App): void {
  const { store, connection } = app;
  const fetched = new Map<number, Motion>();
  let live: LiveMotion | null = null, wanted: number | null | undefined, settled: number | null = null, standing = false;

  connection.onStatus((status) => {
    if (status !== "open") return;
    wanted = undefined;
    connection.send("get_help", {}).then((welcome) => store.set("welcome", welcome)).catch((error) => {
      if (connection.status === "open") explainFailure(app, error); // otherwise it is requested again after reconnecting
    });
  });
  connection.on("project_changed", ({ project }) => {
    const figures = new Map([...store.get("figures")].filter(([id]) => project.figures.some((f) => f.figure === id)));
    if (figures.size !== store.get("figures").size) store.set("figures", figures);
    store.set("cameraKeys", project.camera_keys);
    store.set("project", project);
    if (live) Object.assign(live.header, { ground: surroundings(project).ground, "things": surroundings(project).obstacles }); // the ground may change during a run
    if (!project.figures.some((own) => own.figure === store.get("selection").figure)) store.set("selection", { figure: project.figures[0]?.figure ?? 0, link: null, dof: null });
    settle(project);
  });
  connection.on("figure_changed", ({ figure }) => {
    const appearance = figure.appearance ?? store.get("figures").get(figure.figure)?.appearance ?? null; // null: unchanged
    takeFigure({ ...figure, appearance });
  });
  connection.on("figure_looks", ({ figure, appearance }) => {
    const known = store.get("figures").get(figure);
    if (known) takeFigure({ ...known, appearance });
    const k = live?.ids.indexOf(figure) ?? -1, shown = live?.figures[k];
    if (live && shown && shown.appearance.links.length === live.run.links[k]) live.header.figures[k] = { ...shown, appearance: appearance as unknown as Appearance }; // the skin of a run that began before it was made
  });
  connection.on("motion_made", ({ motion: { motion } }) => {
    fetched.delete(motion); // a motion that was fetched before may have new frames
    if (motion === wanted) wanted = undefined;
    if (motion === settled) settled = null;
  });
  connection.on("live", (run) => takeLive(run));
  connection.onFrame((frame) => {
    if (!live?.take(frame)) return;
    const { time, frames } = live;
    if (store.get("motion") !== live) store.set("motion", live);
    if (store.get("live")) store.set("time", time[frames - 1]!);
  });
  connection.on("problem", ({ message, link, joint, time, level }) => app.notify({ tone: level === "error" ? "error" : "info", text: message, link, joint, time }));

  function takeFigure(figure: FigureView): void {
    store.set("figures", new Map(store.get("figures")).set(figure.figure, figure));
    const project = store.get("project");
    if (project && project.shown === null && !live) showStill(project);
  }

  /** Shows the motion that the project names, or its figures in their initial pose. */
  function settle(project: ProjectView): void {
    if (live && live.run.state !== "stopped") return;
    if (project.shown === null) {
      wanted = null;
      if (project.figures.every(({ figure }) => store.get("figures").has(figure))) showStill(project);
      return;
    }
    if (project.shown === wanted) return;
    wanted = project.shown;
    const view = project.motions.find(({ motion }) => motion === wanted);
    if (view) void load(view, project);
  }

  async function load(view: MotionView, project: ProjectView): Promise<void> {
    try {
      const motion = fetched.get(view.motion) ?? (await fetchMotion(view, project));
      if (!motion) return; // it has left the project; the server sends the new project
      fetched.set(view.motion, motion);
      if (fetched.size > MAX_FETCHED) fetched.delete(fetched.keys().next().value!);
      if (wanted !== view.motion) return; // another motion has been requested in the meantime
      const before = settled;
      settled = view.motion;
      standing = false;
      store.set("motion", motion);
      if (before === view.motion) return;
      store.set("time", view.kind === "frame" ? motion.end : motion.start);
      store.set("playing", view.kind !== "frame" && view.kind !== "live" && motion.frames > 1);
    } catch (error) {
      explainFailure(app, error);
    }
  }

  function showStill(project: ProjectView): void {
    const views = project.figures.map(({ figure }) => store.get("figures").get(figure)).filter((f): f is FigureView => !!f?.appearance);
    const { ground, obstacles } = surroundings(project);
    const still = Motion.still(project.name, views.map((f) => ({ name: f.name, appearance: f.appearance as unknown as Appearance, poses: f.poses })), ground, obstacles);
    still.ids = views.map((f) => f.figure);
    const stood = standing; // an edit of a figure without motion keeps the time, because keys are set at this time
    settled = null;
    standing = true;
    store.set("playing", false);
    store.set("motion", still);
    if (!stood) store.set("time", 0);
  }

  function takeLive(run: Live): void {
    const going = run.state === "running" || run.state === "paused" || run.state === "building";
    const shape = (own: Live) => `${own.run} ${own.figures} ${own.links} ${own.points}`; // points are known after the kernel is built
    if (going && (!live || shape(live.run) !== shape(run))) {
      const project = store.get("project");
      const looks = run.figures.map((id) => store.get("figures").get(id)).map((f) => ({ name: f?.name ?? "", appearance: f?.appearance as unknown as Appearance }));
      if (looks.some(({ appearance }) => !appearance)) return;
      const { ground, obstacles } = project ? surroundings(project) : { ground: null, obstacles: [] };
      live = new LiveMotion(run, looks, ground, obstacles);
      store.set("playing", false);
      standing = false;
    }
    if (!going) live = null;
    store.set("run", run);
    store.set("live", run.state === "running");
    const project = store.get("project");
    if (!going && project) settle(project);
  }
}

let known: { text: string; value: Surroundings } | null = null;

/** Ground and obstacles as the server describes them for the stage. The same object is returned until they change, so that they are built only once. */
function surroundings(project: ProjectView): Surroundings {
  const text = JSON.stringify(project.surroundings);
  if (known?.text === text) return known.value;
  const { ground, "things": obstacles } = project.surroundings as { ground?: Ground | null; "things"?: ObstacleLook[] };
  known = { text, value: { ground: ground ?? null, obstacles: obstacles ?? [] } };
  return known.value;
}

/** Fetches a motion. Returns null if it is no longer part of the project. */
async function fetchMotion(view: MotionView, project: ProjectView): Promise<Motion | null> {
  const answer = await fetchOwn(view.address);
  if (answer.status === GONE) return null;
  if (!answer.ok) throw new Error(`The motion '${view.title}' could not be loaded from the server (status ${answer.status}). Reload the page.`);
  const motion = Motion.read(await answer.arrayBuffer());
  const order = view.figure !== null ? [view.figure] : project.figures.map(({ figure }) => figure);
  motion.ids = motion.figures.map((_, k) => order[k] ?? -1 - k);
  return motion;
}
