// Messages between browser and server. Written by `python -m anthropi.studio.messages.typescript`: edit the Python.

/** Add a force on a link; see `Force`. */
export interface ApplyForce {
  figure: number;
  link: string;
  vector: [number, number, number];
  axes?: "world" | "link";
  point?: [number, number, number];
  moment?: boolean;
  start?: number;
  end?: number | null;
}

/** Change a force. None: unchanged. */
export interface ChangeForce {
  force: number;
  vector?: [number, number, number] | null;
  point?: [number, number, number] | null;
  start?: number | null;
  end?: number | null;
  done?: boolean;
}

/** Move a camera key to another time. */
export interface MoveCameraKey {
  time: number;
  to: number;
}

/** Remove a camera key. */
export interface RemoveCameraKey {
  time: number;
}

/** Remove a force. */
export interface RemoveForce {
  force: number;
}

/** Set the camera. Kept with the project, not part of the undo history. */
export interface SetCamera {
  camera: Camera;
}

/** Set a camera key at a time [s] of the timeline. */
export interface SetCameraKey {
  time: number;
  camera: Camera;
}

/** Set the control function of a degree of freedom; None removes it. */
export interface SetControl {
  figure: number;
  dof: string;
  control: ControlFunction | null;
}

/** Set the coordinate [rad or m] or rate of a degree of freedom. done False: a slider still moves; such edits are undone together. */
export interface SetDof {
  figure: number;
  dof: string;
  value?: number | null;
  rate?: number | null;
  done?: boolean;
}

/** Set what moves a degree of freedom: "free" (springs and gravity alone), "force" or "motion" (its control function, or a constant). */
export interface SetDrive {
  figure: number;
  dof: string;
  drive: "free" | "force" | "motion";
  value?: number | null;
}

/** Set the gravity [m/s²]. */
export interface SetGravity {
  gravity: [number, number, number];
  done?: boolean;
}

/** Set the ground. */
export interface SetGround {
  ground: Ground;
}

/** Set a number with a slider, also in a live run: of a figure ("l_thigh.mass", "l_knee.stiffness"), or of the live controller ("gain:hip"). done False: the slider still moves. */
export interface SetNumber {
  figure: number;
  slot: string;
  value: number;
  done?: boolean;
}

/** Set all obstacles. */
export interface SetObstacles {
  obstacles: Obstacle[];
}

/** Set the root. position [m], attitude, velocity [m/s] and spin [rad/s] in the world; free : which of its translations x y z and rotations x y z may move; force [N], moment [N m] on it. None: unchanged. */
export interface SetRoot {
  figure: number;
  position?: [number, number, number] | null;
  attitude?: [number, number, number, number] | null;
  velocity?: [number, number, number] | null;
  spin?: [number, number, number] | null;
  free?: [boolean, boolean, boolean, boolean, boolean, boolean] | null;
  force?: [number, number, number] | null;
  moment?: [number, number, number] | null;
}

/** Set dt [s] of a step, the frame rate [1/s] and the contact model. None: unchanged. */
export interface SetScheme {
  dt?: number | null;
  rate?: number | null;
  contact?: "compliant" | "convex" | "impulsive" | null;
}

/** Unsaved work has been written to disk. */
export interface Autosaved {
  revision: number;
}

/** A figure has changed. */
export interface FigureChanged {
  figure: FigureView;
}

/** The appearance of a figure with its skin, which is computed after the figure has been sent. */
export interface FigureLooks {
  figure: number;
  appearance: Record<string, unknown>;
}

/** A task has ended. ok False: a `problem` event before it says why. */
export interface Finished {
  task: number;
  ok: boolean;
}

/** The state of the live run. links, points : numbers of links and contact points of each figure in binary frames. faster : ratio of simulated time to computing time. fallen : whether a walker has fallen. */
export interface Live {
  run: number;
  state: "building" | "running" | "paused" | "stopped";
  dynamics: "walk" | "direct" | "contact";
  figures: number[];
  links: number[];
  points: number[];
  time: number;
  pace: number;
  faster: number;
  fallen: boolean;
  speed: number;
  heading: number;
  style: string;
}

