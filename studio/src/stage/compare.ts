// Shows another motion as a ghost, to compare it with the shown motion.

import type { App } from "../app";
import { fetchOwn } from "../connection";
import { icon } from "../dom";
import { explainFailure } from "../help/toasts";
import { ICONS } from "../icons";
import { menu } from "../menu";
import { Motion } from "../motion";
import { GONE } from "../session";

export function compareMenu(app: App): HTMLElement {
  const { store } = app;
  let chosen: number | null = null;
  const show = async (motion: number | null) => {
    chosen = motion;
    const view = store.get("project")?.motions.find((own) => own.motion === motion);
    if (!view) return store.set("ghost", null);
    try {
      const answer = await fetchOwn(view.address);
      if (answer.status === GONE) return;
      if (!answer.ok) throw new Error(`The motion '${view.title}' could not be loaded from the server (status ${answer.status}). Reload the page.`);
      const ghost = Motion.read(await answer.arrayBuffer());
      if (chosen === motion) store.set("ghost", ghost);
    } catch (error) {
      explainFailure(app, error);
    }
  };
  store.on("project", (project) => {
    if (chosen !== null && !project?.motions.some(({ motion }) => motion === chosen)) void show(null);
  });
  return menu(icon(ICONS.ghost, false, 17), "Compare", "Compares the motion with another one, which is shown as a ghost at the same time.", () => {
    const motions = store.get("project")?.motions ?? [];
    if (!motions.length) return [{ label: "No other motion yet", disabled: true, run: () => undefined }];
    return [{ label: "No ghost", checked: chosen === null, run: () => void show(null) }, ...motions.map(({ motion, title }) => ({ label: title, checked: chosen === motion, run: () => void show(motion) }))];
  });
}
