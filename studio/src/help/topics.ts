// What the help says. Short words, one topic a thing.

import type { Topic } from "./panel";

const topic = (topic: string, title: string, text: string): Topic => ({ topic, title, text });

export const TOPICS: Topic[] = [
  topic("Begin", "Three parts", "In the middle is the stage with the figures. On the left are the commands, on the right the degrees of freedom of the chosen link. Below are the timeline and the plots.\nEvery column folds away with the arrow at its edge."),
  topic("Begin", "A figure that walks", "Press Live: the server simulates a person who walks and balances. Drag an arm, pull at the pelvis, hit it with the tool Blow. Change speed and style in the gait panel while it goes."),
  topic("Begin", "Play a motion", "Space plays and pauses, ← and → step the frames. Drag in the timeline or in a plot to any time. The pace may be any number: 0.1 is a tenth of real time."),
  topic("Stage", "Cameras", "Orbit stays where it is: drag to turn, scroll to come nearer, right-drag to shift. Follow goes with the figure. Fixed stands and turns to the figure. Keys goes as the camera keys on the timeline say: set one with C."),
  topic("Stage", "Bodies", "Stick shows bones and joints, volume the shapes that masses are computed of, surface a skin made of the figure's dimensions or the meshes of its file."),
  topic("Stage", "Arrows and marks", "In the menu Show: ground reaction as arrows, centre of mass and centre of pressure, the virtual leg between them, limits of joints as fans and cones, trails, ghosts along the way, names."),
  topic("Stage", "Choose a link", "Click a link on the stage: the right column shows its joint. A double click brings it into the middle, and so does F."),
  topic("Stage", "Hand and blow", "While the figure is simulated the hand pulls with a spring, as far as you drag. On a figure that stands the hand poses it: the other links follow by inverse kinematics. Blow hits a link once: pull an arrow, or just click."),
  topic("Timeline", "Steps", "Bars show when the left and the right foot stand on the ground: each begins with a heel strike and ends with a toe-off."),
  topic("Timeline", "Keys", "K sets a key: the pose of the chosen figure at this time. Drag a diamond to move it, Delete removes the chosen one, Interpolate makes a smooth motion through all of them. Page Down and Page Up go from key to key."),
  topic("Timeline", "Zoom", "The wheel zooms the timeline and the plots about the pointer; with Shift it moves along."),
  topic("Plots", "Channels", "Choose any of the angles, rates, torques, forces and places of the motion. The line is the time of the stage; click or drag in a plot to move it. Angles are in degrees."),
  topic("Words", "Words used here", "A figure is a tree of links. A joint connects a link to its parent and has degrees of freedom. A motion is a recorded sequence of poses with forces and events. A scene is figures, ground and obstacles."),
];