/** A motion has been computed; its buffer is at its address. task : that made it, 0 without one. */
export interface MotionMade {
  motion: MotionView;
  task: number;
}

/** Something failed. link, joint : where, time : when [s], if known. level : how serious it is. */
export interface Problem {
  message: string;
  link: string;
  joint: string;
  time: number | null;
  task: number;
  level: "error" | "warning" | "note";
}

/** The progress of a task. */
export interface Progress {
  running: Running;
}

/** The project has changed. */
export interface ProjectChanged {
  project: ProjectView;
}

/** Add a link and the joint to its parent. size : length (x), height (y), width (z) [m] of a box from the joint outwards. origin : of the joint in the parent's frame [m]; None: at the parent's far end. joint "" : as the link. */
export interface AddLink {
  figure: number;
  name: string;
  parent: string;
  joint?: string;
  type?: string;
  axis?: string | [number, number, number] | null;
  order?: string | null;
  size?: [number, number, number];
  density?: number;
  origin?: [number, number, number] | null;
}

/** Make another link the root; the dynamics stay the same. joint : another type of joint to the world, if given. */
export interface ChangeRoot {
  figure: number;
  link: string;
  joint?: string | null;
}

/** Set an entry of the connectivity table (joints × links): the joint gets this link as its parent. */
export interface ConnectJoint {
  figure: number;
  joint: string;
  link: string;
}

/** Lock a joint, or one degree of freedom, at its present position, or unlock it. */
export interface LockJoint {
  figure: number;
  name: string;
  locked?: boolean;
}

/** Add a figure of one link, to build on. root : the type of its joint to the world. */
export interface NewFigure {
  name?: string;
  root?: string;
}

/** Remove a figure. */
export interface RemoveFigure {
  figure: number;
}

/** Remove a link. branch : with all its descendants; else its children are connected to its parent. */
export interface RemoveLink {
  figure: number;
  link: string;
  branch?: boolean;
}

/** Remove a marker. */
export interface RemoveMarker {
  figure: number;
  name: string;
}

/** Rename a figure. */
export interface RenameFigure {
  figure: number;
  name: string;
}

/** Rename a joint, wherever it is named. */
export interface RenameJoint {
  figure: number;
  joint: string;
  name: string;
}

/** Rename a link, wherever it is named. */
export interface RenameLink {
  figure: number;
  link: string;
  name: string;
}

/** Connect a link and its descendants to another parent. keep_place : it keeps its pose in the world. */
export interface ReparentLink {
  figure: number;
  link: string;
  parent: string;
  keep_place?: boolean;
}

/** Replace a figure by the text of a figure.toml. */
export interface SetFigureText {
  figure: number;
  text: string;
}

/** Set the initial state. position : {dof: [rad or m]}, velocity : {dof: [rad/s or m/s]}; others are unchanged, or neutral and at rest if `rest`. */
export interface SetInitialState {
  figure: number;
  position?: Record<string, number> | null;
  velocity?: Record<string, number> | null;
  rest?: boolean;
}

/** Set the frame of a joint in its parent: origin [m], rotated by x-y-z angles [rad]. None: unchanged. */
export interface SetJointPlace {
  figure: number;
  joint: string;
  origin?: [number, number, number] | null;
  angles?: [number, number, number] | null;
}

/** Change the type of a joint. Limits and springs are dropped if it differs; keys that it lacks are ignored. */
export interface SetJointType {
  figure: number;
  joint: string;
  type: string;
  axis?: string | [number, number, number] | null;
  axes?: [string | [number, number, number], string | [number, number, number]] | null;
  order?: string | null;
  pitch?: number | null;
}

