// The dialog that chooses the plotted channels.

import type { App } from "../app";
import { fill, h } from "../dom";
import type { Channel, Motion } from "../motion";
import { dialog } from "../dialog";

const TITLES: Record<string, string> = { angle: "Angles", rate: "Rates", torque: "Joint torques and forces", acceleration: "Accelerations", place: "Centre of mass", ground: "Ground reaction of each foot", force: "Ground reaction of each contact point" };
const AXES: Record<string, string> = { x: "abduction axis (x)", y: "flexion axis (y)", z: "rotation axis (z)" };
const ROOT: Record<string, string> = { x: "position x", y: "position y", z: "position z", wx: "rotation x", wy: "rotation y", wz: "rotation z" };

/** Returns the name of a channel in words: "l_hip.y" is "left hip, flexion axis (y)". Joints of figures without sides keep the letter of the axis. */
export function wordsOf({ name, group }: Pick<Channel, "name" | "group">): string {
  if (group === "place" || group === "ground" || group === "force") return name.replaceAll("_", " ");
  const [joint = "", dof = ""] = name.split("."), sided = /^[lr]_/.test(joint), plain = joint.replace(/^l_/, "left ").replace(/^r_/, "right ").replaceAll("_", " ");
  const part = (joint === "root" ? ROOT[dof] : sided ? AXES[dof] : undefined) ?? dof.replaceAll("_", " ");
  return part ? `${plain}, ${part}` : plain;
}

export function groupTitle(group: string): string {
  return TITLES[group] ?? group;
}

export function channelKey(channel: Channel): string {
  return `${channel.figure ?? 0}/${channel.group}/${channel.name}`;
}

/** Chooses the channels that are plotted first: hips and knees if they move, otherwise the angles that move most. */
export function firstChannels(motion: Motion): string[] {
  const pick = (group: string, name: RegExp, most: number) => motion.header.channels.filter((c) => c.group === group && name.test(c.name)).slice(0, most);
  const moves = (channel: Channel) => {
    const column = motion.column(channel);
    return column.reduce((most, x) => Math.max(most, x), -Infinity) - column.reduce((least, x) => Math.min(least, x), Infinity);
  };
  const knees = pick("angle", /_(hip\.y|knee|hip)$/, 4), torques = pick("torque", /_(knee|ankle)/, 2).filter((c) => moves(c) > 1e-6);
  const liveliest = () => pick("angle", /./, 200).map((c) => [c, moves(c)] as const).sort((a, b) => b[1] - a[1]).slice(0, 4).map(([c]) => c);
  const first = knees.some((c) => moves(c) > 0.02) ? knees : liveliest();
  const feet = pick("ground", /foot, vertical$/, 2).filter((c) => moves(c) > 1e-6);
  return [...first, ...feet, ...torques].map(channelKey);
}

export function pickChannels(app: App): void {
  const motion = app.store.get("motion");
  if (!motion) return;
  const list = h("div", { class: "channel-list" });
  const search = h("input", { type: "search", placeholder: "Search: knee, torque, force …", "aria-label": "Search channels", help: "Shows only channels whose name or group contains this text." });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), chosen = new Set(app.store.get("channels"));
    const found = motion.header.channels.filter((c) => words.every((word) => `${c.group} ${c.name} ${wordsOf(c)} ${TITLES[c.group] ?? ""}`.toLowerCase().includes(word)));
    const groups = new Map<string, Channel[]>();
    for (const channel of found) groups.set(channel.group, [...(groups.get(channel.group) ?? []), channel]);
    fill(list, [...groups].map(([group, channels]) => h("section", null, h("h4", null, TITLES[group] ?? group), h("div", { class: "channel-grid" }, channels.map((channel) => {
      const key = channelKey(channel);
      return h("label", null, h("input", { type: "checkbox", checked: chosen.has(key), onchange: (event: Event) => change(key, (event.target as HTMLInputElement).checked) }), h("span", { title: channel.name }, wordsOf(channel)));
    })))), !found.length && h("p", { class: "quiet-text" }, "No channel has this name."));
  };
  const change = (key: string, on: boolean) => {
    const others = app.store.get("channels").filter((own) => own !== key);
    app.store.set("channels", on ? [...others, key] : others);
  };
  search.addEventListener("input", show);
  show();
  const shown = dialog("Channels to plot", h("div", { class: "channels" }, h("div", { class: "row" }, search, h("button", { class: "quiet", type: "button", onclick: () => (app.store.set("channels", []), show()) }, "None")), list));
  search.focus();
  void shown;
}
