// Parallel coordinates of a study: one axis for each column, one line for each point. A drag on an axis selects a part.

import type { App } from "../app";
import { fill, h } from "../dom";
import { menu } from "../menu";
import { button } from "../panels/forms";
import { type Column, columnOf, plottable, selected, shownValue, type Table, ticks } from "./data";
import { byColour, coloursOf, fitted, penOf } from "./drawing";
import { type StudyStore, whenChanged } from "./state";

const TOP = 24, BOTTOM = 12, SIDE = 50; // [pixels] margins
const MAX_LINES = 5000; // lines that are drawn
const FIRST_AXES = 9; // axes that are shown at first
const LEAST = 0.02; // smallest part of an axis that a drag selects

export function parallelPlot(app: App, store: StudyStore): HTMLElement {
  const canvas = h("canvas", { class: "study-canvas" }), handles = h("div", { class: "study-axes" }), words = h("span", { class: "quiet-text", role: "status" });
  const clear = button("Clear selection", "Selects all points again.", () => store.set("brushes", new Map()), "quiet small");
  const axesMenu = menu("Axes", "Axes", "Chooses the columns that have an axis.", () => {
    const table = store.get("table"), shown = table ? axes(table).map(({ key }) => key) : [];
    return (table ? plottable(table) : []).map(({ key, name, role }) => ({ label: role === "index" ? "number of the point" : name, checked: shown.includes(key), run: () => store.set("axes", shown.includes(key) ? shown.filter((own) => own !== key) : [...shown, key]) }));
  });
  axesMenu.querySelector("button")!.className = "quiet small";
  const later = whenChanged(store, ["table", "brushes", "chosen", "colour", "axes"], draw);
  app.store.on("theme", later);
  new ResizeObserver(later).observe(canvas);
  let made = "";

  function axes(table: Table): Column[] {
    const chosen = store.get("axes"), all = plottable(table);
    return chosen ? all.filter(({ key }) => chosen.includes(key)) : all.filter(({ role }) => role !== "index").slice(0, FIRST_AXES);
  }

  function draw(): void {
    const table = store.get("table"), pen = penOf(canvas);
    if (!table || !pen) return;
    const shown = axes(table), { context, width, height, css } = pen, brushes = store.get("brushes");
    const across = (k: number) => (shown.length < 2 ? width / 2 : SIDE + (k * (width - 2 * SIDE)) / (shown.length - 1));
    const up = (column: Column, x: number) => height - BOTTOM - part(column, x) * (height - TOP - BOTTOM);
    const colour = columnOf(table, store.get("colour")), colours = coloursOf(colour, app.store.get("theme"));
    const mask = selected(table, brushes), step = Math.ceil(table.count / MAX_LINES) || 1;
    const all = [...Array(table.count).keys()].filter((i) => i % step === 0);
    const lines = (points: number[], alpha: number) => {
      context.globalAlpha = alpha;
      context.lineWidth = 1;
      byColour(colour, colours, points).forEach((group, k) => {
        context.strokeStyle = colours[k] ?? css("--faint");
        context.beginPath();
        for (const i of group) trace(i);
        context.stroke();
      });
      context.globalAlpha = 1;
    };
    const trace = (i: number) => {
      let drawing = false;
      shown.forEach((column, k) => {
        const x = column.values[i]!;
        if (Number.isNaN(x)) return void (drawing = false);
        if (drawing) context.lineTo(across(k), up(column, x));
        else context.moveTo(across(k), up(column, x));
        drawing = true;
      });
    };
    const dense = (n: number) => Math.min(0.8, Math.max(0.08, 60 / Math.max(n, 1)));
    if (mask) lines(all.filter((i) => !mask[i]), 0.05);
    const lit = mask ? all.filter((i) => mask[i]) : all;
    lines(lit, dense(lit.length));
    const chosen = store.get("chosen");
    if (chosen !== null && chosen % table.stride === 0 && chosen / table.stride < table.count) {
      context.strokeStyle = css("--text");
      context.lineWidth = 2.5;
      context.beginPath();
      trace(chosen / table.stride);
      context.stroke();
    }
    shown.forEach((column, k) => axis(column, across(k), k));
    showHandles(shown, across, height);
    const count = mask ? mask.reduce((n, own) => n + own, 0) : table.count;
    words.textContent = `${mask ? `${count.toLocaleString("en")} of ${table.count.toLocaleString("en")} shown points selected` : "Drag on an axis to select points."}${step > 1 ? ` Lines of every ${step}th shown point.` : ""}`;
    clear.disabled = !brushes.size;

    function axis(column: Column, x: number, k: number): void {
      context.strokeStyle = css("--edge-strong");
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(Math.round(x) + 0.5, TOP);
      context.lineTo(Math.round(x) + 0.5, height - BOTTOM);
      context.stroke();
      context.textAlign = k === shown.length - 1 && shown.length > 1 ? "right" : "left";
      const side = context.textAlign === "right" ? -5 : 5, room = shown.length > 1 ? across(1) - across(0) : width;
      for (const { at, text } of ticks(column, Math.max(2, height / 45))) {
        const shownText = fitted(context, text, Math.min(80, room - 8)), y = up(column, at) + 4, long = context.measureText(shownText).width;
        context.fillStyle = css("--panel");
        context.globalAlpha = 0.75;
        context.fillRect(x + side - (side < 0 ? long : 0) - 1, y - 10, long + 2, 13);
        context.globalAlpha = 1;
        context.fillStyle = css("--quiet");
        context.fillText(shownText, x + side, y);
      }
      context.fillStyle = css("--text");
      context.textAlign = "center";
      context.fillText(fitted(context, column.role === "index" ? "number of the point" : column.name, Math.min(room - 6, 2 * SIDE - 4)), x, 14);
    }
  }

  /** Places the handles of the axes, which can be dragged and have the focus; made again only if the axes change. */
  function showHandles(shown: Column[], across: (k: number) => number, height: number): void {
    const now = shown.map(({ key }) => key).join();
    if (now !== made) {
      made = now;
      fill(handles, shown.map(({ key }) => handle(key)));
    }
    shown.forEach((column, k) => {
      const element = handles.children[k] as HTMLElement, brush = store.get("brushes").get(column.key), bar = element.firstElementChild as HTMLElement;
      Object.assign(element.style, { left: `${across(k) - 13}px`, top: `${TOP}px`, height: `${height - TOP - BOTTOM}px` });
      bar.hidden = !brush;
      const [low, high] = brush ? [part(column, brush[0]), part(column, brush[1])] : [0, 1];
      if (brush) Object.assign(bar.style, { bottom: `${100 * low}%`, height: `${100 * Math.max(high - low, 0.005)}%` });
      const [least, most] = column.range;
      for (const [name, value] of Object.entries({ valuemin: least, valuemax: most, valuenow: brush ? (brush[0] + brush[1]) / 2 : (least + most) / 2, valuetext: brush ? `from ${shownValue(column, brush[0])} to ${shownValue(column, brush[1])}` : "all", label: `Selection of ${column.name}` }))
        element.setAttribute(`aria-${name}`, String(value));
    });
  }

  function handle(key: string): HTMLElement {
    const element = h("div", { class: "study-axis", tabIndex: 0, role: "slider", "aria-orientation": "vertical", dataset: { axis: key }, help: "Drag to select a part of this axis; click to select all. Keys: Enter selects, ↑ ↓ move, Shift ↑ ↓ widen or narrow, Delete clears." }, h("div", { class: "study-brush", hidden: true }));
    element.dataset["tip"] = "none";
    const set = (range: readonly [number, number] | null) => {
      const brushes = new Map(store.get("brushes")), column = columnOf(store.get("table"), key);
      if (range && column) brushes.set(key, [value(column, Math.min(...range)), value(column, Math.max(...range))]);
      else brushes.delete(key);
      store.set("brushes", brushes);
    };
    let from: number | null = null;
    const at = (event: PointerEvent) => {
      const box = element.getBoundingClientRect();
      return Math.min(1, Math.max(0, 1 - (event.clientY - box.top) / box.height));
    };
    element.addEventListener("pointerdown", (event) => (element.setPointerCapture(event.pointerId), (from = at(event))));
    element.addEventListener("pointermove", (event) => from !== null && Math.abs(at(event) - from) > LEAST && set([from, at(event)]));
    element.addEventListener("pointerup", (event) => {
      if (from !== null && Math.abs(at(event) - from) <= LEAST) set(null);
      from = null;
    });
    element.addEventListener("pointercancel", () => (from = null));
    element.addEventListener("keydown", (event) => {
      const column = columnOf(store.get("table"), key), brush = store.get("brushes").get(key);
      if (!column) return;
      const now = brush ? [part(column, brush[0]), part(column, brush[1])] as const : null;
      const by = event.key === "ArrowUp" ? 0.05 : event.key === "ArrowDown" ? -0.05 : 0;
      if (event.key === "Enter" || event.key === " ") set(now ?? [0.25, 0.75]);
      else if (event.key === "Delete" || event.key === "Backspace" || (event.key === "Escape" && now)) set(null);
      else if (by && !now) set(by > 0 ? [0.5, 1] : [0, 0.5]);
      else if (by && now && event.shiftKey) set([Math.max(0, now[0] - by / 2), Math.min(1, Math.max(now[1] + by / 2, now[0] - by / 2 + LEAST))]);
      else if (by && now) {
        const move = Math.max(-now[0], Math.min(1 - now[1], by));
        set([now[0] + move, now[1] + move]);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return element;
  }

  return h("section", { class: "study-box study-parallel", "aria-label": "Parallel coordinates" },
    h("header", null, h("h3", null, "Parallel coordinates"), words, h("div", { class: "spread" }), clear, axesMenu),
    h("div", { class: "study-stack" }, canvas, handles));
}

function part({ range: [low, high] }: Column, x: number): number {
  return (x - low) / (high - low);
}

function value({ range: [low, high] }: Column, t: number): number {
  return low + t * (high - low);
}