/** Set the limits of a degree of freedom [rad or m]; None: no limit. */
export interface SetLimits {
  figure: number;
  dof: string;
  lower?: number | null;
  upper?: number | null;
}

/** Set mass [kg], centre [m] and tensor about it [kg m²]. None: unchanged; a mass alone scales the tensor. */
export interface SetLinkInertia {
  figure: number;
  link: string;
  mass?: number | null;
  centre?: [number, number, number] | null;
  tensor?: [[number, number, number], [number, number, number], [number, number, number]] | null;
}

/** Make a link a box from its joint outwards, with a density [kg/m³] or a mass [kg]; it replaces its shapes. */
export interface SetLinkSize {
  figure: number;
  link: string;
  size: [number, number, number];
  density?: number | null;
  mass?: number | null;
}

/** Add or change a marker on a link. point [m, link frame]. */
export interface SetMarker {
  figure: number;
  name: string;
  link: string;
  point: [number, number, number];
}

/** Set the order ("xyz") of a joint's three rotations; a ball joint becomes an Euler joint. The pose is kept. */
export interface SetRotationOrder {
  figure: number;
  joint: string;
  order: string;
}

/** Set spring and damper of a degree of freedom. None: unchanged. armature : inertia of a motor. */
export interface SetSpring {
  figure: number;
  dof: string;
  stiffness?: number | null;
  rest?: number | null;
  damping?: number | null;
  armature?: number | null;
}

/** Set the spring at the ends of a joint's range (docs/equations/thesis.md, 8.7). type None: no spring. */
export interface SetStop {
  figure: number;
  joint: string;
  type?: "linear" | "exponential" | "power" | null;
  k?: number;
  c?: number | null;
  n?: number | null;
  zone?: number | null;
  gate?: "direction" | "smooth" | "none";
}

/** Check whether an edit would succeed; nothing changes. command : with its kind. */
export interface Check {
  command: Record<string, unknown>;
}

/** Whether an edit would succeed; if not, why. */
export interface Checked {
  ok: boolean;
  message: string;
  link: string;
  joint: string;
}

/** A file to download from the server. */
export interface Download {
  address: string;
  name: string;
  size: number;
}

/** A file or folder of the workspace. */
export interface Entry {
  name: string;
  folder: boolean;
  size: number;
}

/** Write a file for download. format : one of `Welcome.exports`. motion None: for formats of a figure. */
export interface Export {
  format: string;
  motion?: number | null;
  figure?: number | null;
  options?: Record<string, unknown>;
}

/** Get a figure. */
export interface GetFigure {
  figure: number;
}

/** Get all choices. */
export type GetHelp = Record<string, never>;

/** Get the project. */
export type GetProject = Record<string, never>;

/** List a folder of the workspace. */
export interface ListFiles {
  folder?: string;
}

/** A folder, relative to the workspace. */
export interface Listing {
  folder: string;
  entries: Entry[];
}

/** Open an empty project. walking : one with a walking human. */
export interface NewProject {
  walking?: boolean;
}

/** Open an example of the gallery. */
export interface OpenExample {
  name: string;
}

/** Open a figure, scene, script, motion or project of the workspace. add : to the project; else instead of it. */
export interface OpenFile {
  path: string;
  add?: boolean;
}

/** Open a sample figure. options : as height, mass, sex, detail of "human" or links of "chain". */
export interface OpenSample {
  name: string;
  options?: Record<string, unknown>;
  add?: boolean;
}

/** Open a file that was uploaded to /upload. */
export interface OpenUpload {
  upload: string;
  name: string;
  add?: boolean;
}

/** The numbers of new figures and motions. notes : what the file holds and a figure does not. */
export interface Opened {
  figures: number[];
  motions: number[];
  notes: string[];
}

/** Open unsaved work of an earlier session. take False: discard it. */
export interface Recover {
  take?: boolean;
}

/** Redo the last undone edit. */
export type Redo = Record<string, never>;

