// The scatter plot of a study: two columns, and a third one as colour. A click or the arrow keys choose a point.

import type { App } from "../app";
import { fill, h } from "../dom";
import { choiceField, type Field } from "../panels/fields";
import { type Column, columnOf, plottable, selected, shownValue, type Table, ticks } from "./data";
import { byColour, coloursOf, fitted, penOf } from "./drawing";
import { type StudyStore, whenChanged } from "./state";

const LEFT = 62, RIGHT = 14, TOP = 8, BOTTOM = 36; // [pixels] margins
const REACH = 14; // [pixels] within which a click finds a point
const MANY = 2000; // points from which they are drawn as small squares

export function scatterPlot(app: App, store: StudyStore): HTMLElement {
  const canvas = h("canvas", { class: "study-canvas", tabIndex: 0, role: "img", help: "Scatter plot. Click a point to show its values; the arrow keys go to the next or previous point." });
  const fields = h("div", { class: "row wrap study-fields" }), legend = h("div", { class: "study-legend" });
  const empty = h("p", { class: "quiet-text study-empty", hidden: true }, "No point is done yet.");
  const later = whenChanged(store, ["table", "brushes", "chosen", "x", "y", "colour"], draw);
  app.store.on("theme", later);
  new ResizeObserver(later).observe(canvas);
  let names = "", choices: Field<string>[] = [];

  function axes(table: Table): { x: Column; y: Column; colour: Column | null } | null {
    const x = columnOf(table, store.get("x")), y = columnOf(table, store.get("y"));
    return x && y ? { x, y, colour: columnOf(table, store.get("colour")) } : null;
  }

  function showFields(table: Table): void {
    const columns = plottable(table), now = columns.map(({ key }) => key).join();
    if (now !== names) {
      names = now;
      const options = columns.map(({ key, name, role }) => [key, role === "index" ? "number of the point" : name] as const);
      const field = (label: string, face: string, help: string, key: "x" | "y" | "colour") => choiceField({ label, face, help, choices: key === "colour" ? [["", "one colour"], ...options] : options, commit: (value) => store.set(key, value) });
      choices = [field("Scatter: across", "Across", "The column of the horizontal axis.", "x"), field("Scatter: up", "Up", "The column of the vertical axis.", "y"), field("Scatter: colour", "Colour", "The column that gives the points their colour.", "colour")];
      fill(fields, choices.map(({ element }) => element));
    }
    choices.forEach((field, i) => field.show(store.get((["x", "y", "colour"] as const)[i]!)));
  }

  function draw(): void {
    const table = store.get("table"), pen = penOf(canvas);
    if (!table) return void fill(legend);
    showFields(table);
    const own = axes(table);
    empty.hidden = !!own;
    if (!own || !pen) return;
    const { context, width, height, css } = pen, { x, y, colour } = own, theme = app.store.get("theme");
    const px = (i: number) => LEFT + part(x, x.values[i]!) * (width - LEFT - RIGHT), py = (i: number) => height - BOTTOM - part(y, y.values[i]!) * (height - TOP - BOTTOM);
    context.strokeStyle = css("--edge");
    context.fillStyle = css("--quiet");
    context.lineWidth = 1;
    context.textAlign = "center";
    for (const { at, text } of ticks(x, Math.max(2, (width - LEFT) / 80))) {
      const here = Math.round(LEFT + part(x, at) * (width - LEFT - RIGHT)) + 0.5;
      line(context, here, TOP, here, height - BOTTOM);
      context.fillText(fitted(context, text, 90), here, height - BOTTOM + 14);
    }
    context.textAlign = "right";
    for (const { at, text } of ticks(y, Math.max(2, (height - BOTTOM) / 45))) {
      const here = Math.round(height - BOTTOM - part(y, at) * (height - TOP - BOTTOM)) + 0.5;
      line(context, LEFT, here, width - RIGHT, here);
      context.fillText(fitted(context, text, LEFT - 8), LEFT - 6, here + 4);
    }
    context.textAlign = "center";
    context.fillStyle = css("--text");
    context.fillText(label(x), LEFT + (width - LEFT - RIGHT) / 2, height - 6);
    const colours = coloursOf(colour, theme), chosen = store.get("chosen"), mask = selected(table, store.get("brushes"));
    const size = table.count > MANY ? 3 : 6;
    const dots = (points: number[], alpha: number) => {
      context.globalAlpha = alpha;
      byColour(colour, colours, points).forEach((group, k) => {
        context.fillStyle = colours[k] ?? css("--faint");
        for (const i of group) {
          const [a, b] = [px(i), py(i)];
          if (Number.isNaN(a + b)) continue;
          if (size < 4) context.fillRect(a - 1.5, b - 1.5, 3, 3);
          else (context.beginPath(), context.arc(a, b, 3, 0, 7), context.fill());
        }
      });
      context.globalAlpha = 1;
    };
    const all = [...Array(table.count).keys()];
    if (mask) dots(all.filter((i) => !mask[i]), 0.1);
    dots(mask ? all.filter((i) => mask[i]) : all, 0.85);
    const at = chosen === null || chosen % table.stride ? -1 : chosen / table.stride;
    if (at >= 0 && at < table.count && !Number.isNaN(px(at) + py(at))) {
      context.strokeStyle = css("--text");
      context.lineWidth = 2;
      context.beginPath();
      context.arc(px(at), py(at), 7, 0, 7);
      context.stroke();
    }
    canvas.setAttribute("aria-label", `Scatter plot of ${y.name} over ${x.name}, ${mask ? mask.reduce((n, k) => n + k, 0) : table.count} points`);
    showLegend(colour, colours);
  }

  function showLegend(colour: Column | null, colours: readonly string[]): void {
    if (!colour) return fill(legend);
    if (colour.words) return fill(legend, colour.words.slice(0, 12).map((word, i) => h("span", { class: "study-key" }, h("i", { style: { background: colours[i]! } }), word)));
    const bar = h("i", { class: "study-ramp", style: { background: `linear-gradient(to right, ${colours.filter((_, i) => i % 6 === 0).join(", ")})` } });
    fill(legend, h("span", { class: "study-key" }, colour.name, h("small", { class: "number" }, shownValue(colour, colour.range[0])), bar, h("small", { class: "number" }, shownValue(colour, colour.range[1]))));
  }

  canvas.addEventListener("click", (event) => {
    const table = store.get("table"), own = table && axes(table), box = canvas.getBoundingClientRect();
    if (!table || !own) return;
    const mask = selected(table, store.get("brushes")), { x, y } = own, [w, t] = [box.width, box.height];
    let best = REACH ** 2, found: number | null = null;
    for (let i = 0; i < table.count; i++) {
      if (mask && !mask[i]) continue;
      const a = LEFT + part(x, x.values[i]!) * (w - LEFT - RIGHT) - (event.clientX - box.left), b = t - BOTTOM - part(y, y.values[i]!) * (t - TOP - BOTTOM) - (event.clientY - box.top);
      if (a * a + b * b < best) (best = a * a + b * b), (found = i * table.stride);
    }
    store.set("chosen", found);
  });
  canvas.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key], table = store.get("table");
    if (!by || !table?.count) return;
    event.preventDefault();
    event.stopPropagation();
    const mask = selected(table, store.get("brushes")), chosen = store.get("chosen");
    let i = chosen === null ? (by > 0 ? -1 : table.count) : Math.round(chosen / table.stride);
    do i += by; while (mask && i >= 0 && i < table.count && !mask[i]);
    if (i >= 0 && i < table.count) store.set("chosen", i * table.stride);
  });
  return h("section", { class: "study-box study-scatter", "aria-label": "Scatter plot" }, h("header", null, h("h3", null, "Scatter"), fields), canvas, empty, legend);
}

function part({ range: [low, high] }: Column, x: number): number {
  return 0.02 + 0.96 * ((x - low) / (high - low));
}

function label({ role, name }: Column): string {
  return role === "index" ? "number of the point" : name;
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
