// Dark and light theme. The choice is stored in this browser; by default the theme of the system is used.

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

/** Reads a value from the browser's local storage, which may not be available to a page opened from disk. */
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
    /* Local storage is not available: the choice lasts until the page is closed. */
  }
}
