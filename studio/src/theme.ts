// Dark and light theme, and other preferences. They are stored in this browser and by the server; by default the theme of the system is used.

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

/** Reads a preference: from the browser's local storage, which may not be available to a page opened from disk, or as the server knows it from an earlier studio on another port. */
export function remembered(key: string): string | null {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    /* no storage */
  }
  return kept ?? served()[key] ?? null;
}

function served(): Record<string, string> {
  try {
    return JSON.parse(document.querySelector<HTMLMetaElement>("meta[name=preferences]")?.content ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

/** Keeps a preference in this browser, and by the server for later studios. */
export function remember(key: string, value: string): void {
  dispatchEvent(new CustomEvent("anthropi:remember", { detail: { name: key, value } }));
  try {
    localStorage.setItem(key, value);
  } catch {
    /* Local storage is not available: the choice lasts until the page is closed. */
  }
}
