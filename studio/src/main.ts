// Starts the page: the studio if there is a server, or a player if the page is an exported file that contains its motion.

import "./styles/index.css";
import type { App, Known } from "./app";
import { Connection } from "./connection";
import { mountCycle } from "./cycle/mount";
import { startLive } from "./live_page/start";
import { keepSession } from "./session";
import { dialog } from "./dialog";
import { fill, h, icon, iconButton } from "./dom";
import { openGallery } from "./help/gallery";
import { HelpPanel } from "./help/panel";
import { Shortcuts } from "./help/shortcuts";
import { showTips } from "./help/tips";
import { explainFailure, Toasts } from "./help/toasts";
import { firstTour, startTour } from "./help/tour";
import { ICONS } from "./icons";
import { mountPanels } from "./panels/index";
import { playEmbedded } from "./player";
import { Plots } from "./plots/plots";
import { makeShell, type Shell } from "./shell";
import { followBody } from "./stage/first_body";
import { keepCamera } from "./stage/keep_camera";
import { Stage } from "./stage/stage";
import { mountToolbar } from "./stage/toolbar";
import { Store } from "./store";
import { showTasks } from "./tasks";
import { firstTheme, followTheme } from "./theme";
import { mountTimeline } from "./timeline/timeline";

const embedded = document.getElementById("motion"), simulated = document.getElementById("live");

function start(): void {
  const store = new Store<Known>({
    mode: embedded ? "player" : "studio",
    theme: firstTheme(),
    motion: null, ghost: null, time: 0, range: [0, 1], playing: false, pace: 1, loop: true, live: false,
    selection: { figure: 0, link: null, dof: null },
    tool: "hand", body: "volume", camera: "follow",
    shown: { grid: true, shadows: true, forces: true, com: false, cop: false, virtualLeg: false, torques: false, limits: false, trails: false, markers: false, ghosts: false, names: false, segments: false },
    channels: [], over: embedded ? "cycle" : "time", cameraKeys: [], project: null, figures: new Map(), run: null, welcome: null,
  });
  const connection = new Connection(), toasts = new Toasts(store), shortcuts = new Shortcuts();
  const later: [string, string, string][] = [];
  const app: App = {
    store,
    connection,
    notify: (note) => toasts.show(note),
    run: (kind, fields) => connection.send(kind, fields).catch((error) => void explainFailure(app, error)) as Promise<never>,
    shortcut: (keys, what, run) => shortcuts.add(keys, what, run),
    explain: (...entry) => void later.push(entry),
  };
  followTheme(store);
  if (!embedded) {
    addEventListener("anthropi:remember", (event) => connection.post("set_preference", (event as CustomEvent<{ name: string; value: string }>).detail));
  }
  followBody(store, !!embedded);
  const shell = makeShell(app);
  document.getElementById("app")!.replaceChildren(shell.root, toasts.element);
  const stage = makeStage(app, shell);
  mountTimeline(shell.timeline, app, stage, () => shell.fold("below"));
  new Plots(app, shell.plots);
  const cycle = mountCycle(app, shell);
  if (stage) mountToolbar(shell.stage, app, stage);
  const help = new HelpPanel(app, shortcuts, startTour);
  document.body.append(help.element);
  app.explain = (topic, title, text) => help.add(topic, title, text);
  for (const entry of later) help.add(...entry);
  mountTools(app, shell, shortcuts, help);
  showTips();
  Object.assign(globalThis, { anthropi: { app, stage, cycle } }); // for the console, and for tests
  if (embedded) return void playEmbedded(app, embedded).then(() => simulated && startLive(app, simulated, shell.stage));
  mountPanels({ left: shell.left, right: shell.right, bar: shell.bar, dialogs: shell.dialogs }, app, stage);
  keepSession(app);
  if (stage) keepCamera(app, stage);
  showTasks(app, shell.stage);
  showStatus(app, shell);
  connection.open();
  firstTour();
}

/** Creates the stage, or shows a message if this browser cannot draw it. */
function makeStage(app: App, shell: Shell): Stage | null {
  try {
    return new Stage(app, shell.stage);
  } catch {
    shell.stage.append(h("p", { class: "no-stage" }, "The 3D view needs WebGL 2, which this browser does not support or has disabled. Enable it or use another browser. Timeline, plots and commands work without it."));
    return null;
  }
}

/** Creates the buttons at the right end of the bar: examples, keyboard shortcuts, help and theme. */
function mountTools(app: App, shell: Shell, shortcuts: Shortcuts, help: HelpPanel): void {
  const { store } = app;
  const turn = () => store.set("theme", store.get("theme") === "dark" ? "light" : "dark");
  const sheet = () => void dialog("Keyboard shortcuts", shortcuts.sheet());
  app.shortcut("t", "Switch between the dark and the light theme", turn);
  app.shortcut("?", "Show the keyboard shortcuts", sheet);
  const theme = iconButton(ICONS.moon, "Theme", "Switches between the dark and the light theme (T).", turn);
  store.on("theme", (now) => fill(theme, icon(now === "dark" ? ICONS.sun : ICONS.moon)), true);
  shell.tools.append(
    ...(embedded ? [] : [h("button", { class: "quiet", type: "button", help: "Opens an example: walks, pushes, pendulums, robots.", onclick: () => openGallery(app) }, "Examples")]),
    iconButton(ICONS.keyboard, "Keyboard shortcuts", "Shows the keyboard shortcuts (?).", sheet), iconButton(ICONS.help, "Help", "Opens the help: topics, search, and 'What is this?' (H).", () => help.open()), theme);
}

/** Shows the state of the connection to the server. */
function showStatus(app: App, shell: Shell): void {
  app.connection.onStatus((status) => {
    const words = { none: "", open: "", connecting: "Connecting …", waiting: "The server does not respond. Reconnecting …", closed: "The server refused this page. Open the address that 'anthropi studio' printed." }[status];
    shell.status.textContent = words;
    shell.status.hidden = !words;
  });
}

start();
