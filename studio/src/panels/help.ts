// Help topics on the panels.

import type { App } from "../app";

const TOPICS: [topic: string, title: string, text: string][] = [
  ["Build", "Build a figure", "Build Structure opens the figure editor. Start with New figure: one link fixed to the world. Choose a link in the tree, give the new one a name and a joint, and press Add.\nTo change the parent of a link, drag it onto another in the tree, or click an empty cell of the table. Every edit can be undone."],
  ["Build", "Sizes, masses, joints", "A link is a box from its joint outwards, with a density or a mass; centre and tensor are computed or typed. Invalid input turns red.\nEach joint has a type, a place in its parent, limits, springs and dampers; a joint of three rotations has a rotation order."],
  ["Commands", "The nine commands", "Build Structure, HYBRID Dynamics, Direct Dynamics – No Contact, Direct Contact Dynamics, Set View Point, Root Characteristics, Another Frame, Degrees of Freedom, Change Root. A click opens the settings, the small arrow runs it at once. Motions appear in the list Motions; 'Initial pose' shows the figures without a motion."],
  ["Commands", "Forces", "Forces act on a link in a direction, in the axes of the world or of the link, from a start time to an end time. They act at once in live runs, and in motions that are computed afterwards."],
  ["Gait", "Three levels", "Level 1 is words: a style, or a script. Level 2 is numbers: one or two of velocity, step length and step frequency, and the six determinants of gait. Level 3 is torque curves of a motion: edit them and simulate the motion again."],
  ["Curves", "Keys and control functions", "Keys are values at times; Interpolate computes the motion through them. A control function gives position, velocity, acceleration or force of one degree of freedom over time, as points or as a formula of t."],
  ["Files", "Open, save, export", "Open takes figures (toml, URDF, MJCF), motions (npz, h5, BVH, CSV, TRC, MOT, C3D), scripts and projects: from the workspace, from this computer, or dropped on the page (with Shift: added to the project).\nUnsaved work is kept on disk and offered again after a crash."],
];

export function explainPanels(app: App): void {
  for (const entry of TOPICS) app.explain(...entry);
}