/** Remove a motion. */
export interface RemoveMotion {
  motion: number;
}

/** Save a figure in the format of the path's extension (figure.toml, .urdf, .xml …). */
export interface SaveFigure {
  figure: number;
  path: string;
}

/** Save the project. path "" : its present file. replace : an existing file. */
export interface SaveProject {
  path?: string;
  replace?: boolean;
}

/** The path of a written file, relative to the workspace. */
export interface Saved {
  path: string;
}

/** Choose the motion that all browsers show; None: the figures in their initial state. */
export interface ShowMotion {
  motion: number | null;
}

/** Undo the last edit. */
export type Undo = Record<string, never>;

/** All choices. gains : of a live walk, for sliders. recovered : description of unsaved work of an earlier session, "" without any. */
export interface Welcome {
  version: string;
  samples: Choice[];
  examples: Choice[];
  exports: Choice[];
  opens: string[];
  joints: JointChoice[];
  orders: string[];
  styles: Choice[];
  determinants: Record<string, unknown>;
  terrains: Choice[];
  contacts: Choice[];
  gains: Number[];
  recovered: string;
}

/** Pull a point of a link [m, link frame] to a place in the world [m] with a spring, until released. stiffness [N/m]; None: in proportion to the figure's mass. */
export interface DragLink {
  figure: number;
  link: string;
  point: [number, number, number];
  target: [number, number, number];
  stiffness?: number | null;
}

/** Acknowledge a live frame that was shown; there is no reply. A browser that acknowledges gets no late frames. */
export interface FrameSeen {
  sequence: number;
}

/** Apply an impulse [N s], world axes, at a point of a link [m, link frame]. */
export interface Impulse {
  figure: number;
  link: string;
  point: [number, number, number];
  impulse: [number, number, number];
}

/** Set the simulated seconds per second, 0.05 to 4. */
export interface LivePace {
  pace: number;
}

/** Pause or continue. */
export interface LivePause {
  paused: boolean;
}

/** Start a live run. dynamics : "walk" (a human with the walking controller), "direct" (no contact) or "contact". speed : [m/s] and style : of a walk. */
export interface LiveStart {
  figure: number;
  dynamics?: "walk" | "direct" | "contact";
  speed?: number;
  style?: string;
  start?: "walk" | "stand";
}

/** A live run has been started. numbers : of its controller, for sliders. */
export interface LiveStarted {
  run: number;
  numbers: Number[];
}

/** End the run. keep : add its motion to the project. */
export interface LiveStop {
  keep?: boolean;
}

/** Change the command of the walker. None: unchanged. go : walk or stand. speed [m/s]. style : in words. turn : [rad] to the left, added to the heading. heading [rad]. */
export interface LiveWalk {
  go?: boolean | null;
  speed?: number | null;
  style?: string | null;
  turn?: number | null;
  heading?: number | null;
  ground?: Ground | null;
}

/** Bring a point of a link to a place by inverse kinematics, when no live run is in progress. pinned : links that stay. done False: the drag continues. */
export interface PoseLink {
  figure: number;
  link: string;
  point: [number, number, number];
  target: [number, number, number];
  pinned?: string[];
  done?: boolean;
}

/** End the drag. */
export type ReleaseLink = Record<string, never>;

/** Append frames to the shown motion, or compute the first ones from the initial state. */
export interface AnotherFrame {
  contact?: boolean;
  frames?: number;
}

/** Simulate with contact: on the ground, among obstacles and with each other. duration [s]. */
export interface ContactDynamics {
  duration?: number;
  figure?: number | null;
}

/** Simulate without contact: forces, springs, gravity and drives move the figures. duration [s]. */
export interface DirectDynamics {
  duration?: number;
  figure?: number | null;
}

/** Explain what words would set. */
export interface ExplainWords {
  words: string;
}

/** The settings that words stand for, as lines. */
export interface Explained {
  ok: boolean;
  lines: string[];
}

