// What the help says about the panels.

import type { App } from "../app";

const TOPICS: [topic: string, title: string, text: string][] = [
  ["Build", "Build a figure", "Build Structure opens the figure editor. Begin with New figure: one link on the world. Choose a link in the tree, give the new one a name and a joint, and press Add. The stage shows what is built.\nDrag a link onto another in the tree, or click an empty place of the table, to hang it elsewhere. Every edit can be undone."],
  ["Build", "Sizes, masses, joints", "A link is a box from its joint outwards, with a density or a mass; centre and tensor follow, or are typed. What is wrong turns red as it is typed.\nEach joint has a type, a place in its parent, limits, springs and dampers; a joint of three turns has a rotation order."],
  ["Commands", "The nine commands", "Build Structure, HYBRID Dynamics, Direct Dynamics – No Contact, Direct Contact Dynamics, Set View Point, Root Characteristics, Another Frame, Degrees of Freedom, Change Root. A click opens the settings, the small arrow runs it at once. Motions appear in the list Motions; 'As they start' shows the figures in their first pose again."],
  ["Commands", "Forces", "Forces act on a link in a direction, in the world's axes or the link's, from a time to a time. Live runs feel them at once, motions when they are computed again."],
  ["Gait", "Three levels", "Level 1 is words: a style, or a script of what to do. Level 2 is numbers: any one or two of velocity, step length and step frequency, and the six determinants with their limits. Level 3 is the torque of each degree of freedom as a curve: edit it and run the motion again."],
  ["Curves", "Keys and control functions", "Keys hold values at times; Interpolate makes the motion between. A control function says what one degree of freedom does over time: position, velocity, acceleration or force, as points or as a formula of t."],
  ["Files", "Open, save, export", "Open takes figures (toml, URDF, MJCF), motions (npz, h5, BVH, CSV, TRC, MOT, C3D), scripts and projects: from the workspace, from this computer, or dropped on the page (with Shift: beside what is open).\nThe project is saved whole or not at all; work that was not saved is offered again after a crash."],
];

export function explainPanels(app: App): void {
  for (const entry of TOPICS) app.explain(...entry);
}
