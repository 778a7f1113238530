// Names of links, written over the stage.

import * as THREE from "three";
import { h } from "../dom";
import type { FigureView } from "./figure";

export class Names {
  readonly element = h("div", { class: "names", "aria-hidden": "true" });

  update(views: FigureView[], camera: THREE.Camera, place: HTMLElement): void {
    const wanted = views.flatMap((view) => view.look.links.map((link, i) => ({ view, name: link.name, i })));
    while (this.element.children.length > wanted.length) this.element.lastElementChild!.remove();
    while (this.element.children.length < wanted.length) this.element.append(h("span"));
    const at = new THREE.Vector3();
    wanted.forEach(({ view, name, i }, n) => {
      const word = this.element.children[n] as HTMLElement;
      view.point(i, [0, 0, 0], at).project(camera);
      if (word.textContent !== name) word.textContent = name;
      word.hidden = at.z > 1;
      word.style.transform = `translate(${((at.x + 1) / 2) * place.clientWidth}px, ${((1 - at.y) / 2) * place.clientHeight}px)`;
    });
  }
}
