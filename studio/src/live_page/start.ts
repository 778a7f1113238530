// Starts a live page: reads the simulation that the page contains and runs it, at once or when "Push it" is pressed.

import type { App } from "../app";
import { h } from "../dom";
import { explainFailure } from "../help/toasts";
import { bytesOf, inflated } from "../motion";
import { readLive } from "./description";
import { mountLivePanel } from "./panel";
import { LivePageRun } from "./run";

export async function startLive(app: App, element: HTMLElement, place: HTMLElement): Promise<void> {
  const { store } = app;
  try {
    const buffer = await inflated(bytesOf(element.textContent ?? ""));
    element.remove();
    const { description } = readLive(buffer), shown = store.get("motion");
    if (!shown) return;
    const begin = () => {
      store.set("playing", false);
      store.set("tool", "hand");
      store.set("camera", "follow");
      const run = new LivePageRun(app, description, buffer, shown);
      mountLivePanel(app, run, place);
      Object.assign((globalThis as unknown as { anthropi: object }).anthropi, { run }); // for the console, and for tests
    };
    if (shown.frames < 2) return begin();
    const start = h("button", { class: "primary push-it", type: "button", help: "Runs the simulation in this page: push the figure, drag it, change its speed.", onclick: () => (start.remove(), begin()) }, "Push it");
    place.append(start);
  } catch (error) {
    explainFailure(app, error);
  }
}
