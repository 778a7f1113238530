// The toolbar of the stage: pointer tool, body style, camera, overlays, and the live run.

import type { App, Body, CameraMode, Known, Shown, Tool } from "../app";
import { h, icon, iconButton } from "../dom";
import { ICONS, type IconName } from "../icons";
import { menu } from "../menu";
import type { ViewName } from "./cameras";
import { answerCaptures, picture } from "./capture";
import { compareMenu } from "./compare";
import type { Stage } from "./stage";

type Choice<T> = [value: T, icon: IconName, label: string, help: string];

const TOOLS: Choice<Tool>[] = [
  ["look", "look", "Look", "Look: the pointer moves the camera and chooses links (V)."],
  ["hand", "hand", "Hand", "Hand: drag a link. In a live run a spring pulls it; otherwise the figure is posed by inverse kinematics (G)."],
  ["impulse", "impulse", "Push", "Push: click a link, or drag an arrow from it, to apply an impulse in a live run (B)."],
];
const BODIES: Choice<Body>[] = [
  ["stick", "stick", "Stick", "Stick: bones and joints (1)."],
  ["volume", "volume", "Volume", "Volume: boxes, ellipsoids and capsules (2)."],
  ["surface", "surface", "Surface", "Surface: a person with skin and clothes, a smooth skin, or the meshes of the figure's file (3)."],
];
const CAMERAS: Choice<CameraMode>[] = [
  ["orbit", "orbit", "Orbit", "Orbit: a free camera; drag to rotate, scroll to zoom, right-drag to pan (4)."],
  ["follow", "follow", "Follow", "Follow: the camera moves with the figure (5)."],
  ["fixed", "fixed", "Fixed", "Fixed: the camera stays in place and turns to the figure (6)."],
  ["keys", "keyed", "Keys", "Keys: the camera follows the camera keys on the timeline (7)."],
];
const SHOWN: [keyof Shown, string, string][] = [
  ["forces", "Forces", "Ground reaction force of each foot, and the forces and moments of the project, as arrows. An arrow of 0.8 m is one body weight."],
  ["torques", "Joint torques", "Torque of each joint on its outer link, as an arc about its axis. A three-quarter turn is 0.08 of body weight × size: for a person, 100 N m."],
  ["com", "Centre of mass", "The centre of mass and a vertical line down from it."],
  ["cop", "Centre of pressure", "A ring where the ground reaction acts."],
  ["virtualLeg", "Virtual leg", "A line from the centre of pressure to the centre of mass."],
  ["limits", "Joint limits", "Ranges of joints as fans and cones, of the chosen link or of all links."],
  ["trails", "Trails", "Paths of the centre of mass, hands and feet in the last 1.5 s."],
  ["ghosts", "Ghosts", "Pale copies of the figure along the motion."],
  ["markers", "Markers", "Named points on the links."],
  ["names", "Names", "Names of all links."],
  ["segments", "Segments", "A colour for each link, on skins and volumes; the left side is lighter than the right."],
  ["grid", "Grid", "Lines on the ground, 20 cm and 1 m apart, and the distance in metres."],
  ["shadows", "Shadows", "Shadows of figures and obstacles."],
];
const VIEW_NAMES: [ViewName, string][] = [["three-quarter", "Three quarter"], ["front", "Front"], ["back", "Back"], ["left", "Left"], ["right", "Right"], ["top", "Top"]];

export function mountToolbar(place: HTMLElement, app: App, stage: Stage): void {
  const studio = app.store.get("mode") === "studio";
  const bar = h("div", { class: "toolbar", role: "toolbar", "aria-label": "Stage" },
    studio && choices(app, "tool", TOOLS), choices(app, "body", BODIES), choices(app, "camera", CAMERAS),
    viewMenu(app, stage), shownMenu(app), studio && h("div", { class: "group" }, compareMenu(app)));
  place.append(bar);
  if (studio) place.append(liveBox(app));
  answerCaptures(app, stage);
  TOOLS.forEach(([tool, , label], i) => studio && app.shortcut("vgb"[i]!, `Pointer tool: ${label}`, () => app.store.set("tool", tool)));
  BODIES.forEach(([body, , label], i) => app.shortcut(String(i + 1), `${label} bodies`, () => app.store.set("body", body)));
  CAMERAS.forEach(([camera, , label], i) => app.shortcut(String(i + 4), `${label} camera`, () => app.store.set("camera", camera)));
  const turns: [string, string, number, number][] = [["left", "left", -0.15, 0], ["right", "right", 0.15, 0], ["up", "up", 0, 0.12], ["down", "down", 0, -0.12]];
  for (const [key, word, azimuth, elevation] of turns) app.shortcut(`ctrl+${key}`, `Turn the camera ${word}`, () => stage.turn(azimuth, elevation));
  app.shortcut("+", "Zoom in", () => stage.turn(0, 0, 0.85));
  app.shortcut("-", "Zoom out", () => stage.turn(0, 0, 1 / 0.85));
  app.shortcut("n", "Choose the next link", () => nextLink(app, 1));
  app.shortcut("shift+n", "Choose the previous link", () => nextLink(app, -1));
  app.shortcut("f", "Centre the chosen link, or the figure", () => stage.focus());
  app.shortcut("a", "Show the whole motion", () => (app.store.set("camera", "orbit"), stage.seeAll()));
}

