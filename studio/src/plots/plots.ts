// Plots of channels, one chart per unit, with the cursor of the timeline.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { App } from "../app";
import { fill, h, icon } from "../dom";
import { ICONS } from "../icons";
import type { Channel, Motion } from "../motion";
import { channelKey, firstChannels, groupTitle, pickChannels, reading, wordsOf } from "./channels";

const COLOURS = { dark: ["#5ab4c4", "#e5916f", "#e8c26a", "#9c8cf0", "#79b887", "#d987b4", "#8fa3bd", "#c7a27c"], light: ["#1f7f91", "#c2633d", "#b0851b", "#6a58d0", "#3e8a52", "#b04a85", "#5d738f", "#8c6239"] };
const REFRESH_INTERVAL = 150; // [ms] between updates of the charts in a live run
const LEAST = 300; // [pixels] smallest width of a chart

export class Plots {
  readonly element = h("div", { class: "plots" });
  private charts: uPlot[] = [];
  private plotted: Channel[][] = [];
  private refreshed = 0;
  private asked = false;
  private chosenFor: string | null = null;

  constructor(private readonly app: App, place: HTMLElement) {
    place.append(this.element);
    const { store } = app;
    store.on("motion", (motion) => this.take(motion), true);
    store.on("channels", () => this.build());
    store.on("over", () => this.build());
    store.on("theme", () => this.build());
    store.on("time", () => this.redraw());
    store.on("range", ([min, max]) => this.charts.forEach((chart) => chart.setScale("x", { min, max })));
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  private take(motion: Motion | null): void {
    const kind = motion ? motion.header.channels.map(channelKey).join() : null;
    const same = kind === this.chosenFor;
    this.chosenFor = kind;
    if (motion && !same) {
      const has = new Set(motion.header.channels.map(channelKey)), kept = this.app.store.get("channels").filter((key) => has.has(key));
      this.app.store.set("channels", kept.length ? kept : firstChannels(motion));
    }
    this.build();
  }

  private build(): void {
    for (const chart of this.charts) chart.destroy();
    this.charts = [];
    this.plotted = [];
    this.element.parentElement?.classList.toggle("nothing", !this.app.store.get("motion")?.header.channels.length);
    const motion = this.app.store.get("motion"), wanted = this.app.store.get("channels");
    if (motion?.header.gait && this.app.store.get("over") === "cycle") return this.element.replaceChildren(); // plotted over the gait cycle
    const chosen = wanted.map((key) => motion?.header.channels.find((channel) => channelKey(channel) === key)).filter((c): c is Channel => !!c);
    const groups = new Map<string, Channel[]>();
    for (const channel of chosen) {
      const title = `${groupTitle(channel.group)} [${channel.unit}]`;
      groups.set(title, [...(groups.get(title) ?? []), channel]);
    }
    const add = h("button", { class: "quiet small add-channel", type: "button", help: "Chooses the plotted channels: angles, rates, torques, centre of mass, ground reaction.", onclick: () => pickChannels(this.app) }, icon(ICONS.add, false, 14), "Channels");
    fill(this.element, [...groups].map(([title]) => h("figure", { class: "chart", dataset: { title } }, h("figcaption", null, title))), add,
      !chosen.length && h("p", { class: "quiet-text plots-empty" }, "No channels are plotted. Press Channels to choose some."));
    if (!motion || motion.frames < 2) return;
    const places = [...this.element.querySelectorAll<HTMLElement>(".chart")];
    this.plotted = [...groups.values()];
    this.plotted.forEach((channels, i) => this.charts.push(this.chart(motion, channels, places[i]!)));
    this.resize();
    this.redraw();
  }

  private chart(motion: Motion, channels: Channel[], place: HTMLElement): uPlot {
    const theme = this.app.store.get("theme"), style = getComputedStyle(document.documentElement), colour = (name: string) => style.getPropertyValue(name).trim();
    const degrees = inDegrees(channels);
    if (degrees) place.querySelector("figcaption")!.textContent = place.dataset["title"]!.replace("rad", "°");
    const axis: uPlot.Axis = { stroke: colour("--faint"), grid: { stroke: colour("--edge"), width: 1 }, ticks: { show: false }, font: `10px ${colour("--font")}`, size: 20, gap: 2 };
    const options: uPlot.Options = {
      width: 300, height: 120, padding: [6, 8, 0, 0],
      scales: { x: { time: false, range: () => this.app.store.get("range") } },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 5 } },
      legend: { show: true, live: true },
      axes: [axis, { ...axis, size: 38 }],
      series: [{ label: "t", value: (_, v) => (v == null ? "–" : `${v.toFixed(2)} s`) },
        ...channels.map((channel, i) => ({ label: wordsOf(channel), stroke: COLOURS[theme][i % COLOURS[theme].length]!, width: 1.5, value: (_: uPlot, v: number | null) => (v == null || Number.isNaN(v) ? "–" : v.toPrecision(3)) }))],
      hooks: { draw: [(chart) => this.cursor(chart, colour("--mark"))] },
    };
    const chart = new uPlot(options, dataOf(motion, channels), place);
    this.listen(chart);
    return chart;
  }

  /** A press or drag moves the timeline's cursor. */
  private listen(chart: uPlot): void {
    const to = (event: PointerEvent) => {
      this.app.store.set("playing", false);
      const motion = this.app.store.get("motion")!, t = chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x");
      this.app.store.set("time", Math.min(Math.max(t, motion.start), motion.end));
    };
    chart.over.addEventListener("pointerdown", (event) => (chart.over.setPointerCapture(event.pointerId), to(event)));
    chart.over.addEventListener("pointermove", (event) => chart.over.hasPointerCapture(event.pointerId) && to(event));
  }

  private cursor(chart: uPlot, colour: string): void {
    const x = Math.round(chart.valToPos(this.app.store.get("time"), "x", true)) + 0.5, { top, height, left, width } = chart.bbox;
    if (x < left || x > left + width) return;
    chart.ctx.save();
    chart.ctx.strokeStyle = colour;
    chart.ctx.lineWidth = 1.5 * devicePixelRatio;
    chart.ctx.beginPath();
    chart.ctx.moveTo(x, top);
    chart.ctx.lineTo(x, top + height);
    chart.ctx.stroke();
    chart.ctx.restore();
  }

  /** Shows the frames that a live run has added, some times per second. */
  private refresh(): void {
    const motion = this.app.store.get("motion"), now = performance.now();
    if (!motion || !this.app.store.get("live") || now - this.refreshed < REFRESH_INTERVAL || !this.element.offsetParent) return;
    this.refreshed = now;
    if (!this.charts.length && motion.frames > 1) return this.build();
    this.charts.forEach((chart, i) => chart.setData(dataOf(motion, this.plotted[i]!), true));
  }

  private redraw(): void {
    this.refresh();
    if (this.asked || !this.charts.length || !this.element.offsetParent) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const motion = this.app.store.get("motion");
      for (const chart of this.charts) {
        chart.redraw(false, false);
        if (motion && chart.cursor.left! < 0) chart.setLegend({ idx: motion.nearest(this.app.store.get("time")) }, false);
      }
    });
  }

  private resize(): void {
    const places = [...this.element.querySelectorAll<HTMLElement>(".chart")], room = this.element.clientWidth - 20;
    if (room <= 0) return;
    const wide = Math.max(LEAST, Math.floor((room - 10 * (places.length - 1)) / Math.max(places.length, 1)));
    places.forEach((place, i) => {
      place.style.width = `${wide}px`;
      this.charts[i]?.setSize({ width: wide, height: Math.max(70, this.element.clientHeight - 52) });
    });
  }
}

function inDegrees(channels: Channel[]): boolean {
  return channels.every((channel) => channel.unit.startsWith("rad"));
}

/** Returns times and values of the channels; angles in degrees. */
function dataOf(motion: Motion, channels: Channel[]): uPlot.AlignedData {
  const scale = inDegrees(channels) ? 180 / Math.PI : 1;
  return [Float64Array.from(motion.time.subarray(0, motion.frames)), ...channels.map((channel) => motion.column(channel).map((x) => x * scale * reading(channel).sign))];
}
