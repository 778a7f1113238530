// Set View Point: mode, position and target of the camera.

import type { App, CameraMode } from "../../app";
import { h } from "../../dom";
import type { ViewName } from "../../stage/cameras";
import type { Stage } from "../../stage/stage";
import { numberField, segments } from "../fields";
import { button, vectorField } from "../forms";
import type { Setting } from "./dynamics";

const SIDES: [ViewName, string][] = [["three-quarter", "3/4"], ["front", "Front"], ["back", "Back"], ["left", "Left"], ["right", "Right"], ["top", "Top"]];

export function viewSettings(app: App, stage: Stage | null): Setting {
  if (!stage) return { element: h("p", { class: "quiet-text" }, "This browser cannot draw the 3D view.") };
  const mode = segments<CameraMode>("Camera", [["orbit", "Orbit", "A camera that you move freely."], ["follow", "Follow", "The camera moves with the figure."], ["fixed", "Fixed", "The camera stays in place and turns to the figure."], ["keys", "Keys", "The camera follows the camera keys on the timeline."]], (value) => app.store.set("camera", value));
  const apply = (fields: Partial<ReturnType<typeof stage.cameras.view>>) => {
    const view = { ...stage.cameras.view(), ...fields }, kind = app.store.get("camera");
    stage.cameras.apply(view);
    app.connection.post("set_camera", { camera: { ...view, mode: kind === "keys" ? "fixed" : kind } });
  };
  const eye = vectorField(app, { label: "Camera position", help: "Position of the camera in the world.", unit: "m", step: 0.1, commit: (value) => apply({ eye: value }) });
  const target = vectorField(app, { label: "Target", help: "The point that the camera looks at.", unit: "m", step: 0.1, commit: (value) => apply({ target: value }) });
  const field = numberField(app, { label: "Field of view", help: "Vertical field of view.", unit: "°", min: 5, max: 120, step: 1, commit: (x) => x !== null && apply({ field: x }) });
  const show = () => {
    const view = stage.cameras.view();
    eye.show(view.eye);
    target.show(view.target);
    field.show(view.field);
    mode.show(app.store.get("camera"));
  };
  app.store.on("camera", (value) => mode.show(value), true);
  stage.cameras.controls.addEventListener("end", show);
  return { opened: show, element: h("div", null, mode.element,
    h("div", { class: "chips", role: "group", "aria-label": "Sides" }, SIDES.map(([name, face]) => button(face, `Shows the figure from this side: ${name}.`, () => (stage.lookFrom(name), show()), "chip"))),
    eye.element, target.element, field.element) };
}
