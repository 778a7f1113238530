// The chosen point of a study with its exact values, and the points that failed.

import type { App } from "../app";
import { fill, h } from "../dom";
import type { StudyPoint } from "../messages";
import { numberField } from "../panels/fields";
import { button } from "../panels/forms";
import { shownNumber } from "./data";
import type { StudyStore } from "./state";

export function pointDetails(app: App, store: StudyStore): HTMLElement {
  const content = h("div", { class: "study-row", "aria-live": "polite" });
  const number = numberField(app, { label: "Point number", face: "Point", help: "Number of the point to show; the first one is 0.", min: 0, step: 1, empty: "–", digits: 12, commit: (x) => store.set("chosen", x === null ? null : Math.round(x)) });
  let asked = "";
  const show = async () => {
    const chosen = store.get("chosen"), data = store.get("table")?.data;
    number.show(chosen);
    const now = `${data?.study} ${data?.revision} ${chosen}`;
    if (now === asked) return;
    asked = now;
    if (chosen === null || !data?.begun) return fill(content, h("p", { class: "quiet-text" }, "Click a point in the scatter plot, or enter its number."));
    const point = await app.run("get_study_point", { study: data.study, point: chosen });
    if (now !== asked) return;
    if (!point) return store.set("chosen", null);
    fill(content, row(point));
  };
  store.on("chosen", () => void show());
  store.on("table", () => void show());
  void show();
  return h("section", { class: "study-box study-details", "aria-label": "Chosen point" }, h("header", null, h("h3", null, "Chosen point"), number.element), content);
}

function row({ status, values, results, message, worker }: StudyPoint): HTMLElement[] {
  const rows = (title: string, all: Record<string, unknown>) => [h("tr", null, h("th", { colSpan: 2, scope: "colgroup" }, title)), ...Object.entries(all).map(([name, value]) => h("tr", null, h("td", null, name), h("td", { class: "number" }, written(value))))];
  return [
    h("table", null, h("tbody", null, rows("Point", values), Object.keys(results).length > 0 && rows("Results", results), h("tr", null, h("td", null, "status"), h("td", { class: status === "done" || status === "missing" ? "number" : "number study-bad" }, status)))),
    ...(message ? [h("p", { class: "study-message" }, message), h("p", { class: "quiet-text" }, `Worker ${worker}`)] : []),
  ];
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(", ");
  if (value === null) return "not a number";
  return typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(9))) : String(value);
}

export function failureTable(store: StudyStore): HTMLElement {
  const content = h("div", { class: "study-failures" }), count = h("span", { class: "quiet-text" });
  let shown = "";
  store.on("table", (table) => {
    const data = table?.data, failures = data?.failures ?? [], faults = data?.faults ?? [], now = JSON.stringify([failures, faults]);
    count.textContent = data?.failed ? `${data.failed.toLocaleString("en")}${data.failed > failures.length ? `; the first ${failures.length} are listed` : ""}` : "";
    if (now === shown) return;
    shown = now;
    fill(content, faults.map((text) => h("p", { class: "study-message" }, text)),
      failures.length > 0 && h("table", null, h("thead", null, h("tr", null, ["Point", "Kind", "Message"].map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", null, failures.map(({ point, failure, message }) => h("tr", null, h("td", null, button(shownNumber(point), "Shows the values of this point.", () => store.set("chosen", point), "quiet small", `Point ${point}`)), h("td", null, failure), h("td", null, message))))),
      !failures.length && !faults.length && h("p", { class: "quiet-text" }, "No point has failed."));
  }, true);
  return h("section", { class: "study-box", "aria-label": "Failures" }, h("header", null, h("h3", null, "Failures"), count), content);
}
