// The connectivity table (joints × links). An entry means that the joint connects the link.

import type { App } from "../../app";
import { fill, h } from "../../dom";
import { type Chosen, chooseLink } from "../chosen";
import { isInSubtree } from "../document";

export function connectivityTable(app: App) {
  const element = h("div", { class: "table-place" });
  const show = (now: Chosen) => {
    const { document: doc, figure } = now, at = (globalThis.document.activeElement as HTMLElement | null)?.dataset["cell"];
    const cell = (joint: (typeof doc.joint)[number], link: string, connected: boolean): HTMLElement => {
      const key = `${joint.name}/${link}`, child = joint.child === link, able = !connected && !!joint.parent && !isInSubtree(doc, link, joint.child);
      const help = child ? `${link} is the child of joint ${joint.name}.` : connected ? `${link} is the parent of ${joint.child}.` : able ? `Makes ${link} the parent of ${joint.child}.` : joint.parent ? `${link} cannot be the parent of ${joint.child}, because it is a descendant of ${joint.child}.` : "The parent of the root is the world.";
      return h("td", null, h("button", { type: "button", class: `cell${child ? " child" : connected ? " parent" : ""}`, disabled: !able && !connected, "aria-label": `${joint.name} ${link}: ${connected ? "connected" : "not connected"}`, help, dataset: { cell: key },
        onclick: () => (able ? void app.run("connect_joint", { figure: figure.figure, joint: joint.name, link }) : chooseLink(app, figure, joint.child)) }, child ? "●" : connected ? "○" : ""));
    };
    fill(element, h("table", { class: "connectivity", "aria-label": "Connectivity: joints by links" },
      h("thead", null, h("tr", null, h("th", null, "joint"), doc.link.map(({ name }) => h("th", { class: "upright" }, h("span", null, name))))),
      h("tbody", null, figure.connectivity.map((row, i) => {
        const link = doc.link[i]!, joint = doc.joint.find(({ child }) => child === link.name)!;
        return h("tr", { class: link.name === now.link.name ? "on" : "" }, h("th", null, h("button", { type: "button", class: "quiet small", help: `Chooses joint ${joint.name}.`, onclick: () => chooseLink(app, figure, joint.child) }, joint.name)), row.map((connected, k) => cell(joint, doc.link[k]!.name, connected)));
      }))), h("p", { class: "quiet-text small-text" }, "● child of the joint   ○ parent of the joint. Click an empty cell to change the parent."));
    if (at) [...element.querySelectorAll<HTMLElement>("[data-cell]")].find((own) => own.dataset["cell"] === at)?.focus({ preventScroll: true });
  };
  return { element, show };
}
