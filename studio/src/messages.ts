// Messages between browser and server. Written by `python -m anthropi.studio.messages.typescript`: edit the Python.

/** A force on a link by direction; see `Force`. */
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

/** Another size, direction or time of a force. None: as it is. */
export interface ChangeForce {
  force: number;
  vector?: [number, number, number] | null;
  point?: [number, number, number] | null;
  start?: number | null;
  end?: number | null;
  done?: boolean;
}

/** A camera key to another time. */
export interface MoveCameraKey {
  time: number;
  to: number;
}

/** A camera key away. */
export interface RemoveCameraKey {
  time: number;
}

/** A force away. */
export interface RemoveForce {
  force: number;
}

/** Set View Point. Kept with the project, not undone. */
export interface SetCamera {
  camera: Camera;
}

/** The camera at a time of the timeline. */
export interface SetCameraKey {
  time: number;
  camera: Camera;
}

/** The control function of a degree of freedom; None: none. */
export interface SetControl {
  figure: number;
  dof: string;
  control: ControlFunction | null;
}

/** A degree of freedom's coordinate [rad or m] or rate. done False: one of many while a slider moves, undone with the others. */
export interface SetDof {
  figure: number;
  dof: string;
  value?: number | null;
  rate?: number | null;
  done?: boolean;
}

/** What moves a degree of freedom: "free" (springs and gravity alone), "force" or "motion" (its control function, or where it is: a constant). */
export interface SetDrive {
  figure: number;
  dof: string;
  drive: "free" | "force" | "motion";
  value?: number | null;
}

/** The world's gravity [m/s²]. */
export interface SetGravity {
  gravity: [number, number, number];
  done?: boolean;
}

/** What figures stand on. */
export interface SetGround {
  ground: Ground;
}

/** A number under a slider, also while live: of a figure ("l_thigh.mass", "l_knee.stiffness"), or of the live controller ("gain:hip_kp"). done False: the slider still moves. */
export interface SetNumber {
  figure: number;
  slot: string;
  value: number;
  done?: boolean;
}

/** Solids in the world, all of them. */
export interface SetObstacles {
  obstacles: Obstacle[];
}

/** Root characteristics. position [m], attitude, velocity [m/s] and spin [rad/s] in the world; free : which of its translations x y z and rotations x y z may move; force [N], moment [N m] on it. None: as it is. */
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

/** How simulations go: dt [s] of a step, frames a second, the contact model. None: as it is. */
export interface SetScheme {
  dt?: number | null;
  rate?: number | null;
  contact?: "compliant" | "convex" | "impulsive" | null;
}

/** Unsaved work is safe on disk. */
export interface Autosaved {
  revision: number;
}

/** A figure is now this. */
export interface FigureChanged {
  figure: FigureView;
}

/** How a figure looks, with its skin, which takes a moment to make. */
export interface FigureLooks {
  figure: number;
  appearance: Record<string, unknown>;
}

/** A task ended. ok False: a `problem` has said why. */
export interface Finished {
  task: number;
  ok: boolean;
}

/** The state of the live run. links, points : of each of its figures, as binary frames have them. faster : how many times real time it could go. */
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

/** A motion is there; its buffer is at its address. task : which made it, 0 if none. The project follows. */
export interface MotionMade {
  motion: MotionView;
  task: number;
}

/** Something failed. link, joint : where, time : when [s], if known. level : whether somebody has to act. */
export interface Problem {
  message: string;
  link: string;
  joint: string;
  time: number | null;
  task: number;
  level: "error" | "warning" | "note";
}

/** How far a task is. */
export interface Progress {
  running: Running;
}

/** The project is now this. */
export interface ProjectChanged {
  project: ProjectView;
}

/** A link that hangs on another by a new joint. size : length (x), height (y), width (z) [m] of a box from the joint outwards. origin : of the joint in the parent's frame [m]; None: at the parent's far end. joint "" : as the link. */
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

