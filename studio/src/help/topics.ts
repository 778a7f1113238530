// The topics of the help panel.

import type { Topic } from "./panel";

const topic = (topic: string, title: string, text: string): Topic => ({ topic, title, text });

export const TOPICS: Topic[] = [
  topic("First steps", "Layout", "The stage in the middle shows the figures. Commands are on the left, degrees of freedom of the chosen link on the right, timeline and plots below.\nThe arrow at the edge of a column folds it."),
  topic("First steps", "A walking human", "Press Live to start a live simulation. The human walks; a controller keeps it in balance. Drag an arm or the pelvis with the Hand tool, or push it with the Push tool. Change speed and style in the Live panel while it walks."),
  topic("First steps", "Play a motion", "Space plays and pauses, ← and → step through the frames. Drag in the timeline or in a plot to change the time. The pace is the ratio to real time: 0.1 is ten times slower."),
  topic("Stage", "Cameras", "Orbit is a free camera: drag to rotate, scroll to zoom, right-drag to pan. Follow moves with the figure. Fixed stays in place and turns to the figure. Keys follows the camera keys on the timeline; C sets one."),
  topic("Stage", "Bodies", "Stick shows bones and joints. Volume shows the shapes from which masses are computed. Surface shows a skin made from the figure's dimensions, or the meshes of its file."),
  topic("Stage", "Overlays", "The menu Show switches overlays on and off: ground reaction forces as arrows, centre of mass, centre of pressure, the virtual leg between them, joint limits as fans and cones, trails, ghosts and names."),
  topic("Stage", "Choose a link", "Click a link on the stage: the right column shows its joint. A double click or F centres it."),
  topic("Stage", "Drag and push", "In a live run, the Hand tool pulls a link with a spring. Without one, it poses the figure: the other links follow by inverse kinematics. The Push tool applies an impulse: drag an arrow from a link, or click it."),
  topic("Timeline", "Steps", "The bars show the stance phases of the left and the right foot, from heel strike to toe-off."),
  topic("Timeline", "Keys", "K sets a key with the pose of the chosen figure at this time. Drag a diamond to move a key. Delete removes the chosen key. Interpolate computes a smooth motion through all keys. Page Down and Page Up go from key to key."),
  topic("Timeline", "Zoom", "The mouse wheel zooms the timeline and the plots about the pointer; with Shift it scrolls."),
  topic("Plots", "Channels", "Choose any angles, rates, torques, forces and positions of the motion. The vertical line is the time shown on the stage; click or drag in a plot to move it. Angles are in degrees."),
  topic("Terms", "Terms", "A figure is a tree of links. A joint connects a link to its parent and has degrees of freedom. A motion is a recorded sequence of poses with forces and events. A scene consists of figures, ground and obstacles."),
];
