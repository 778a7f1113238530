// The best value of a result so far, over the points in their order.

import uPlot from "uplot";
import type { App } from "../app";
import { fill, h } from "../dom";
import { choiceField } from "../panels/fields";
import { button } from "../panels/forms";
import { type Column, columnOf, shownNumber, type Table } from "./data";
import { coloursOf } from "./drawing";
import { type StudyStore, whenChanged } from "./state";

export function bestPlot(app: App, store: StudyStore): HTMLElement {
  const place = h("div", { class: "study-chart" }), fields = h("div", { class: "row wrap study-fields" }), found = h("div", { class: "row study-best" });
  const later = whenChanged(store, ["table", "result", "best"], () => draw());
  app.store.on("theme", () => ((drawn = ""), later()));
  new ResizeObserver(() => chart?.setSize(size())).observe(place);
  let chart: uPlot | null = null, names = "", drawn = "", summary = "?";
  const size = () => ({ width: Math.max(place.clientWidth, 120), height: Math.max(place.clientHeight, 60) });
  const order = choiceField({ label: "Best is the", face: "Best", help: "Whether the smallest or the largest value is the best.", choices: [["least", "smallest"], ["most", "largest"]], commit: (value) => store.set("best", value as "least" | "most") });

  function draw(): void {
    const table = store.get("table");
    const results = table?.columns.filter((own) => own.role === "result" && !own.words) ?? [], now = results.map(({ key }) => key).join();
    if (now !== names) {
      names = now;
      const which = choiceField({ label: "Result", help: "The result whose best value is shown.", choices: results.map(({ key, name }) => [key, name] as const), commit: (value) => store.set("result", value) });
      fill(fields, which.element, order.element);
      which.show(store.get("result"));
    }
    for (const select of fields.querySelectorAll<HTMLSelectElement>("select[aria-label='Result']")) select.value = store.get("result");
    order.show(store.get("best"));
    const column = columnOf(table, store.get("result"));
    showFound(column);
    if (!table || !column) {
      chart?.destroy();
      return void ((chart = null), (drawn = ""));
    }
    const kind = `${column.key} ${store.get("best")} ${app.store.get("theme")}`, data = rowsOf(table, column, store.get("best"));
    if (chart && kind === drawn) return void chart.setData(data);
    drawn = kind;
    chart?.destroy();
    chart = new uPlot(options(column.name), data, place);
  }

  function options(name: string): uPlot.Options {
    const style = getComputedStyle(document.documentElement), css = (own: string) => style.getPropertyValue(own).trim();
    const axis: uPlot.Axis = { stroke: css("--quiet"), grid: { stroke: css("--edge"), width: 1 }, ticks: { show: false }, font: `11px ${css("--font")}`, size: 22, gap: 2 };
    const shown = (_: uPlot, x: number | null) => (x === null || x === undefined ? "–" : shownNumber(x));
    return {
      ...size(), padding: [8, 10, 0, 0], scales: { x: { time: false } }, legend: { show: false }, cursor: { y: false, points: { size: 5 } },
      axes: [{ ...axis, label: "number of the point", labelSize: 16, labelFont: `11px ${css("--font")}` }, { ...axis, size: 62, values: (_, all) => all.map(shownNumber) }],
      series: [{ label: "point" }, { label: name, stroke: css("--faint"), width: 0, paths: () => null, points: { show: true, size: 3, fill: css("--faint") }, value: shown },
        { label: `best ${name}`, stroke: coloursOf(null, app.store.get("theme"))[0]!, width: 2, points: { show: false }, spanGaps: true, value: shown }],
    };
  }

  function showFound(column: Column | null): void {
    const extreme = column && (store.get("best") === "least" ? column.least : column.most), now = JSON.stringify([column?.key, store.get("best"), extreme]);
    if (now === summary) return; // the button stays, so that a click is not lost
    summary = now;
    if (!extreme) return fill(found, h("span", { class: "quiet-text" }, "No value yet."));
    fill(found, h("span", { class: "number" }, `${store.get("best") === "least" ? "Smallest" : "Largest"} ${column!.name}: ${shownNumber(extreme.value)}`),
      button(`Point ${extreme.point}`, "Shows the values of this point.", () => store.set("chosen", extreme.point), "quiet small"));
  }

  return h("section", { class: "study-box study-best-box", "aria-label": "Best so far" }, h("header", null, h("h3", null, "Best so far"), fields), place, found);
}

/** Returns the numbers of the points, their values and the best values so far. */
function rowsOf({ count, stride }: Table, column: Column, best: "least" | "most"): uPlot.AlignedData {
  const sign = best === "least" ? 1 : -1, extremes = (best === "least" ? column.low : column.high) ?? column.values;
  const points: number[] = [], values: (number | null)[] = [], so: (number | null)[] = [];
  let now: number | null = null;
  for (let i = 0; i < count; i++) {
    const x = extremes[i]!, own = column.values[i]!;
    if (!Number.isNaN(x) && (now === null || sign * x < sign * now)) now = x;
    points.push(i * stride);
    values.push(Number.isNaN(own) ? null : own);
    so.push(now);
  }
  return [points, values, so];
}
