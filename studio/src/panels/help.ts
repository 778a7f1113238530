// Help topics about the panels.

import type { App } from "../app";

const TOPICS: [topic: string, title: string, text: string][] = [
  ["Build", "Build a figure", "Build Structure opens the figure editor. Start with New figure, which creates one link fixed to the world. To add a link, choose its parent in the tree, give it a name and a joint, and press Add.\nTo change the parent of a link, drag it onto another link in the tree, or click an empty cell of the table. Every edit can be undone."],
  ["Build", "Sizes, masses, joints", "A link is a box that starts at its joint, with a density or a mass. Centre of mass and inertia tensor are computed, or you can type them. Invalid input turns red.\nEach joint has a type, a position in its parent, limits, springs and dampers. A joint with three rotations has a rotation order."],
  ["Commands", "The nine commands", "Build Structure, HYBRID Dynamics, Direct Dynamics – No Contact, Direct Contact Dynamics, Set View Point, Root Characteristics, Another Frame, Degrees of Freedom, Change Root. A click opens the settings of a command; the small arrow runs it at once. Computed motions appear in the list Motions; 'Initial pose' shows the figures without a motion."],
  ["Commands", "Forces", "Forces act on a link in a direction, in the axes of the world or of the link, from a start time to an end time. They act at once in live runs, and in motions that are computed afterwards."],
  ["Gait", "Three levels", "Level 1 is words: a style or a script. Level 2 is numbers: one or two of velocity, step length and step frequency, and the six determinants of gait. Level 3 is the torque curves of a motion: edit them and simulate the motion again."],
  ["Curves", "Keys and control functions", "A key sets values at a time; Interpolate computes the motion through all keys. A control function gives the position, velocity, acceleration or force of one degree of freedom over time, as points or as a formula of t."],
  ["Studies", "Watch and run a study", "Studies (Shift S) shows sweeps, samples and searches of the workspace while they run, here or in another process: progress, a scatter plot, parallel coordinates, the best value so far, failures. Click a point to see its values. Drag on an axis of the parallel coordinates to select points.\nRun imports and runs the Python code that the study file names. Run only files that you trust."],
  ["Files", "Open, save, export", "Open reads figures (toml, URDF, MJCF), motions (npz, h5, BVH, CSV, TRC, MOT, C3D), scripts and projects from the workspace or from this computer. You can also drop a file on the page; hold Shift to add it to the project.\nUnsaved work is kept on disk and can be recovered after a crash."],
];

export function explainPanels(app: App): void {
  for (const entry of TOPICS) app.explain(...entry);
}
