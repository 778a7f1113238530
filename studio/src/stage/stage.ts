// The stage: the 3D view. It is drawn only when something has changed.

import * as THREE from "three";
import type { App, Known } from "../app";
import { h } from "../dom";
import type { Motion } from "../motion";
import { Cameras, VIEWS, type ViewName } from "./cameras";
import { Cast } from "./cast";
import type { FigureView } from "./figure";
import { GroundView } from "./ground";
import { Lights } from "./lights";
import { Loads } from "./loads";
import { Names } from "./names";
import { Obstacles } from "./obstacles";
import { PALETTES } from "./palette";
import { Picking } from "./picking";
import { drawnBySoftware, Quality } from "./quality";
import { Sky } from "./sky";

const REDRAWN: (keyof Known)[] = ["time", "motion", "ghost", "body", "shown", "selection", "camera", "cameraKeys", "tool", "project"];

const FILM_RATE = 30; // [1/s]
const FILM_BITS = 8_000_000; // [1/s]

export class Stage {
  readonly scene = new THREE.Scene();
  readonly canvas: HTMLCanvasElement;
  readonly cameras: Cameras;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly lights = new Lights();
  private readonly sky = new Sky();
  private readonly ground: GroundView;
  private readonly obstacles = new Obstacles();
  private readonly cast = new Cast();
  private readonly loads = new Loads(() => this.request());
  private readonly picking: Picking;
  private readonly names: Names;
  private readonly quality: Quality;
  private asked = false;
  private lookedAt = "";
  private shownMotion: Motion | null = null;
  private turning = false;
  private picturing = false;
  private fixedSize: [number, number] | null = null; // while a film is recorded
  private hovered: { figure: number; link: number } | null = null;

  constructor(private readonly app: App, private readonly place: HTMLElement) {
    let renderer = new THREE.WebGLRenderer({ antialias: false, powerPreference: "high-performance" });
    const plain = drawnBySoftware(renderer.getContext()) && location.hash !== "#fine";
    if (!plain) {
      renderer.dispose();
      renderer.forceContextLoss();
      renderer = new THREE.WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    }
    this.renderer = renderer;
    this.quality = new Quality(plain, () => this.request());
    if (plain) this.lights.coarse();
    this.renderer.setPixelRatio(this.quality.ratio());
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.canvas = this.renderer.domElement;
    this.canvas.className = "stage-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "3D view of the figures. Drag to rotate, scroll to zoom; arrow keys step through the frames.");
    const label = h("div", { class: "hover-label", hidden: true });
    this.names = new Names();
    place.prepend(this.canvas, this.names.element, label);
    this.cameras = new Cameras(this.canvas, () => this.request());
    this.ground = new GroundView(PALETTES[app.store.get("theme")], true);
    this.scene.add(this.sky.mesh, this.lights.root, this.ground.root, this.ground.scale.root, this.obstacles.root, this.cast.root, this.loads.root);
    this.picking = new Picking(this, app, label);
    for (const key of REDRAWN) app.store.on(key, () => this.request());
    app.store.on("theme", () => this.paint(), true);
    app.store.on("shown", () => this.paint());
    app.store.on("camera", (mode) => this.changeCamera(mode), true);
    this.cameras.controls.addEventListener("start", () => (this.turning = true));
    this.cameras.controls.addEventListener("end", () => ((this.turning = false), this.request()));
    addEventListener("anthropi:push", (event) => {
      const { figure, link, point, impulse } = (event as CustomEvent<{ figure: number; link: number; point: number[]; impulse: number[] }>).detail, view = this.figure(figure);
      if (view) this.flash(view.point(link, point), new THREE.Vector3().fromArray(impulse));
    });
    new ResizeObserver(() => this.resize()).observe(place);
  }

  get views(): FigureView[] {
    return this.cast.figures;
  }

  idOf(index: number): number {
    return this.app.store.get("motion")?.ids[index] ?? index;
  }

  /** Returns the view of a figure by its number in the project. */
  figure(id: number): FigureView | null {
    const k = this.app.store.get("motion")?.ids.indexOf(id) ?? -1;
    return this.cast.figures[k] ?? null;
  }

