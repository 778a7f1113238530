// The state of the studies page, which its parts share.

import { Store } from "../store";
import type { Brushes, Table } from "./data";

export interface StudyState {
  /** The shown study, or null. */
  table: Table | null;
  brushes: Brushes;
  /** Index of the chosen point, or null. */
  chosen: number | null;
  /** Keys of the columns of the scatter plot: across, up, colour. */
  x: string;
  y: string;
  colour: string;
  /** Keys of the columns that have an axis in the parallel coordinates; null: the first ones. */
  axes: readonly string[] | null;
  /** Key of the result whose best value is shown, and whether the smallest or the largest is the best. */
  result: string;
  best: "least" | "most";
}

export type StudyStore = Store<StudyState>;

export function newState(): StudyStore {
  return new Store<StudyState>({ table: null, brushes: new Map(), chosen: null, x: "", y: "", colour: "", axes: null, result: "", best: "least" });
}

/** Calls a function in the next frame if any of these values has changed, once for several changes. */
export function whenChanged(store: StudyStore, keys: readonly (keyof StudyState)[], draw: () => void): () => void {
  let asked = false;
  const later = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => ((asked = false), draw()));
  };
  for (const key of keys) store.on(key, later);
  return later;
}
