// The pointer on the stage: hovering, choosing, dragging and pushing links.

import * as THREE from "three";
import type { App } from "../app";
import type { Stage } from "./stage";

interface Drag {
  figure: number;
  link: number;
  /** The dragged point, in the link's frame. */
  point: THREE.Vector3;
  /** Distance [m] of the target from the camera, and the last pointer event: with both, the target can move with the camera. */
  depth: number;
  at: PointerEvent;
  target: THREE.Vector3;
  kind: "drag" | "pose" | "impulse";
}

const CLICK_DISTANCE = 4; // [pixels] a press that moves less is a click
const IMPULSE_PER_METRE = 60; // [N s] impulse per metre of the drawn arrow, for a figure of 75 kg
const SEND_INTERVAL = 30; // [ms] between two messages of a drag

export class Picking {
  private readonly ray = new THREE.Raycaster();
  private readonly line: THREE.Line;
  private drag: Drag | null = null;
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

  /** Called with every frame, so that the drag follows its link. */
  update(): void {
    if (this.pointer && !this.drag && !this.down) this.hover(this.hit(this.pointer), this.pointer);
    if (!this.drag) return;
    const view = this.stage.figure(this.drag.figure);
    if (!view) return this.drop();
    if (this.drag.kind === "drag" && this.moveTarget()) this.send(false);
    this.line.geometry.setFromPoints([view.point(this.drag.link, this.drag.point.toArray()), this.drag.target]);
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
    this.drag = { figure: hit.figure, link: hit.link, point, depth, at: event, target: hit.point.clone(), kind };
    this.hover(null);
    this.stage.cameras.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.line.visible = true;
    this.stage.canvas.classList.add("holding");
  }

  private move(event: PointerEvent): void {
    if (!this.drag) {
      this.pointer = event;
      if (!this.down) this.stage.request();
      return;
    }
    this.drag.at = event;
    this.moveTarget();
    if (this.drag.kind !== "impulse") this.send(false);
    this.stage.request();
  }

  /** Moves the target to the pointer, at the distance that the link had when the drag began. Returns whether it moved. */
  private moveTarget(): boolean {
    const { at, depth, target } = this.drag!, { camera } = this.stage.cameras, facing = camera.getWorldDirection(new THREE.Vector3());
    const before = target.clone(), plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, camera.position.clone().addScaledVector(facing, depth));
    this.point(at);
    this.ray.ray.intersectPlane(plane, target);
    return before.distanceToSquared(target) > 1e-10;
  }

  private release(event: PointerEvent): void {
    const still = this.down && Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < CLICK_DISTANCE;
    const drag = this.drag;
    if (this.missed && !still) this.teach();
    if (drag?.kind === "impulse") this.push(drag, !!still);
    else if (drag && !still) this.send(true);
    else if (still && event.button === 0) this.choose(event);
    if (drag?.kind === "drag") this.app.connection.post("release_link", {});
    this.drop();
  }

  private choose(event: PointerEvent): void {
    const hit = this.hit(event), selection = this.app.store.get("selection");
    if (!hit) return this.app.store.set("selection", { ...selection, link: null, dof: null });
    const joint = this.stage.figure(hit.figure)!.look.links[hit.link]!.joint;
    this.app.store.set("selection", { figure: hit.figure, link: hit.link, dof: joint.dofs[0] ?? joint.name });
  }

  /** Shows, only once, a message that explains why the link does not move. */
  private teach(): void {
    this.missed = false;
    if (this.taught) return;
    this.taught = true;
    this.app.notify({ tone: "info", text: "A recorded motion is shown, so only the camera moves. Press Live to drag the figure in a simulation, or choose 'Initial pose' under Motions to pose it." });
  }

  private drop(): void {
    this.drag = this.down = null;
    this.line.visible = false;
    this.stage.cameras.controls.enabled = true;
    this.stage.canvas.classList.remove("holding");
    this.stage.request();
  }

  /** Returns what a drag on a link does at present, or null if only the camera moves. */
  private kind(): Drag["kind"] | null {
    const { store } = this.app, tool = store.get("tool");
    if ((store.get("mode") === "player" && !store.get("live")) || tool === "look") return null;
    if (tool === "impulse") return store.get("run") && store.get("live") ? "impulse" : null;
    if (store.get("live")) return "drag";
    return store.get("project")?.shown === null ? "pose" : null;
  }

  private send(done: boolean): void {
    const { figure, link, point, target, kind } = this.drag!, now = performance.now();
    if (!done && now - this.sent < SEND_INTERVAL) return;
    this.sent = now;
    const fields = { figure, link: this.name(figure, link), point: point.toArray(), target: target.toArray() };
    if (kind === "drag") this.app.connection.post("drag_link", fields);
    else if (done) void this.app.run("pose_link", { ...fields, done });
    else this.app.connection.post("pose_link", { ...fields, done });
  }

  /** Applies an impulse along the drag; a click pushes away from the camera. */
  private push({ figure, link, point, target }: Drag, click: boolean): void {
    const view = this.stage.figure(figure)!, from = view.point(link, point.toArray());
    const mass = view.look.links.reduce((sum, own) => sum + own.mass, 0);
    const impulse = click ? this.stage.cameras.camera.getWorldDirection(new THREE.Vector3()).setZ(0).normalize().multiplyScalar(0.25) : target.clone().sub(from);
    impulse.multiplyScalar((IMPULSE_PER_METRE * mass) / 75);
    void this.app.run("impulse", { figure, link: this.name(figure, link), point: point.toArray(), impulse: impulse.toArray() });
    this.stage.flash(from, impulse);
  }

  private name(figure: number, link: number): string {
    return this.stage.figure(figure)?.look.links[link]?.name ?? "";
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
