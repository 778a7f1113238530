// The pointer on the stage: what lies below it, choosing, and what the hand does to a link.

import * as THREE from "three";
import type { App } from "../app";
import type { Stage } from "./stage";

interface Grip {
  figure: number;
  link: number;
  /** The place taken hold of, in the link's frame. */
  point: THREE.Vector3;
  /** How far before the camera the hand is [m], and where on the screen: it goes along with a camera that follows. */
  depth: number;
  at: PointerEvent;
  target: THREE.Vector3;
  kind: "push" | "pose" | "blow";
}

const NEAR = 4; // pixels that are still a click
const BLOW = 60; // [N s] for a metre of drag, on a figure of 75 kg
const OFTEN = 30; // [ms] between two messages of a drag

export class Picking {
  private readonly ray = new THREE.Raycaster();
  private readonly line: THREE.Line;
  private grip: Grip | null = null;
  private down: { x: number; y: number } | null = null;
  private hovered: { figure: number; link: number } | null = null;
  private pointer: PointerEvent | null = null;
  private sent = 0;
  private missed = false;
  private taught = false;

  constructor(private readonly stage: Stage, private readonly app: App, private readonly label: HTMLElement) {
    this.line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), new THREE.LineBasicMaterial({ color: 0xffc46b, depthTest: false, transparent: true }));
    this.line.frustumCulled = this.line.visible = false;
    this.line.renderOrder = 9;
    stage.scene.add(this.line);
    const canvas = stage.canvas;
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", () => this.drop());
    canvas.addEventListener("pointerleave", () => {
      this.pointer = null;
      this.hover(null);
    });
    canvas.addEventListener("dblclick", () => this.hovered && stage.focus());
  }

  /** Called with every picture: the grip follows its link. */
  update(): void {
    if (this.pointer && !this.grip && !this.down) this.hover(this.hit(this.pointer), this.pointer);
    if (!this.grip) return;
    const view = this.stage.figure(this.grip.figure);
    if (!view) return this.drop();
    if (this.grip.kind === "push" && this.aim()) this.send(false);
    this.line.geometry.setFromPoints([view.point(this.grip.link, this.grip.point.toArray()), this.grip.target]);
  }

  private point(event: PointerEvent): void {
    const box = this.stage.canvas.getBoundingClientRect();
    this.ray.setFromCamera(new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), this.stage.cameras.camera);
  }

  private hit(event: PointerEvent): (THREE.Intersection & { figure: number; link: number }) | null {
    this.point(event);
    let best: (THREE.Intersection & { figure: number; link: number }) | null = null;
    for (const view of this.stage.views) {
      const [first] = this.ray.intersectObjects(view.targets(), true);
      const link = first ? view.linkOf(first) : null;
      if (first && link !== null && (!best || first.distance < best.distance)) best = { ...first, figure: this.stage.idOf(view.index), link };
    }
    return best;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.down = { x: event.clientX, y: event.clientY };
    const kind = this.kind(), hit = this.hit(event);
    this.missed = !kind && !!hit && this.app.store.get("tool") !== "look" && this.app.store.get("mode") === "studio";
    if (!kind || !hit) return;
    const view = this.stage.figure(hit.figure)!;
    const point = hit.point.clone().applyMatrix4(view.links[hit.link]!.matrix.clone().invert());
    const { camera } = this.stage.cameras, depth = hit.point.clone().sub(camera.position).dot(camera.getWorldDirection(new THREE.Vector3()));
    this.grip = { figure: hit.figure, link: hit.link, point, depth, at: event, target: hit.point.clone(), kind };
    this.hover(null);
    this.stage.cameras.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.line.visible = true;
    this.stage.canvas.classList.add("holding");
  }

  private move(event: PointerEvent): void {
    if (!this.grip) {
      this.pointer = event;
      if (!this.down) this.stage.request();
      return;
    }
    this.grip.at = event;
    this.aim();
    if (this.grip.kind !== "blow") this.send(false);
    this.stage.request();
  }

  /** Puts the hand below the pointer, as far away as the link was when it was taken; whether it moved. */
  private aim(): boolean {
    const { at, depth, target } = this.grip!, { camera } = this.stage.cameras, facing = camera.getWorldDirection(new THREE.Vector3());
    const before = target.clone(), plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, camera.position.clone().addScaledVector(facing, depth));
    this.point(at);
    this.ray.ray.intersectPlane(plane, target);
    return before.distanceToSquared(target) > 1e-10;
  }

  private release(event: PointerEvent): void {
    const still = this.down && Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < NEAR;
    const grip = this.grip;
    if (this.missed && !still) this.teach();
    if (grip?.kind === "blow") this.blow(grip, !!still);
    else if (grip && !still) this.send(true);
    else if (still && event.button === 0) this.choose(event);
    if (grip?.kind === "push") this.app.connection.tell("release_link", {});
    this.drop();
  }

  private choose(event: PointerEvent): void {
    const hit = this.hit(event), selection = this.app.store.get("selection");
    if (!hit) return this.app.store.set("selection", { ...selection, link: null, dof: null });
    const joint = this.stage.figure(hit.figure)!.look.links[hit.link]!.joint;
    this.app.store.set("selection", { figure: hit.figure, link: hit.link, dof: joint.dofs[0] ?? joint.name });
  }

  /** Once: why the link did not come along. */
  private teach(): void {
    this.missed = false;
    if (this.taught) return;
    this.taught = true;
    this.app.notify({ tone: "info", text: "This motion is recorded, so only the view turns. Press Live to push the figure while it is simulated, or show it as it starts to pose it." });
  }

  private drop(): void {
    this.grip = this.down = null;
    this.line.visible = false;
    this.stage.cameras.controls.enabled = true;
    this.stage.canvas.classList.remove("holding");
    this.stage.request();
  }

  /** What the pointer would do on a link now; null: only the camera moves. */
  private kind(): Grip["kind"] | null {
    const { store } = this.app, tool = store.get("tool");
    if (store.get("mode") === "player" || tool === "look") return null;
    if (tool === "blow") return store.get("run") && store.get("live") ? "blow" : null;
    if (store.get("live")) return "push";
    return store.get("project")?.shown === null ? "pose" : null;
  }

  private send(done: boolean): void {
    const { figure, link, point, target, kind } = this.grip!, now = performance.now();
    if (!done && now - this.sent < OFTEN) return;
    this.sent = now;
    const fields = { figure, link: this.name(figure, link), point: point.toArray(), target: target.toArray() };
    if (kind === "push") this.app.connection.tell("drag_link", fields);
    else if (done) void this.app.run("pose_link", { ...fields, done });
    else this.app.connection.tell("pose_link", { ...fields, done });
  }

  /** Along the drag; a plain click pushes away from the eye. */
  private blow({ figure, link, point, target }: Grip, click: boolean): void {
    const view = this.stage.figure(figure)!, from = view.point(link, point.toArray());
    const mass = view.look.links.reduce((sum, own) => sum + own.mass, 0);
    const impulse = click ? this.stage.cameras.camera.getWorldDirection(new THREE.Vector3()).setZ(0).normalize().multiplyScalar(0.25) : target.clone().sub(from);
    impulse.multiplyScalar((BLOW * mass) / 75);
    void this.app.run("impulse", { figure, link: this.name(figure, link), point: point.toArray(), impulse: impulse.toArray() });
    this.stage.flash(from, impulse);
  }

  private name(figure: number, link: number): string {
    return this.app.store.get("figures").get(figure)?.appearance ? this.stage.figure(figure)!.look.links[link]!.name : "";
  }

  private hover(hit: { figure: number; link: number } | null, event?: PointerEvent): void {
    this.hovered = hit;
    this.stage.lightUp(hit);
    this.stage.canvas.classList.toggle("over", !!hit);
    if (hit && event) {
      const { name, joint } = this.stage.figure(hit.figure)!.look.links[hit.link]!, box = this.stage.canvas.getBoundingClientRect();
      this.label.textContent = joint.name && joint.name !== name ? `${name} · ${joint.name}` : name;
      this.label.style.transform = `translate(${event.clientX - box.left + 14}px, ${event.clientY - box.top + 12}px)`;
    }
    this.label.hidden = !hit;
  }
}