/** Another link is the root; the figure moves as before. joint : another type of joint to the world, if given. */
export interface ChangeRoot {
  figure: number;
  link: string;
  joint?: string | null;
}

/** An entry of the connectivity table (joints × links): the joint connects this link instead of its parent. */
export interface ConnectJoint {
  figure: number;
  joint: string;
  link: string;
}

/** A joint, or one degree of freedom, held where it is, or let go. */
export interface LockJoint {
  figure: number;
  name: string;
  locked?: boolean;
}

/** A figure of one link, to build on. root : how it stands in the world. */
export interface NewFigure {
  name?: string;
  root?: string;
}

/** Take a figure out of the project. */
export interface RemoveFigure {
  figure: number;
}

/** A link away. branch : with all that hangs on it; else that hangs on its parent. */
export interface RemoveLink {
  figure: number;
  link: string;
  branch?: boolean;
}

/** A marker away. */
export interface RemoveMarker {
  figure: number;
  name: string;
}

/** Another name. */
export interface RenameFigure {
  figure: number;
  name: string;
}

/** A joint's name, everywhere. */
export interface RenameJoint {
  figure: number;
  joint: string;
  name: string;
}

/** A link's name, everywhere. */
export interface RenameLink {
  figure: number;
  link: string;
  name: string;
}

/** A link, with what hangs on it, hangs on another. keep_place : it stays where it is in the world. */
export interface ReparentLink {
  figure: number;
  link: string;
  parent: string;
  keep_place?: boolean;
}

/** The whole figure.toml as text. */
export interface SetFigureText {
  figure: number;
  text: string;
}

/** The state it starts in. position : {dof: [rad or m]}, velocity : {dof: [rad/s or m/s]}; others stay. rest : all else neutral and at rest first. */
export interface SetInitialState {
  figure: number;
  position?: Record<string, number> | null;
  velocity?: Record<string, number> | null;
  rest?: boolean;
}

/** Where a joint sits in its parent's frame: origin [m], turned by x-y-z angles [rad]. None: as it is. */
export interface SetJointPlace {
  figure: number;
  joint: string;
  origin?: [number, number, number] | null;
  angles?: [number, number, number] | null;
}

/** Another type of joint; what the type does not have is left out. Limits and springs go where the size changes. */
export interface SetJointType {
  figure: number;
  joint: string;
  type: string;
  axis?: string | [number, number, number] | null;
  axes?: [string | [number, number, number], string | [number, number, number]] | null;
  order?: string | null;
  pitch?: number | null;
}

/** Limits of a degree of freedom [rad or m]; None: none. */
export interface SetLimits {
  figure: number;
  dof: string;
  lower?: number | null;
  upper?: number | null;
}

/** Mass [kg], centre [m], tensor about it [kg m²]. None: as it is; a mass alone scales the tensor with it. */
export interface SetLinkInertia {
  figure: number;
  link: string;
  mass?: number | null;
  centre?: [number, number, number] | null;
  tensor?: [[number, number, number], [number, number, number], [number, number, number]] | null;
}

/** A link as a box from its joint outwards, with a density [kg/m³] or a mass [kg]; its old shapes go. */
export interface SetLinkSize {
  figure: number;
  link: string;
  size: [number, number, number];
  density?: number | null;
  mass?: number | null;
}

/** A marker on a link, new or changed. */
export interface SetMarker {
  figure: number;
  name: string;
  link: string;
  point: [number, number, number];
}

/** The order of a joint's three rotations ("xyz"); a ball joint becomes an Euler joint. The pose stays. */
export interface SetRotationOrder {
  figure: number;
  joint: string;
  order: string;
}

/** Spring and damper of a degree of freedom. None: as it is. armature : inertia of a motor. */
export interface SetSpring {
  figure: number;
  dof: string;
  stiffness?: number | null;
  rest?: number | null;
  damping?: number | null;
  armature?: number | null;
}

/** The spring at the ends of a joint's range (thesis 8.7). type None: none. */
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

