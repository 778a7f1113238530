// The camera belongs to the project: it is sent to the server when it rests, and read from a project that is opened.

import type { App } from "../app";
import type { Stage } from "./stage";

const REST = 900; // [ms]

export function keepCamera(app: App, stage: Stage): void {
  let timer = 0, opened = "";
  stage.cameras.controls.addEventListener("end", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const mode = app.store.get("camera");
      app.connection.post("set_camera", { camera: { ...stage.cameras.view(), mode: mode === "keys" ? "fixed" : mode } });
    }, REST);
  });
  app.store.on("project", (project) => {
    if (!project || project.path === opened) return;
    opened = project.path;
    if (!opened) return; // a new project: the stage frames its figure
    app.store.set("camera", project.camera.mode);
    stage.cameras.apply(project.camera);
  });
}
