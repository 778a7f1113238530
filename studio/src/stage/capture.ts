// Pictures and films of the stage as it is: its camera, theme, bodies and overlays.

import type { App } from "../app";
import { h } from "../dom";
import type { Stage } from "./stage";

export type Size = [number, number] | null;

/** Sizes in pixels; null is the size on the screen. */
export const SIZES: Record<string, Size> = { "as on the screen": null, "1280 × 720": [1280, 720], "1920 × 1080": [1920, 1080], "3840 × 2160": [3840, 2160] };

export interface Capture {
  what: "picture" | "film";
  size: Size;
  /** Called with the name of the downloaded file, or "" if it failed. */
  done(name: string): void;
}

/** Answers requests of other parts of the page for a picture or a film. */
export function answerCaptures(app: App, stage: Stage): void {
  addEventListener("anthropi:capture", (event) => {
    const { what, size, done } = (event as CustomEvent<Capture>).detail;
    void (what === "film" ? film(app, stage, size) : picture(app, stage, size)).then(done);
  });
}

export async function picture(app: App, stage: Stage, size: Size = null): Promise<string> {
  const blob = await stage.picture(size);
  if (blob) return download(blob, `${nameOf(app)}.png`);
  app.notify({ tone: "error", text: "This browser could not save a picture of the stage." });
  return "";
}

/** Plays the motion once, at the pace of the timeline, and records it. */
async function film(app: App, stage: Stage, size: Size): Promise<string> {
  const { store } = app, motion = store.get("motion");
  if (!motion || motion.span <= 0 || store.get("live")) return app.notify({ tone: "info", text: "There is no motion to film. Compute or open one, or stop the live run." }), "";
  const loop = store.get("loop");
  store.set("loop", false);
  try {
    const blob = await stage.film(size, () => new Promise((over) => {
      store.set("time", motion.start);
      store.set("playing", true);
      const stop = store.on("playing", (on) => !on && (stop(), over()));
    }));
    return download(blob, `${nameOf(app)}.webm`);
  } catch {
    app.notify({ tone: "error", text: "This browser could not record the stage. Export an mp4 instead." });
    return "";
  } finally {
    store.set("loop", loop);
  }
}

function nameOf(app: App): string {
  return (app.store.get("motion")?.header.title || "stage").replace(/[^\w.-]+/g, "_");
}

function download(blob: Blob, name: string): string {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return name;
}
