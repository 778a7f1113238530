// The camera is part of the project: it is sent to the server when it stops moving, and set when a project is opened.

import type { App } from "../app";
import type { Stage } from "./stage";

const REST = 900; // [ms] after the last movement before the camera is sent

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
    if (!opened) return; // in a new project, the stage points the camera at the figure
    app.store.set("camera", project.camera.mode);
    stage.cameras.apply(project.camera);
  });
}