/** A gait plan: velocity [m/s], step length [m], step frequency [steps/min], times [s]. */
export interface GaitNumbers {
  velocity: number;
  step_length: number;
  step_frequency: number;
  cycle: number;
  step: number;
  double_support: number;
  swing: number;
  stance_percent: number;
  running: boolean;
  height: number;
}

/** Compute hybrid dynamics (HIDDS): the forces of the desired motion (inverse), then their motion (direct). The desired motion is given by a motion, by keys or by control functions. mode : the control of the direct part. */
export interface HybridDynamics {
  figure: number;
  duration?: number | null;
  motion?: number | null;
  mode?: "open" | "inverse" | "computed";
}

/** Compute the motion through the keys. */
export interface Interpolate {
  figure: number;
  ends?: "natural" | "clamped" | "periodic";
  turned?: "log" | "squad";
}

/** Move a key to another time. */
export interface MoveKey {
  figure: number;
  time: number;
  to: number;
}

/** Compute the missing ones of velocity, step length and step frequency from any one or two. */
export interface PlanGait {
  figure: number;
  velocity?: number | null;
  step_length?: number | null;
  step_frequency?: number | null;
}

/** Torque profiles as curves, one per degree of freedom. */
export interface ProfilesTaken {
  motion: number;
  profiles: Profile[];
}

/** Remove a key. */
export interface RemoveKey {
  figure: number;
  time: number;
}

/** Simulate a motion again with edited forces. hold : factor of the feedback to the first motion, 0: none. */
export interface RunProfiles {
  motion: number;
  hold?: number;
}

/** Change the gait; see `Gait`. clear : settings to reset. None: unchanged. */
export interface SetGait {
  words?: string | null;
  style?: string | null;
  method?: "" | "walker" | "hidds" | null;
  gait?: "walk" | "run" | null;
  start?: "walk" | "stand" | null;
  steps?: number | null;
  velocity?: number | null;
  step_length?: number | null;
  step_frequency?: number | null;
  determinants?: Record<string, DeterminantSetting> | null;
  clear?: string[];
}

/** Set a key: the initial pose, values by degree of freedom, or the pose of a motion at a time. */
export interface SetKey {
  figure: number;
  time: number;
  values?: Record<string, number>;
  motion?: number | null;
  at?: number | null;
}

/** Set an edited curve of the forces of a motion. */
export interface SetProfile {
  motion: number;
  profile: Profile;
  done?: boolean;
}

/** Stop a task; the computed part of its motion is kept. */
export interface StopTask {
  task: number;
}

/** Turn the joint forces of a motion into curves to edit. spacing : [s] of the points; dofs : all if empty. */
export interface TakeProfiles {
  motion: number;
  spacing?: number;
  dofs?: string[];
}

/** A task has been started; `progress` events follow, then a `motion_made` or a `problem` event. */
export interface TaskStarted {
  task: number;
}

/** Compute a walk with the settings of the gait. */
export interface Walk {
  figure: number;
}

/** The camera. eye, target : places [m]. mode : whether it follows the figure. field : of view [degrees]. */
export interface Camera {
  eye: [number, number, number];
  target: [number, number, number];
  mode: "orbit" | "follow" | "fixed";
  field: number;
}

/** The camera at a time [s] of the timeline. */
export interface CameraKey {
  time: number;
  camera: Camera;
}

/** A choice: a sample, an example, a format, a style. words : its description in one line. */
export interface Choice {
  name: string;
  words: string;
  group: string;
}

/** The control function of a degree of freedom: a spline through times and values, or a formula of t as text. of : the quantity; position, velocity and acceleration drive by motion, force drives by force. */
export interface ControlFunction {
  of: "position" | "velocity" | "acceleration" | "force";
  times: number[];
  values: number[];
  formula: string;
}

/** One of the six determinants of gait [rad; lateral: m]. timing : [cycles] of delay. */
export interface DeterminantSetting {
  amplitude: number;
  lower: number;
  upper: number;
  timing: number;
  on: boolean;
}