/** Would this command be done? Nothing changes. command : with its kind. */
export interface Check {
  command: Record<string, unknown>;
}

/** Whether a command would be done; if not, why. */
export interface Checked {
  ok: boolean;
  message: string;
  link: string;
  joint: string;
}

/** A file to fetch from the server. */
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

/** Make a file to fetch. format : one of `Welcome.exports`; motion None: of what needs only a figure. */
export interface Export {
  format: string;
  motion?: number | null;
  figure?: number | null;
  options?: Record<string, unknown>;
}

/** One figure, with all it says. */
export interface GetFigure {
  figure: number;
}

/** What is there to choose from? */
export type GetHelp = Record<string, never>;

/** What is open? */
export type GetProject = Record<string, never>;

/** Files of a folder of the workspace. */
export interface ListFiles {
  folder?: string;
}

/** A folder of the workspace, named from it. */
export interface Listing {
  folder: string;
  entries: Entry[];
}

/** Nothing open. walking : begin with a walking human instead. */
export interface NewProject {
  walking?: boolean;
}

/** Open an example of the gallery. */
export interface OpenExample {
  name: string;
}

/** Open a figure, scene, script, motion or project of the workspace. add : beside what is open, else instead. */
export interface OpenFile {
  path: string;
  add?: boolean;
}

/** Open a sample figure. options : of it, as height, mass, sex, detail of "human" or links of "chain". */
export interface OpenSample {
  name: string;
  options?: Record<string, unknown>;
  add?: boolean;
}

/** Open what the browser sent to /upload. */
export interface OpenUpload {
  upload: string;
  name: string;
  add?: boolean;
}

/** What came of opening: new figures and motions by number. notes : what the file holds and a figure does not. */
export interface Opened {
  figures: number[];
  motions: number[];
  notes: string[];
}

/** Take back work that was never saved, or throw it away. */
export interface Recover {
  take?: boolean;
}

/** Do it again. */
export type Redo = Record<string, never>;

/** Throw a motion away. */
export interface RemoveMotion {
  motion: number;
}

/** Write a figure by the ending of the path (figure.toml, .urdf, .xml …). */
export interface SaveFigure {
  figure: number;
  path: string;
}

/** Write the project; path "" : where it was. */
export interface SaveProject {
  path?: string;
  replace?: boolean;
}

/** Where something was written, named from the workspace. */
export interface Saved {
  path: string;
}

/** Which motion all browsers show; None: the figures as they start. */
export interface ShowMotion {
  motion: number | null;
}

/** Undo the last edit. */
export type Undo = Record<string, never>;

/** What there is to choose from. gains : of a live walk, for sliders. recovered : words about work that was never saved, "" if there is none. */
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

/** A spring between a point of a link [m, link frame] and a place in the world [m], until released. stiffness [N/m]; None: what moves the whole figure a little. */
export interface DragLink {
  figure: number;
  link: string;
  point: [number, number, number];
  target: [number, number, number];
  stiffness?: number | null;
}

/** The browser has shown a live frame. Whoever says so for each gets none that is late. There is no reply. */
export interface FrameSeen {
  sequence: number;
}

/** A blow [N s] at a point of a link [m, link frame], in the world's axes. */
export interface Impulse {
  figure: number;
  link: string;
  point: [number, number, number];
  impulse: [number, number, number];
}

/** Seconds of the world in a second, 0.05 to 4. */
export interface LivePace {
  pace: number;
}

/** Pause or go on. */
export interface LivePause {
  paused: boolean;
}

/** Begin to simulate. dynamics : "walk" (a human that balances), "direct" (no contact) or "contact". */
export interface LiveStart {
  figure: number;
  dynamics?: "walk" | "direct" | "contact";
  speed?: number;
  style?: string;
  start?: "walk" | "stand";
}

/** A live run begun. numbers : of its controller, for sliders. */
export interface LiveStarted {
  run: number;
  numbers: Number[];
}

