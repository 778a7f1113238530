// Joint angles and ground forces over the gait cycle, with the bands of the norm, for both legs.

import type { App } from "../app";
import { fill, h } from "../dom";
import { legAngles } from "./angles";
import { type NormCurve, type Side, SIDES } from "./norms";
import { Strides } from "./strides";

const PAST = 6; // strides of each leg that are drawn in a live run
const REFRESH = 1000; // [ms] between drawings of past strides in a live run
const LEFT = 30, BOTTOM = 15, TOP = 4, RIGHT = 6; // [pixels] around the curves
const TICKS = { wide: [0, 0.2, 0.4, 0.6, 0.8, 1], narrow: [0, 0.5, 1] }, NARROW = 215; // phases; [pixels]
const SHORT: Record<Side, string> = { l: "L", r: "R" };

interface Chart {
  curve: NormCurve;
  canvas: HTMLCanvasElement;
  still: HTMLCanvasElement;
  values: Record<Side, HTMLElement>;
  low: number;
  high: number;
}

interface Colours {
  l: string;
  r: string;
  band: string;
  mean: string;
  grid: string;
  text: string;
  font: string;
}

export class CycleCharts {
  readonly element = h("div", { class: "cycle", role: "group", "aria-label": "Over the gait cycle" });
  strides: Strides | null = null;
  private charts: Chart[] = [];
  private colours!: Colours;
  private painted = 0;
  private asked = false;

  constructor(private readonly app: App) {
    const { store } = app;
    store.on("motion", () => this.build(), true);
    store.on("theme", () => this.paint());
    store.on("time", () => this.request());
    store.on("over", () => this.paint());
    new ResizeObserver(() => this.paint()).observe(this.element);
  }

  /** Returns hip flexion, knee flexion and ankle dorsiflexion [°] of a leg in a pose of the links. */
  angles(side: Side, poses: ArrayLike<number>): [number, number, number] {
    return legAngles(this.strides!.norms, side, poses, 0);
  }

  private build(): void {
    const motion = this.app.store.get("motion"), norms = motion?.header.gait ?? null;
    if (this.strides?.motion === motion && this.strides) return;
    this.strides = motion && norms ? new Strides(motion, norms) : null;
    this.charts = (norms?.curves ?? []).map((curve) => {
      const values = { l: h("output", { class: "left number" }), r: h("output", { class: "right number" }) };
      return { curve, canvas: h("canvas"), still: document.createElement("canvas"), values, low: 0, high: 1 };
    });
    fill(this.element, this.charts.map(({ curve, canvas, values }) =>
      h("figure", { class: "cycle-chart", "aria-label": `${curve.title} over the gait cycle`, help: `${curve.title} [${curve.unit}] from strike to strike of each foot. The band is the mean of people ± one standard deviation at this speed (${norms!.source}).` },
        h("figcaption", null, h("b", null, curve.title), h("small", null, curve.unit), h("span", { class: "spread" }), values.l, values.r), canvas)));
    this.paint();
  }

