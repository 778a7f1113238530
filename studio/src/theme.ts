// Dark and light theme: the choice is kept in this browser; the default is the system's.

import type { Known } from "./app";
import type { Store } from "./store";

const KEY = "anthropi.theme";

export function firstTheme(): "dark" | "light" {
  const kept = remembered(KEY);
  if (kept === "dark" || kept === "light") return kept;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

export function followTheme(store: Store<Known>): void {
  store.on("theme", (theme) => {
    document.documentElement.dataset["theme"] = theme;
    if (theme !== firstTheme()) remember(KEY, theme);
  }, true);
}

/** Reads from the browser's own store; a page from disk may be refused it. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* a page from disk, or a browser that keeps nothing: the choice lasts as long as the page */
  }
}
