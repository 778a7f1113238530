// Player mode: the page contains its motion; there is no server.

import type { App } from "./app";
import { explainFailure } from "./help/toasts";
import { bytesOf, type Header, inflated, Motion } from "./motion";

export async function playEmbedded(app: App, place: HTMLElement): Promise<void> {
  try {
    const motion = Motion.read(await inflated(bytesOf(place.textContent ?? "")));
    place.remove(); // its text is no longer needed
    const { title, caption, speed } = motion.header;
    document.title = title || "AnthroPI";
    app.store.set("pace", speed && speed > 0 ? speed : 1);
    if (motion.header.forces !== undefined) app.store.patch("shown", { forces: motion.header.forces });
    app.store.set("motion", motion);
    app.store.set("time", motion.start);
    app.store.set("playing", motion.span > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches);
    const head = document.querySelector(".bar-panels");
    const name = document.createElement("h1");
    name.textContent = title;
    const words = document.createElement("p");
    words.textContent = caption ?? "";
    head?.append(name, words);
    linkProject(motion.header.project);
  } catch (error) {
    explainFailure(app, error);
  }
}

/** Makes the name at the left end of the bar a link to the project, or shows its version if it has no address. */
function linkProject(project: Header["project"]): void {
  const brand = document.querySelector<HTMLElement>(".brand");
  if (!brand || !project) return;
  brand.dataset["help"] = `Made with ${project.name} ${project.version}.`;
  if (!project.url.startsWith("https://")) return;
  const link = document.createElement("a");
  Object.assign(link, { href: project.url, target: "_blank", rel: "noopener", className: brand.className });
  link.dataset["help"] = brand.dataset["help"];
  link.append(...brand.childNodes);
  brand.replaceWith(link);
}