  /** Requests a new frame. */
  request(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => {
      this.asked = false;
      this.quality.begin(now, this.app.store.get("playing") || this.app.store.get("live") || this.turning);
      this.draw();
    });
  }

  /** Looks at the figure from a named side. */
  lookFrom(name: ViewName): void {
    const [azimuth, elevation] = VIEWS[name];
    this.frame(azimuth, elevation, false);
  }

  /** Shows the whole motion. */
  seeAll(): void {
    const { camera, controls } = this.cameras, from = camera.position.clone().sub(controls.target);
    this.frame((Math.atan2(from.y, from.x) * 180) / Math.PI, (Math.asin(from.z / Math.max(from.length(), 1e-9)) * 180) / Math.PI, true);
  }

  /** Points the camera at new figures from the same side. */
  private frameAnew(): void {
    const { camera, controls } = this.cameras, from = camera.position.clone().sub(controls.target);
    this.frame((Math.atan2(from.y, from.x) * 180) / Math.PI, Math.min(Math.max((Math.asin(from.z / Math.max(from.length(), 1e-9)) * 180) / Math.PI, 4), 60), false);
    this.cameras.forget();
  }

  /** Centres the selected link, or the figure. */
  focus(): void {
    const { figure, link } = this.app.store.get("selection"), view = this.figure(figure) ?? this.views[0];
    if (!view) return;
    const at = link !== null && view.links[link] ? view.point(link, [0, 0, 0]) : this.middle();
    const move = at.sub(this.cameras.controls.target);
    this.cameras.camera.position.add(move);
    this.cameras.controls.target.add(move);
    this.cameras.controls.update();
  }

  /** Rotates the camera about its target by angles [rad] and scales the distance. Used by keyboard shortcuts. */
  turn(azimuth: number, elevation: number, nearer = 1): void {
    const { camera, controls } = this.cameras, at = new THREE.Spherical().setFromVector3(toY(camera.position.clone().sub(controls.target)));
    at.theta += azimuth;
    at.phi = Math.min(Math.max(at.phi - elevation, 0.01), Math.PI - 0.01);
    at.radius *= nearer;
    camera.position.copy(fromY(new THREE.Vector3().setFromSpherical(at))).add(controls.target);
    controls.update();
    this.request();
  }

  lightUp(hovered: { figure: number; link: number } | null): void {
    if (hovered?.figure === this.hovered?.figure && hovered?.link === this.hovered?.link) return;
    this.hovered = hovered;
    this.request();
  }

  /** Shows an impulse for a moment. */
  flash(from: THREE.Vector3, impulse: THREE.Vector3): void {
    this.loads.flash(from, impulse);
  }

  /** Returns the present frame as a PNG, as large as on the screen or of a size in pixels. */
  async picture(size: [number, number] | null = null): Promise<Blob | null> {
    this.sized(size);
    this.picturing = size !== null;
    this.draw();
    this.picturing = false;
    const made = new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, "image/png"));
    if (size) this.sized(null);
    return made;
  }

  /** Records the stage while a function runs, for example while the motion plays, and returns the film (WebM). */
  async film(size: [number, number] | null, play: () => Promise<void>): Promise<Blob> {
    const fixed = this.fixedSize;
    this.fixedSize = size;
    this.sized(size);
    const parts: Blob[] = [], recorder = new MediaRecorder(this.canvas.captureStream(FILM_RATE), { videoBitsPerSecond: FILM_BITS });
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((done) => (recorder.onstop = done));
    recorder.start();
    try {
      await play();
    } finally {
      recorder.stop();
      await stopped;
      this.fixedSize = fixed;
      this.sized(null);
    }
    return new Blob(parts, { type: recorder.mimeType || "video/webm" });
  }

  /** Sets the size of the drawn picture; null means the size on the screen. The element keeps its size. */
  private sized(size: [number, number] | null): void {
    const [wide, tall] = size ?? [this.place.clientWidth, this.place.clientHeight];
    if (!wide || !tall) return;
    this.renderer.setPixelRatio(size ? 1 : this.quality.ratio());
    this.renderer.setSize(wide, tall, false);
    this.cameras.camera.aspect = wide / tall;
    this.cameras.camera.updateProjectionMatrix();
    if (!size) this.request();
  }

  private draw(): void {
    if (!this.fixedSize && !this.picturing && Math.abs(this.renderer.getPixelRatio() - this.quality.ratio()) > 1e-3) this.renderer.setPixelRatio(this.quality.ratio());
    const { store } = this.app, motion = store.get("motion");
    if (!motion && store.get("mode") === "player") return; // the first frame is slow: it compiles the shaders
    if (motion?.frames) {
      const t = store.get("time"), shown = store.get("shown"), ghost = store.get("ghost"), theme = store.get("theme"), selection = store.get("selection");
      this.cast.prepare(motion, ghost, store.get("body"), shown, PALETTES[theme], theme);
      this.cast.update(motion, ghost, t, shown, selection);
      const standing = motion.frames < 2 && !store.get("live");
      this.loads.update(shown.forces ? store.get("project")?.forces ?? [] : [], standing ? null : t, (id) => this.figure(id));
      this.ground.show(motion.header.ground);
      this.cameras.controls.maxPolarAngle = (motion.header.ground ? 0.53 : 1) * Math.PI; // the camera stays above the ground
      this.obstacles.show(motion.header["things"] ?? [], PALETTES[theme].thing);
      this.obstacles.update(motion, t);
      this.firstLook(motion);
      const centre = this.centre(motion, t);
      this.cameras.track(centre, motion !== this.shownMotion, store.get("cameraKeys"), t);
      this.shownMotion = motion;
      this.lights.follow(centre, this.reach(motion, centre));
      for (const view of this.views) {
        const id = this.idOf(view.index);
        view.glow(id === selection.figure ? selection.link : null, this.hovered?.figure === id ? this.hovered.link : null);
      }
      this.names.update(shown.names ? this.views : [], this.cameras.camera, this.place);
    }
    this.ground.centre(this.cameras.controls.target, this.cameras.camera.position);
    this.picking.update();
    this.renderer.render(this.scene, this.cameras.camera);
    this.canvas.dataset["drawn"] = String(Number(this.canvas.dataset["drawn"] ?? 0) + 1);
  }

  /** Returns the position of the figures: the mean of their centres of mass. */
  private centre(motion: Motion, t: number): THREE.Vector3 {
    const sum = new THREE.Vector3(), n = this.views.length || 1;
    this.views.forEach((_, k) => sum.add(this.cast.centre(motion, k, t)));
    return sum.divideScalar(n);
  }

  private middle(): THREE.Vector3 {
    const motion = this.app.store.get("motion");
    return motion ? this.centre(motion, this.app.store.get("time")) : new THREE.Vector3(0, 0, 1);
  }

  /** Returns the radius [m] of the figures about a point. */
  private reach(motion: Motion, centre: THREE.Vector3): number {
    let most = 0.4;
    this.views.forEach((view, k) => (most = Math.max(most, this.cast.centre(motion, k, this.app.store.get("time")).distanceTo(centre) + 0.75 * view.size)));
    return Math.round(most * 4) / 4;
  }

  private firstLook(motion: Motion): void {
    const who = `${motion.ids.join()} ${this.views.map(({ size }) => Math.round(Math.log(size) / Math.log(1.6))).join()}`; // the camera is set again if the size of a figure changes much
    if (this.lookedAt === who || !this.views.length) return;
    const first = this.lookedAt === "";
    this.lookedAt = who;
    if (!first) return this.frameAnew();
    const { azimuth, elevation, follow } = motion.header.camera ?? {};
    if (motion.header.camera?.keys?.length) this.app.store.set("cameraKeys", motion.header.camera.keys as Known["cameraKeys"]);
    const whole = this.app.store.get("mode") === "player" && follow === false;
    if (whole) this.app.store.set("camera", "orbit");
    const [a, e] = VIEWS["three-quarter"];
    this.frame(this.app.store.get("mode") === "player" ? (azimuth ?? a) : a, this.app.store.get("mode") === "player" ? (elevation ?? e) : e, whole);
    this.cameras.forget(); // frames of an empty stage may have been drawn before
  }

  private frame(azimuth: number, elevation: number, whole: boolean): void {
    const motion = this.app.store.get("motion");
    if (!motion) return;
    const times = whole ? Array.from({ length: 25 }, (_, i) => motion.start + (motion.span * i) / 24) : [this.app.store.get("time")];
    const size = Math.max(...this.views.map((view) => view.size), 0.1);
    const places = times.flatMap((t) => this.views.map((_, k) => this.cast.centre(motion, k, t)));
    if (motion.header.ground) for (const at of places) if (at.z > 0.2 * size && at.z < size) at.z = 0.54 * size; // room for the bar above
    this.cameras.look(places, 0.66 * size, azimuth, elevation);
    this.request();
  }

  private changeCamera(mode: Known["camera"]): void {
    this.cameras.mode = mode;
    this.cameras.controls.enablePan = mode !== "fixed";
    this.request();
  }

  private paint(): void {
    const palette = PALETTES[this.app.store.get("theme")], shown = this.app.store.get("shown");
    this.sky.paint(palette);
    this.lights.paint(palette, shown.shadows);
    this.ground.paint(palette, shown.grid);
    this.request();
  }

  private resize(): void {
    const { clientWidth: wide, clientHeight: tall } = this.place;
    if (!wide || !tall || this.fixedSize) return;
    this.renderer.setSize(wide, tall, false);
    this.cameras.camera.aspect = wide / tall;
    this.cameras.camera.updateProjectionMatrix();
    this.draw();
  }
}

/** Converts a vector to the axes of three.js, in which y is up; here z is up. */
const toY = (v: THREE.Vector3) => v.set(v.y, v.z, v.x);
const fromY = (v: THREE.Vector3) => v.set(v.z, v.x, v.y);
