// Running tasks of the server with their progress and a stop button.

import type { App } from "./app";
import { fill, h, iconButton } from "./dom";
import { ICONS } from "./icons";
import type { Running } from "./messages";

export function showTasks(app: App, place: HTMLElement): void {
  const tasks = new Map<number, Running>(), box = h("div", { class: "tasks", role: "status" });
  const show = () => fill(box, [...tasks.values()].map(({ task, what, done, total }) => h("div", { class: "task" },
    h("span", null, what), total > 0 ? h("progress", { max: total, value: Math.min(done, total), "aria-label": what }) : h("progress", { "aria-label": what }),
    iconButton(ICONS.close, "Stop", "Stops this task. Its motion is discarded.", () => void app.run("stop_task", { task })))));
  app.connection.on("progress", ({ running }) => (tasks.set(running.task, running), show()));
  app.connection.on("finished", ({ task }) => (tasks.delete(task), show()));
  app.store.on("project", (project) => {
    tasks.clear();
    for (const running of project?.tasks ?? []) tasks.set(running.task, running);
    show();
  });
  app.connection.onStatus((status) => status !== "open" && (tasks.clear(), show()));
  place.append(box);
}
