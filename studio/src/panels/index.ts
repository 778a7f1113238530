// The command panel, the figure editor, the gait panel, the degree-of-freedom window: mounted once, when the page starts.

import type { App } from "../app";

/** Where panels go: the left column, the right column, the bar on top and a layer for dialogs. */
export interface Places {
  left: HTMLElement;
  right: HTMLElement;
  bar: HTMLElement;
  dialogs: HTMLElement;
}

export function mountPanels(_places: Places, _app: App): void {}