  private request(): void {
    if (this.asked || !this.strides || !this.element.offsetParent) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (this.strides?.update() && performance.now() - this.painted > REFRESH) return this.paint();
      this.draw();
    });
  }

  /** Draws what stays: bands, axes and past strides. */
  private paint(): void {
    if (!this.strides || !this.element.offsetParent) return;
    this.painted = performance.now();
    const style = getComputedStyle(document.documentElement), colour = (name: string) => style.getPropertyValue(name).trim();
    this.colours = { l: colour("--leg-left"), r: colour("--leg-right"), band: colour("--band"), mean: colour("--quiet"), grid: colour("--edge"), text: colour("--faint"), font: `10px ${colour("--font")}` };
    for (const chart of this.charts) {
      const { clientWidth: wide, clientHeight: tall } = chart.canvas;
      if (!wide || !tall) continue;
      for (const canvas of [chart.canvas, chart.still]) {
        canvas.width = Math.round(wide * devicePixelRatio);
        canvas.height = Math.round(tall * devicePixelRatio);
      }
      this.still(chart, wide, tall);
    }
    this.draw();
  }

  private still(chart: Chart, wide: number, tall: number): void {
    const { strides, colours } = this, { curve } = chart, draw = chart.still.getContext("2d")!, live = this.app.store.get("live");
    const past = SIDES.map((side) => ({ side, curves: strides!.strides(side, !live).slice(live ? -PAST : 0).map((stride) => strides!.curve(side, curve.name, stride)) }));
    const low = curve.mean.map((x, k) => x - curve.sd[k]!), high = curve.mean.map((x, k) => x + curve.sd[k]!);
    const all = [...low, ...high, ...past.flatMap(({ curves }) => curves.flatMap((points) => points.map(([, x]) => x)))].filter(Number.isFinite);
    const least = Math.min(...all), most = Math.max(...all), margin = 0.06 * (most - least);
    [chart.low, chart.high] = [least - margin, most + margin];
    draw.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    draw.clearRect(0, 0, wide, tall);
    const { x, y } = this.scales(chart, wide, tall), at = (k: number) => x(k / (curve.mean.length - 1));
    draw.font = colours.font;
    draw.fillStyle = colours.text;
    draw.strokeStyle = colours.grid;
    draw.lineWidth = 1;
    draw.textAlign = "right";
    draw.textBaseline = "middle";
    for (const tick of ticksOf(chart.low, chart.high)) {
      line(draw, [[x(0), Math.round(y(tick)) + 0.5], [x(1), Math.round(y(tick)) + 0.5]]);
      draw.fillText(String(tick).replace("-", "−"), LEFT - 5, y(tick));
    }
    draw.textAlign = "center";
    draw.textBaseline = "bottom";
    for (const tick of wide < NARROW ? TICKS.narrow : TICKS.wide) draw.fillText(tick === 1 ? "100 %" : String(100 * tick), x(tick) - (tick === 1 ? 12 : 0), tall - 1);
    draw.fillStyle = colours.band;
    draw.beginPath();
    high.forEach((value, k) => (k ? draw.lineTo(at(k), y(value)) : draw.moveTo(at(k), y(value))));
    for (let k = low.length - 1; k >= 0; k--) draw.lineTo(at(k), y(low[k]!));
    draw.fill();
    draw.strokeStyle = colours.mean;
    draw.setLineDash([3, 3]);
    line(draw, curve.mean.map((value, k) => [at(k), y(value)]));
    draw.setLineDash([]);
    for (const { side, curves } of past) {
      draw.strokeStyle = colours[side];
      draw.globalAlpha = 0.28;
      for (const points of curves) line(draw, points.map(([p, value]) => [x(p), y(value)]));
      draw.globalAlpha = 1;
    }
  }

  /** Draws the present strides up to the present time, with a cursor for each leg. */
  private draw(): void {
    const { strides, colours } = this, t = this.app.store.get("time");
    if (!strides || !colours) return;
    const now = SIDES.map((side) => ({ side, at: strides.at(side, t) }));
    for (const chart of this.charts) {
      const { canvas, curve } = chart, wide = canvas.clientWidth, tall = canvas.clientHeight, draw = canvas.getContext("2d")!;
      if (!chart.still.width) continue;
      draw.setTransform(1, 0, 0, 1, 0, 0);
      draw.clearRect(0, 0, canvas.width, canvas.height);
      draw.drawImage(chart.still, 0, 0);
      draw.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      const { x, y } = this.scales(chart, wide, tall);
      for (const { side, at } of now) {
        const points = at ? strides.curve(side, curve.name, at.stride, t) : [], last = points[points.length - 1];
        chart.values[side].textContent = last && Number.isFinite(last[1]) ? `${SHORT[side]} ${numberOf(last[1], curve.unit)}` : "";
        if (!at || !last || !Number.isFinite(last[1])) continue;
        draw.strokeStyle = draw.fillStyle = colours[side];
        draw.globalAlpha = 0.45;
        draw.lineWidth = 1;
        line(draw, [[x(at.phase), TOP], [x(at.phase), tall - BOTTOM]]);
        draw.globalAlpha = 1;
        draw.lineWidth = 2;
        line(draw, points.map(([p, value]) => [x(p), y(value)]));
        draw.beginPath();
        draw.arc(x(last[0]), y(last[1]), 3.2, 0, 2 * Math.PI);
        draw.fill();
      }
    }
    this.element.dataset["phase"] = now.map(({ at }) => (at ? at.phase.toFixed(3) : "")).join(" ");
  }

  private scales({ low, high }: Chart, wide: number, tall: number): { x(phase: number): number; y(value: number): number } {
    return { x: (phase) => LEFT + phase * (wide - LEFT - RIGHT), y: (value) => TOP + ((high - value) / (high - low)) * (tall - TOP - BOTTOM) };
  }
}

function line(draw: CanvasRenderingContext2D, points: number[][]): void {
  draw.beginPath();
  points.forEach(([x, y], k) => (k ? draw.lineTo(x!, y!) : draw.moveTo(x!, y!)));
  draw.stroke();
}

function numberOf(value: number, unit: string): string {
  return (unit === "°" ? value.toFixed(0) : value.toFixed(2)).replace(/^-(0(\.0*)?)$/, "$1").replace("-", "−");
}

/** Returns two to four round numbers between two bounds. */
function ticksOf(low: number, high: number): number[] {
  const raw = (high - low) / 3, power = 10 ** Math.floor(Math.log10(raw)), step = power * ([1, 2, 5, 10].find((f) => f * power >= raw) ?? 10), found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(Number((k * step).toPrecision(6)));
  return found;
}