/** End the run; its motion is kept. */
export interface LiveStop {
  keep?: boolean;
}

/** What the walker does from now on. None: as it is. turn : [rad] left, added to the heading. style : in words. */
export interface LiveWalk {
  go?: boolean | null;
  speed?: number | null;
  style?: string | null;
  turn?: number | null;
  heading?: number | null;
  ground?: Ground | null;
}

/** When nothing runs: bring a point of a link to a place by inverse kinematics. done False: the hand still moves. */
export interface PoseLink {
  figure: number;
  link: string;
  point: [number, number, number];
  target: [number, number, number];
  pinned?: string[];
  done?: boolean;
}

/** Let go. */
export type ReleaseLink = Record<string, never>;

/** Another Frame: one more frame at the end of the shown motion, or the first ones from the state it starts in. */
export interface AnotherFrame {
  contact?: boolean;
  frames?: number;
}

/** Direct Contact Dynamics: the same on the ground, among obstacles, with each other. */
export interface ContactDynamics {
  duration?: number;
  figure?: number | null;
}

/** Direct Dynamics - No Contact: forces, springs, gravity and drives move the figures, nothing touches. */
export interface DirectDynamics {
  duration?: number;
  figure?: number | null;
}

/** What would these words do? */
export interface ExplainWords {
  words: string;
}

/** What words set, as lines. */
export interface Explained {
  ok: boolean;
  lines: string[];
}

/** A plan of gait with all its numbers: velocity [m/s], step length [m], frequency [steps/min], times [s]. */
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

/** HYBRID Dynamics (HIDDS): the forces of the wanted motion (inverse), then the motion of the forces (direct). Wanted is what keys or control functions say, or a motion. mode : how the direct part is held. */
export interface HybridDynamics {
  figure: number;
  duration?: number | null;
  motion?: number | null;
  mode?: "open" | "inverse" | "computed";
}

/** A motion through the keys. */
export interface Interpolate {
  figure: number;
  ends?: "natural" | "clamped" | "periodic";
  turned?: "log" | "squad";
}

/** A key to another time. */
export interface MoveKey {
  figure: number;
  time: number;
  to: number;
}

/** The others of velocity, step length and step frequency, from any one or two. */
export interface PlanGait {
  figure: number;
  velocity?: number | null;
  step_length?: number | null;
  step_frequency?: number | null;
}

/** Torque profiles as curves, one a degree of freedom. */
export interface ProfilesTaken {
  motion: number;
  profiles: Profile[];
}

/** A key away. */
export interface RemoveKey {
  figure: number;
  time: number;
}

/** Direct dynamics with the edited forces. hold : how strongly the rest follows the first motion, 0: not at all. */
export interface RunProfiles {
  motion: number;
  hold?: number;
}

/** Settings of the three levels; see `Gait`. What `clear` names is emptied; None: as it is. */
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

/** A key: the pose the figure starts in, or values by degree of freedom; of a motion's frame, if one is given. */
export interface SetKey {
  figure: number;
  time: number;
  values?: Record<string, number>;
  motion?: number | null;
  at?: number | null;
}

/** An edited curve of a motion's forces. */
export interface SetProfile {
  motion: number;
  profile: Profile;
  done?: boolean;
}

/** Stop a task; what there is of its motion is kept. */
export interface StopTask {
  task: number;
}

/** The forces of a motion as curves to edit. spacing : [s] between two points; dofs : which, all if empty. */
export interface TakeProfiles {
  motion: number;
  spacing?: number;
  dofs?: string[];
}

/** A task begun; `progress` events tell of it, a `motion` event ends it, or a `problem`. */
export interface TaskStarted {
  task: number;
}

/** Walk as the gait says. */
export interface Walk {
  figure: number;
}

/** Where the camera stands and what it looks at. mode : it follows the figure or stays. field [degrees]. */
export interface Camera {
  eye: [number, number, number];
  target: [number, number, number];
  mode: "orbit" | "follow" | "fixed";
  field: number;
}

