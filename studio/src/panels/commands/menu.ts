// The command menu with nine entries. A click opens the settings of a command; the small arrow runs it at once.

import type { App } from "../../app";
import { h, icon, iconButton } from "../../dom";
import type { Stage } from "../../stage/stage";
import { ICONS } from "../../icons";
import { frameSettings, hybridSettings, runSettings, type Setting } from "./dynamics";
import { changeRootSettings, rootSettings } from "./root";
import { viewSettings } from "./view";

export interface MenuActions {
  build(): void;
  dofs(): void;
}

interface Command {
  name: string;
  icon: string;
  keys: string;
  help: string;
  /** Runs the command, if it has no settings. */
  run?: () => void;
  setting?: Setting;
}

const BUILD = "M12 3l3 5h-6zM4 16h5v5H4zM15 16h5v5h-5zM12 8v4M6.500 16v-4h11v4", ROOT = "M12 4v9M8 9l4 4l4-4M5 20h14M8 16.500h8", CHANGE = "M4 8h12l-3-3M20 16H8l3 3",
  FRAME = "M4 5h16v14H4zM12 9v6M9 12h6", FREE = "M5 7h14M5 12h14M5 17h14M9 5v4M15 10v4M8 15v4", FALL = "M12 3v12M8 11l4 4l4-4", GROUND = "M12 3v9M8.500 8.500L12 12l3.500-3.500M3 17h18M6 20.500l2-3.500M11 20.500l2-3.500M16 20.500l2-3.500",
  HYBRID = "M4 17c5 0 5-10 10-10M14 7l-3-2.500M14 7l-3 2.500M20 7c-5 0-5 10-10 10M10 17l3-2.500M10 17l3 2.500";

export function commandMenu(app: App, stage: Stage | null, actions: MenuActions): HTMLElement {
  const hybrid = hybridSettings(app), direct = runSettings(app, false), contact = runSettings(app, true), frame = frameSettings(app);
  const commands: Command[] = [
    { name: "Build Structure", icon: BUILD, keys: "shift+b", help: "Build Structure: build a figure of links and joints, or edit the chosen one.", run: actions.build },
    { name: "HYBRID Dynamics", icon: HYBRID, keys: "shift+h", help: "HYBRID Dynamics (HIDDS): compute the forces of a desired motion by inverse dynamics, then the motion of these forces by direct dynamics.", setting: hybrid },
    { name: "Direct Dynamics – No Contact", icon: FALL, keys: "shift+d", help: "Direct Dynamics – No Contact: gravity, springs, drives and forces move the figures, without contact.", setting: direct },
    { name: "Direct Contact Dynamics", icon: GROUND, keys: "shift+c", help: "Direct Contact Dynamics: like Direct Dynamics, but with contact between the figures, the ground and obstacles.", setting: contact },
    { name: "Set View Point", icon: ICONS.camera, keys: "shift+v", help: "Set View Point: position, target and field of view of the camera.", setting: viewSettings(app, stage) },
    { name: "Root Characteristics", icon: ROOT, keys: "shift+r", help: "Root Characteristics: position, attitude, velocity, free directions and loads of the root.", setting: rootSettings(app) },
    { name: "Another Frame", icon: FRAME, keys: "shift+f", help: "Another Frame: compute and show the next frame of the shown motion.", setting: frame },
    { name: "Degrees of Freedom", icon: FREE, keys: "shift+n", help: "Degrees of Freedom: show the panel of the chosen joint in the right column.", run: actions.dofs },
    { name: "Change Root", icon: CHANGE, keys: "shift+t", help: "Change Root: make another link the root. The dynamics stay the same.", setting: changeRootSettings(app) },
  ];
  const rows = commands.map((command) => row(app, command));
  return h("nav", { class: "commands", "aria-label": "Command menu" }, rows);
}

function row(app: App, { name, icon: path, keys, help, run, setting }: Command): HTMLElement {
  const place = setting ? h("div", { class: "command-setting", hidden: true }, setting.element) : null;
  const open = (on = !!place?.hidden) => {
    if (!place) return run?.();
    place.hidden = !on;
    face.setAttribute("aria-expanded", String(on));
    if (on) setting?.opened?.();
  };
  const face = h("button", { type: "button", class: "command", help: `${help} (${keys.replace("shift+", "Shift ").toUpperCase().replace("SHIFT", "Shift")})`, dataset: { command: name }, ...(place ? { "aria-expanded": "false" } : {}), onclick: () => open() },
    icon(path, false, 17), h("span", { class: "spread" }, name));
  app.shortcut(keys, name, () => (setting?.run ? setting.run() : open(true)));
  return h("div", { class: "command-row" }, h("div", { class: "command-line" }, face, setting?.run && iconButton(ICONS.play, `Run ${name}`, `Runs this command with its present settings.`, () => setting.run!(), true)), place);
}