/** A degree of freedom. value : its coordinate [rad or m] (of a ball joint: a component of the rotation vector), rate : its velocity. lower, upper : limits, None without one. drive : what moves it. */
export interface DofView {
  name: string;
  joint: string;
  unit: "rad" | "m";
  value: number;
  rate: number;
  lower: number | null;
  upper: number | null;
  stiffness: number;
  rest: number;
  damping: number;
  armature: number;
  locked: boolean;
  lockable: boolean;
  drive: "free" | "force" | "motion";
}

/** A figure in the project's list. */
export interface FigureSummary {
  figure: number;
  revision: number;
  name: string;
  links: number;
  dofs: number;
  can_walk: boolean;
}

/** A figure. document : the plain data of its figure.toml (links, joints, markers, loops, state). text : that file, "" while a slider moves. connectivity : joints × links. poses : (links, 7) x y z, w x y z of every link in the world, in the initial state. appearance : see `formats/pages/appearance.py`, without the skin; None: unchanged. notes : warnings (gimbal lock, no mass). */
export interface FigureView {
  figure: number;
  revision: number;
  name: string;
  document: Record<string, unknown>;
  text: string;
  connectivity: boolean[][];
  dofs: DofView[];
  poses: number[][];
  mass: number;
  centre: [number, number, number];
  numbers: Number[];
  appearance: Record<string, unknown> | null;
  notes: string[];
}

/** A force [N] or, if moment, a moment [N m] on a link. axes : of its vector. point : [m, link frame]. It acts from start to end [s]; end None: for ever. */
export interface Force {
  force: number;
  figure: number;
  link: string;
  vector: [number, number, number];
  axes: "world" | "link";
  point: [number, number, number];
  moment: boolean;
  start: number;
  end: number | null;
}

/** The settings of a gait. words : a script ("walk happily; turn left"), which replaces the rest if not empty. velocity [m/s], step_length [m], step_frequency [steps/min] : any one or two, or none. method : "" for automatic. */
export interface Gait {
  words: string;
  style: string;
  method: "" | "walker" | "hidds";
  kind: "walk" | "run";
  start: "walk" | "stand";
  steps: number;
  velocity: number | null;
  step_length: number | null;
  step_frequency: number | null;
  determinants: Record<string, DeterminantSetting>;
}

/** The ground. slope [rad] rises along x; seed, height [m] and size [m] are of rough ground, stairs and waves. */
export interface Ground {
  kind: "none" | "flat" | "slope" | "rough" | "stairs" | "waves";
  slope: number;
  height: number;
  size: number;
  seed: number;
  friction: number;
}

/** A type of joint. keys : that it has besides those of all joints. dofs : degrees of freedom, 0 if they vary. */
export interface JointChoice {
  type: string;
  keys: string[];
  dofs: number;
}

/** A keyframe: values of degrees of freedom by name [rad or m] at a time [s]; all of them for a whole pose. */
export interface Key {
  time: number;
  values: Record<string, number>;
}

/** Interpolation between keys. ends : of the spline. turned : how rotations are interpolated. */
export interface KeysSetting {
  ends: "natural" | "clamped" | "periodic";
  turned: "log" | "squad";
}

/** A motion; its buffer is at `address`. kind : what made it. words : its caption. */
export interface MotionView {
  motion: number;
  title: string;
  kind: "hybrid" | "direct" | "contact" | "walk" | "keys" | "profiles" | "live" | "file" | "frame";
  address: string;
  figure: number | null;
  duration: number;
  frames: number;
  has_forces: boolean;
  words: string;
}

/** A number with a slider, as "l_thigh.mass" of a figure. least, most : the range of the slider. */
export interface Number {
  slot: string;
  value: number;
  least: number;
  most: number;
  unit: string;
}

