// Colours that tell the links of a figure apart.

import * as THREE from "three";
import type { LinkLook } from "../motion";

const GOLDEN = 0.618034; // of a turn between the hues of successive links

/** Returns a colour for each link. Links of the left and right side have the same hue; the left is lighter. */
export function segmentColours(links: readonly LinkLook[]): THREE.Color[] {
  const names = [...new Set(links.map(({ name }) => bare(name)))];
  return links.map(({ name }) => {
    const lightness = name.startsWith("l_") ? 0.66 : name.startsWith("r_") ? 0.45 : 0.56;
    return new THREE.Color().setHSL((GOLDEN * names.indexOf(bare(name))) % 1, 0.55, lightness);
  });
}

function bare(name: string): string {
  return name.replace(/^[lr]_/, "");
}
