// The figures on the stage: the figures of the motion, ghosts along its path, and ghosts of another motion.

import * as THREE from "three";
import type { Body, Shown } from "../app";
import type { Appearance, Motion } from "../motion";
import { Extras } from "./extras";
import { FigureView } from "./figure";
import type { Palette } from "./palette";

const TINTS = [null, "#c9a24b", "#7d86d6", "#7fae6a", "#c77fb0", "#5fb0a0"];
const ALONG = 8; // largest number of ghosts along the path

export class Cast {
  readonly root = new THREE.Group();
  figures: FigureView[] = [];
  private extras: Extras[] = [];
  private along: { view: FigureView; time: number }[] = [];
  private others: FigureView[] = [];
  private looks: Appearance[] = [];
  private key = "";
  private alongOf: unknown = null;
  private othersOf: unknown = null;

  /** Builds the bodies of all figures. Bodies are kept as long as their appearance is the same. */
  prepare(motion: Motion, ghost: Motion | null, body: Body, shown: Shown, palette: Palette, theme: string): void {
    const looks = motion.figures.map(({ appearance }) => appearance), key = `${body} ${shown.segments} ${theme} ${motion.ids.join()}`;
    if (key !== this.key || looks.length !== this.looks.length || looks.some((look, i) => look !== this.looks[i])) {
      this.clear();
      this.figures = looks.map((look, k) => new FigureView(look, k, { body, ghost: false, tint: tintOf(k), segments: shown.segments }, palette));
      this.extras = this.figures.map((view) => new Extras(view, palette));
      for (const { root } of [...this.figures, ...this.extras]) this.root.add(root);
      this.looks = looks;
      this.key = key;
    }
    this.prepareAlong(shown.ghosts && motion.frames > 1 ? motion : null, body, palette);
    this.prepareOthers(ghost, body, palette);
  }

  /** Moves all figures to their poses at a time. */
  update(motion: Motion, ghost: Motion | null, t: number, shown: Shown, selected: { figure: number; link: number | null }): void {
    this.figures.forEach((view, k) => {
      motion.poses(k, t, view.poses);
      view.place();
      this.extras[k]!.update(motion, k, t, shown, motion.ids[k] === selected.figure ? selected.link : null);
    });
    for (const { view, time } of this.along) view.root.visible = Math.abs(time - t) > 0.12;
    if (ghost) this.others.forEach((view, k) => {
      ghost.poses(k, t, view.poses);
      view.place();
    });
  }

  /** Returns the centre of mass of a figure at a time. */
  centre(motion: Motion, k: number, t: number): THREE.Vector3 {
    return this.extras[k]?.centre(motion, k, t) ?? new THREE.Vector3(0, 0, 1);
  }

  private prepareAlong(motion: Motion | null, body: Body, palette: Palette): void {
    const of = motion ? `${this.key} ${motion.frames} ${motion.header.title} ${motion.end}` : null;
    if (of === this.alongOf) return;
    this.alongOf = of;
    for (const { view } of this.along) view.dispose();
    this.along = [];
    if (!motion) return;
    this.figures.forEach((figure, k) => {
      for (const time of timesAlong(motion, k, 0.5 * figure.size)) {
        const view = new FigureView(figure.look, k, { body: body === "surface" ? "volume" : body, ghost: true, tint: null }, palette);
        motion.poses(k, time, view.poses);
        view.place();
        this.along.push({ view, time });
        this.root.add(view.root);
      }
    });
  }

  private prepareOthers(ghost: Motion | null, body: Body, palette: Palette): void {
    if (ghost === this.othersOf) return;
    this.othersOf = ghost;
    for (const view of this.others) view.dispose();
    this.others = (ghost?.figures ?? []).map(({ appearance }, k) => new FigureView(appearance, k, { body, ghost: true, tint: null }, palette));
    for (const view of this.others) this.root.add(view.root);
  }

  private clear(): void {
    for (const part of [...this.figures, ...this.extras, ...this.others, ...this.along.map(({ view }) => view)]) part.dispose();
    this.figures = [];
    this.extras = [];
    this.others = [];
    this.along = [];
    this.alongOf = this.othersOf = null;
  }
}

function tintOf(k: number): THREE.Color | null {
  const tint = TINTS[k % TINTS.length];
  return tint ? new THREE.Color(tint) : null;
}

/** Returns times between which a figure moves by a given distance. */
function timesAlong(motion: Motion, k: number, apart: number): number[] {
  const table = motion.table(`com/${k}`) ?? motion.table(`poses/${k}`), times: number[] = [];
  if (!table) return times;
  let far = 0;
  const travelled: number[] = [0];
  for (let i = 1; i < motion.frames; i++) {
    const a = i * table.stride, b = a - table.stride;
    far += Math.hypot(table.data[a]! - table.data[b]!, table.data[a + 1]! - table.data[b + 1]!, table.data[a + 2]! - table.data[b + 2]!);
    travelled.push(far);
  }
  const gap = Math.max(apart, far / ALONG);
  for (let next = 0; next <= far && times.length <= ALONG; next += gap) times.push(motion.time[travelled.findIndex((w) => w >= next)] ?? 0);
  return times;
}
