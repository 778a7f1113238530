// The timeline: transport above, tracks below.

import type { App } from "../app";
import { fill, h, icon } from "../dom";
import { ICONS } from "../icons";
import type { Stage } from "../stage/stage";
import { runClock } from "./clock";
import { setKey, Tracks } from "./tracks";
import { makeTransport } from "./transport";

export function mountTimeline(place: HTMLElement, app: App, stage: Stage | null, foldPlots: () => void): void {
  const { store } = app, studio = store.get("mode") === "studio";
  const cameraKey = () => {
    if (!stage) return;
    const mode = store.get("camera"), time = Math.round(store.get("time") * 1000) / 1000;
    void app.run("set_camera_key", { time, camera: { ...stage.cameras.view(), mode: mode === "keys" ? "fixed" : mode } });
  };
  const poseKey = () => setKey(app, store.get("selection").figure, Math.round(store.get("time") * 1000) / 1000);
  addEventListener("anthropi:camera-key", cameraKey);
  const small = (name: keyof typeof ICONS, label: string, help: string, onclick: () => void) =>
    h("button", { class: "quiet small", type: "button", "aria-label": label, help, onclick }, icon(ICONS[name], false, 15), h("span", null, label));
  const interpolate = small("keyed", "Interpolate", "Computes a smooth motion through the keys of the chosen figure.", () => void app.run("interpolate", { figure: store.get("selection").figure }));
  const keys = studio
    ? [small("key", "Key", "Sets a key with the pose of the chosen figure at this time (K). Drag keys on the timeline to move them.", poseKey),
       interpolate,
       small("camera", "Camera key", "Sets a key with the present camera at this time (C). Choose the camera mode Keys to play the camera keys.", cameraKey)]
    : [];
  keys.push(small("plots", "Plots", "Shows or hides the plots (\\).", foldPlots));
  if (studio) {
    app.shortcut("k", "Set a key of the chosen figure", poseKey);
    app.shortcut("c", "Set a camera key", cameraKey);
    const count = () => (interpolate.disabled = (store.get("project")?.keys[String(store.get("selection").figure)]?.length ?? 0) < 2);
    store.on("project", count, true);
    store.on("selection", count);
  }
  fill(place, makeTransport(app, keys), new Tracks(app).element);
  runClock(store);
}