/** A fixed solid. size [m] : the edges of a box, the radius of a ball, radius and length of a capsule. */
export interface Obstacle {
  name: string;
  kind: "box" | "ball" | "capsule";
  size: number[];
  position: [number, number, number];
  attitude: [number, number, number, number];
}

/** The force of one degree of freedom over time [N m or N] as a spline through times [s] and values. */
export interface Profile {
  dof: string;
  times: number[];
  values: number[];
}

/** The project, without the figures' contents. undo, redo : labels of what can be undone and redone, or "". surroundings : {ground, things} of the world, in the form of motion buffers. */
export interface ProjectView {
  name: string;
  path: string;
  revision: number;
  saved: boolean;
  undo: string;
  redo: string;
  figures: FigureSummary[];
  motions: MotionView[];
  shown: number | null;
  world: World;
  forces: Force[];
  controls: Record<string, Record<string, ControlFunction>>;
  keys: Record<string, Key[]>;
  keys_setting: KeysSetting;
  gait: Gait;
  profiles: Record<string, Profile[]>;
  camera: Camera;
  camera_keys: CameraKey[];
  tasks: Running[];
  surroundings: Record<string, unknown>;
}

/** A task in progress. total 0: unknown. */
export interface Running {
  task: number;
  what: string;
  done: number;
  total: number;
}

/** The world of all figures. gravity [m/s²]. dt : [s] of a step. rate : [1/s] frames of motions. */
export interface World {
  gravity: [number, number, number];
  ground: Ground;
  obstacles: Obstacle[];
  contact: "compliant" | "convex" | "impulsive";
  dt: number;
  rate: number;
}