/** The camera at a time of the timeline [s]. */
export interface CameraKey {
  time: number;
  camera: Camera;
}

/** Something to choose: a sample, an example, a format, a style. words : a line that says what it is. */
export interface Choice {
  name: string;
  words: string;
  group: string;
}

/** What a degree of freedom does over time: a spline through times and values, or a formula of t as text. of : what the function says; position, velocity and acceleration drive by motion, force by force. */
export interface ControlFunction {
  of: "position" | "velocity" | "acceleration" | "force";
  times: number[];
  values: number[];
  formula: string;
}

/** One of the six determinants [rad; lateral: m]. timing : [cycles] later. */
export interface DeterminantSetting {
  amplitude: number;
  lower: number;
  upper: number;
  timing: number;
  on: boolean;
}

/** A degree of freedom. value : its coordinate [rad or m] (a turn's: of its rotation vector), rate : its velocity. lower, upper : limits, None where there is none. drive : what moves it; a control is its function, if it has one. */
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

/** A figure: `document` is the plain data of its figure.toml (links, joints, markers, loops, state), `text` that file, "" while a slider moves. poses : (links, 7) x y z, w x y z of every link in the world, in the state it starts in. connectivity : joints × links. appearance : as `formats/pages/appearance.py` has it, without the skin; None: it looks as it did. notes : what is worth knowing (a middle angle near 90°, no mass). */
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

/** A force on a link [N] or, if moment, a moment [N m]. axes : whose direction it has. point : in the link [m]. It acts from start to end [s]; end None: as long as there is time. */
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

/** The three levels of gait. words : a script ("walk happily; turn left"), instead of the rest if not empty. velocity [m/s], step_length [m], step_frequency [steps/min] : any one or two, or none. method : "" chooses. */
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

/** What figures stand on. slope [rad] rises along x; seed, height [m], size [m] are of rough ground and stairs. */
export interface Ground {
  kind: "none" | "flat" | "slope" | "rough" | "stairs" | "waves";
  slope: number;
  height: number;
  size: number;
  seed: number;
  friction: number;
}

/** A type of joint, and which keys it has besides those of all. */
export interface JointChoice {
  type: string;
  keys: string[];
  dofs: number;
}

/** A pose at a time: values of degrees of freedom by name [rad or m]; all of them if it holds the whole pose. */
export interface Key {
  time: number;
  values: Record<string, number>;
}

/** How the motion goes from key to key. */
export interface KeysSetting {
  ends: "natural" | "clamped" | "periodic";
  turned: "log" | "squad";
}

/** A motion: its buffer is at `address`. kind : what made it. */
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

/** A number of a figure that a slider moves while it is simulated ("l_thigh.mass"). least, most : the slider's. */
export interface Number {
  slot: string;
  value: number;
  least: number;
  most: number;
  unit: string;
}

/** A solid that stands in the world. size : a box's edges, a ball's radius, a capsule's radius, length. */
export interface Obstacle {
  name: string;
  kind: "box" | "ball" | "capsule";
  size: number[];
  position: [number, number, number];
  attitude: [number, number, number, number];
}

/** Forces of one degree of freedom over time [N m or N], as an edited curve: a spline through times and values. */
export interface Profile {
  dof: string;
  times: number[];
  values: number[];
}

/** All that is open, without the figures' contents. undo, redo : what would be undone or done again, or "". surroundings : {ground, things} of the world, as motion buffers have them. */
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

/** A task on its way. total 0: nobody knows how long. */
export interface Running {
  task: number;
  what: string;
  done: number;
  total: number;
}

/** What all figures share. dt : [s] of a step. rate : frames a second of motions. */
export interface World {
  gravity: [number, number, number];
  ground: Ground;
  obstacles: Obstacle[];
  contact: "compliant" | "convex" | "impulsive";
  dt: number;
  rate: number;
}

/** Every command by its kind: what it carries and what it answers. */
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