function nextLink(app: App, by: number): void {
  const { figure, link } = app.store.get("selection"), motion = app.store.get("motion");
  const links = motion?.figures[Math.max(0, motion.ids.indexOf(figure))]?.appearance.links ?? [];
  if (!motion || !links.length) return;
  const next = link === null ? (by > 0 ? 0 : links.length - 1) : (link + by + links.length) % links.length, { joint } = links[next]!;
  app.store.set("selection", { figure: motion.ids.includes(figure) ? figure : motion.ids[0]!, link: next, dof: joint.dofs[0] ?? joint.name });
}

function choices<K extends "tool" | "body" | "camera">(app: App, key: K, list: Choice<Known[K]>[]): HTMLElement {
  const buttons = list.map(([value, name, label, help]) =>
    h("button", { class: "icon-button", type: "button", "aria-label": label, help, onclick: () => app.store.set(key, value), dataset: { choice: String(value) } }, icon(ICONS[name], false, 17)));
  app.store.on(key, (value) => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(list[i]![0] === value))), true);
  return h("div", { class: "group", role: "group", "aria-label": key }, buttons);
}

function viewMenu(app: App, stage: Stage): HTMLElement {
  const entries = VIEW_NAMES.map(([name, label]) => ({ label, run: () => stage.lookFrom(name), }));
  return h("div", { class: "group" }, menu(icon(ICONS.view, false, 17), "View point", "View point: look from one side, or at the whole motion.", () => [
    ...entries,
    { label: "Whole motion", hint: "A", run: () => (app.store.set("camera", "orbit"), stage.seeAll()) },
    { label: "Chosen link", hint: "F", run: () => stage.focus() },
    { label: "Picture of the stage (PNG)", run: () => void picture(app, stage) },
  ]));
}

function shownMenu(app: App): HTMLElement {
  return h("div", { class: "group" }, menu(icon(ICONS.eye, false, 17), "Show", "Overlays besides the bodies: forces, centre of mass, limits, trails …", () =>
    SHOWN.map(([key, label, help]) => ({ label, help, checked: app.store.get("shown")[key], run: () => app.store.patch("shown", { [key]: !app.store.get("shown")[key] }) }))));
}

/** Creates the buttons that start and stop the live run. Their positions do not change. */
function liveBox(app: App): HTMLElement {
  const { store } = app;
  const chosen = () => {
    const figures = store.get("project")?.figures ?? [], id = store.get("selection").figure;
    return figures.find((own) => own.figure === id) ?? figures[0];
  };
  const begin = () => {
    const own = chosen();
    const run = store.get("run"), last = run && run.state !== "stopped" && run.dynamics === "walk" ? { ...(run.speed ? { speed: run.speed } : {}), ...(run.style ? { style: run.style } : {}) } : {};
    if (own) void app.run("live_start", { figure: own.figure, dynamics: own.can_walk ? "walk" : "contact", ...last });
  };
  const start = h("button", { class: "live-start", type: "button", help: "Starts a live simulation of the figure. Drag its links, push it and change its speed while it runs.", onclick: begin }, icon(ICONS.live, false, 16), "Live");
  const words = h("span", { class: "live-words" }), spare = h("small", { class: "number" }), badge = h("span", { class: "badge" }, h("i"), words, spare);
  const stop = iconButton(ICONS.stop, "Stop", "Ends the live run; its motion is kept.", () => void app.run("live_stop", {}), true);
  const again = h("button", { class: "live-again", type: "button", help: "Restarts the live run from the initial pose; the motion so far is kept.", onclick: begin }, icon(ICONS.live, false, 16), "Restart");
  const show = () => {
    const run = store.get("run"), going = !!run && run.state !== "stopped";
    start.hidden = going;
    start.disabled = !chosen();
    badge.hidden = stop.hidden = !going;
    again.hidden = !going || !run.fallen;
    if (!run || !going) return;
    badge.className = `badge ${run.state}`;
    words.textContent = `Live · ${run.state === "building" ? "compiling" : run.fallen ? "fallen" : run.state}`;
    spare.textContent = run.faster > 0 ? `up to ${run.faster >= 10 ? run.faster.toFixed(0) : run.faster.toFixed(1)}× real time` : "";
  };
  for (const key of ["run", "project", "selection"] as const) store.on(key, show);
  show();
  return h("div", { class: "live-box" }, start, badge, again, stop);
}
