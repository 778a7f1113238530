// Where the page starts: with a server it is the studio, with a motion in it (an exported file) it is a player.

import "./styles/index.css";
import type { App, Known } from "./app";
import { Connection } from "./connection";
import { explainFailure, Toasts } from "./help/toasts";
import { Shortcuts } from "./help/shortcuts";
import { mountPanels } from "./panels/index";
import { makeShell } from "./shell";
import { Store } from "./store";
import { firstTheme, followTheme } from "./theme";

function start(): void {
  const store = new Store<Known>({
    mode: document.getElementById("motion") ? "player" : "studio",
    theme: firstTheme(),
    motion: null, ghost: null, time: 0, playing: false, pace: 1, loop: true, live: false,
    selection: { figure: 0, link: null, dof: null },
    tool: "look", body: "volume", camera: "follow",
    shown: { grid: true, shadows: true, forces: true, com: false, cop: false, virtualLeg: false, limits: false, trails: false, markers: false, ghosts: false, names: false },
    channels: [], cameraKeys: [], project: null, figures: new Map(), run: null, welcome: null,
  });
  const connection = new Connection(), toasts = new Toasts(store), shortcuts = new Shortcuts();
  const app: App = {
    store,
    connection,
    notify: (note) => toasts.show(note),
    run: (kind, fields) => connection.send(kind, fields).catch((error) => void explainFailure(app, error)) as Promise<never>,
    shortcut: (keys, what, run) => shortcuts.add(keys, what, run),
    explain: () => undefined,
  };
  followTheme(store);
  const shell = makeShell(app);
  document.getElementById("app")!.replaceChildren(shell.root, toasts.element);
  if (store.get("mode") === "studio") {
    mountPanels({ left: shell.left, right: shell.right, bar: shell.bar, dialogs: shell.dialogs }, app);
    connection.open();
  }
}

start();
