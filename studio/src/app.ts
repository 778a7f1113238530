// The interface that every part of the page receives: state, connection, messages, keyboard shortcuts and help.

import type { Connection } from "./connection";
import type { CameraKey, Commands, FigureView, Live, ProjectView, Welcome } from "./messages";
import type { Motion } from "./motion";
import type { Store } from "./store";

export type Body = "stick" | "volume" | "surface";
export type CameraMode = "orbit" | "follow" | "fixed" | "keys";

/** The overlays that the stage shows besides the bodies. */
export interface Shown {
  grid: boolean;
  shadows: boolean;
  forces: boolean;
  com: boolean;
  cop: boolean;
  virtualLeg: boolean;
  torques: boolean;
  limits: boolean;
  trails: boolean;
  markers: boolean;
  ghosts: boolean;
  names: boolean;
  /** Whether each link has a colour of its own. */
  segments: boolean;
}

export interface Selection {
  /** The number of the figure in the project. */
  figure: number;
  /** Index of the link in its figure, or null. */
  link: number | null;
  /** Name of the chosen joint or degree of freedom, such as "l_knee" or "l_hip.x", or null. */
  dof: string | null;
}

/** The pointer tool: look (moves only the camera), hand (drags a link, by a spring in a live run, otherwise by inverse
 * kinematics), impulse (pushes a link). */
export type Tool = "look" | "hand" | "impulse";

/** The state of the page. */
export interface Known {
  mode: "studio" | "player";
  theme: "dark" | "light";
  /** The motion on the timeline. */
  motion: Motion | null;
  /** Another motion shown as a ghost beside it. */
  ghost: Motion | null;
  /** The cursor of timeline, stage and plots [s]. */
  time: number;
  /** The range of times that timeline and plots show [s]. */
  range: [number, number];
  playing: boolean;
  pace: number;
  loop: boolean;
  /** Whether a live run is running, so that frames arrive from the server. */
  live: boolean;
  selection: Selection;
  tool: Tool;
  body: Body;
  camera: CameraMode;
  shown: Shown;
  /** Names of the channels the plots show. */
  channels: string[];
  /** Whether a walk is plotted over time or over the gait cycle. */
  over: "time" | "cycle";
  /** Camera keys of the timeline, by time. */
  cameraKeys: CameraKey[];
  /** The latest messages of the server: the project, its figures by number, the live run, the choices. */
  project: ProjectView | null;
  figures: ReadonlyMap<number, FigureView>;
  run: Live | null;
  welcome: Welcome | null;
}

export interface Note {
  /** A note of tone "error" stays longer than others. */
  tone: "info" | "good" | "error";
  text: string;
  link?: string | null;
  joint?: string | null;
  time?: number | null;
  action?: { label: string; run: () => void };
}

export interface App {
  store: Store<Known>;
  connection: Connection;
  /** Shows a message in a corner, with buttons that go to the link, joint and time it names. */
  notify(note: Note): void;
  /** Runs a command. If it fails, shows the error as a message and returns undefined. */
  run<K extends keyof Commands>(kind: K, fields: Commands[K]["fields"]): Promise<Commands[K]["result"] | undefined>;
  /** Adds a keyboard shortcut, which is also listed in the dialog that "?" opens: `shortcut("ctrl+s", "Save the project", save)`. */
  shortcut(keys: string, what: string, run: () => void): void;
  /** Adds an entry to the help panel. */
  explain(topic: string, title: string, text: string): void;
}