/** Every command by its kind: fields and result. */
export interface Commands {
  set_dof: { fields: SetDof; result: null };
  set_drive: { fields: SetDrive; result: null };
  set_control: { fields: SetControl; result: null };
  set_root: { fields: SetRoot; result: null };
  apply_force: { fields: ApplyForce; result: number };
  change_force: { fields: ChangeForce; result: null };
  remove_force: { fields: RemoveForce; result: null };
  set_number: { fields: SetNumber; result: null };
  set_gravity: { fields: SetGravity; result: null };
  set_ground: { fields: SetGround; result: null };
  set_obstacles: { fields: SetObstacles; result: null };
  set_scheme: { fields: SetScheme; result: null };
  set_camera: { fields: SetCamera; result: null };
  set_camera_key: { fields: SetCameraKey; result: null };
  move_camera_key: { fields: MoveCameraKey; result: null };
  remove_camera_key: { fields: RemoveCameraKey; result: null };
  new_figure: { fields: NewFigure; result: number };
  remove_figure: { fields: RemoveFigure; result: null };
  rename_figure: { fields: RenameFigure; result: null };
  add_link: { fields: AddLink; result: null };
  remove_link: { fields: RemoveLink; result: null };
  rename_link: { fields: RenameLink; result: null };
  rename_joint: { fields: RenameJoint; result: null };
  reparent_link: { fields: ReparentLink; result: null };
  connect_joint: { fields: ConnectJoint; result: null };
  set_joint_type: { fields: SetJointType; result: null };
  set_rotation_order: { fields: SetRotationOrder; result: null };
  set_joint_place: { fields: SetJointPlace; result: null };
  set_link_size: { fields: SetLinkSize; result: null };
  set_link_inertia: { fields: SetLinkInertia; result: null };
  set_limits: { fields: SetLimits; result: null };
  set_stop: { fields: SetStop; result: null };
  set_spring: { fields: SetSpring; result: null };
  lock_joint: { fields: LockJoint; result: null };
  change_root: { fields: ChangeRoot; result: null };
  set_initial_state: { fields: SetInitialState; result: null };
  set_marker: { fields: SetMarker; result: null };
  remove_marker: { fields: RemoveMarker; result: null };
  set_figure_text: { fields: SetFigureText; result: null };
  get_help: { fields: GetHelp; result: Welcome };
  get_project: { fields: GetProject; result: ProjectView };
  get_figure: { fields: GetFigure; result: FigureView };
  new_project: { fields: NewProject; result: null };
  list_files: { fields: ListFiles; result: Listing };
  open_file: { fields: OpenFile; result: Opened };
  open_upload: { fields: OpenUpload; result: Opened };
  open_sample: { fields: OpenSample; result: Opened };
  open_example: { fields: OpenExample; result: Opened };
  save_project: { fields: SaveProject; result: Saved };
  save_figure: { fields: SaveFigure; result: Saved };
  export: { fields: Export; result: Download };
  recover: { fields: Recover; result: Opened };
  undo: { fields: Undo; result: null };
  redo: { fields: Redo; result: null };
  check: { fields: Check; result: Checked };
  show_motion: { fields: ShowMotion; result: null };
  remove_motion: { fields: RemoveMotion; result: null };
  live_start: { fields: LiveStart; result: LiveStarted };
  frame_seen: { fields: FrameSeen; result: null };
  live_pause: { fields: LivePause; result: null };
  live_stop: { fields: LiveStop; result: null };
  live_pace: { fields: LivePace; result: null };
  live_walk: { fields: LiveWalk; result: null };
  drag_link: { fields: DragLink; result: null };
  release_link: { fields: ReleaseLink; result: null };
  impulse: { fields: Impulse; result: null };
  pose_link: { fields: PoseLink; result: null };
  hybrid_dynamics: { fields: HybridDynamics; result: TaskStarted };
  direct_dynamics: { fields: DirectDynamics; result: TaskStarted };
  contact_dynamics: { fields: ContactDynamics; result: TaskStarted };
  another_frame: { fields: AnotherFrame; result: TaskStarted };
  stop_task: { fields: StopTask; result: null };
  explain_words: { fields: ExplainWords; result: Explained };
  plan_gait: { fields: PlanGait; result: GaitNumbers };
  set_gait: { fields: SetGait; result: null };
  walk: { fields: Walk; result: TaskStarted };
  take_profiles: { fields: TakeProfiles; result: ProfilesTaken };
  set_profile: { fields: SetProfile; result: null };
  run_profiles: { fields: RunProfiles; result: TaskStarted };
  set_key: { fields: SetKey; result: null };
  move_key: { fields: MoveKey; result: null };
  remove_key: { fields: RemoveKey; result: null };
  interpolate: { fields: Interpolate; result: TaskStarted };
}

/** Every event by its kind. */
export interface Events {
  project_changed: ProjectChanged;
  figure_changed: FigureChanged;
  figure_looks: FigureLooks;
  motion_made: MotionMade;
  progress: Progress;
  finished: Finished;
  problem: Problem;
  live: Live;
  autosaved: Autosaved;
}

/** Commands that can be undone. */
export const EDITS: readonly (keyof Commands)[] = ["set_dof", "set_drive", "set_control", "set_root", "apply_force", "change_force", "remove_force", "set_number", "set_gravity", "set_ground", "set_obstacles", "set_scheme", "set_camera_key", "move_camera_key", "remove_camera_key", "new_figure", "remove_figure", "rename_figure", "add_link", "remove_link", "rename_link", "rename_joint", "reparent_link", "connect_joint", "set_joint_type", "set_rotation_order", "set_joint_place", "set_link_size", "set_link_inertia", "set_limits", "set_stop", "set_spring", "lock_joint", "change_root", "set_initial_state", "set_marker", "remove_marker", "set_figure_text", "new_project", "open_file", "open_upload", "open_sample", "open_example", "remove_motion", "pose_link", "set_gait", "take_profiles", "set_profile", "set_key", "move_key", "remove_key"];

export interface Refusal {
  message: string;
  link: string;
  joint: string;
  time: number | null;
}
export type Reply = { id: number; ok: true; result: unknown } | { id: number; ok: false; error: Refusal };
