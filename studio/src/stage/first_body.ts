// The body style that is shown first: the skin of a person, or the volumes of any other figure, until the user chooses one.

import type { Known } from "../app";
import type { Store } from "../store";
import { remember, remembered } from "../theme";

const BODY = "anthropi.body";

/** Chooses the body style for each motion, until the user has chosen one. The studio remembers the choice of the user; `embedded` pages do not. */
export function followBody(store: Store<Known>, embedded: boolean): void {
  const kept = embedded ? null : remembered(BODY);
  let chosen = kept === "stick" || kept === "volume" || kept === "surface", automatic = false;
  if (chosen) store.set("body", kept as Known["body"]);
  store.on("motion", (motion) => {
    if (chosen || !motion?.figures.length) return;
    automatic = true;
    store.set("body", motion.figures.some(({ appearance }) => appearance.person) ? "surface" : "volume");
    automatic = false;
  });
  store.on("body", (body) => {
    if (automatic) return;
    chosen = true;
    if (!embedded) remember(BODY, body);
  });
}
