// The dialog that chooses the plotted channels.

import type { App } from "../app";
import { fill, h } from "../dom";
import type { Channel, Motion } from "../motion";
import { dialog } from "../dialog";

const FEW = 10; // frames of a live run that has just begun
const TITLES: Record<string, string> = { angle: "Angles", rate: "Rates", torque: "Joint torques and forces", acceleration: "Accelerations", place: "Centre of mass", ground: "Ground reaction of each foot", force: "Ground reaction of each contact point" };
const ROOT: Record<string, string> = { px: "position x", py: "position y", pz: "position z", rx: "rotation x", ry: "rotation y", rz: "rotation z" };
const SPINE: Record<string, string> = { x: "bend to the right", y: "bend forwards", z: "turn to the left" };
const LIMB: Record<string, [words: string, left: number, right: number]> = { x: ["abduction", 1, -1], y: ["flexion", -1, -1], z: ["internal rotation", -1, 1] };

/** Returns the name of a channel in words, and the sign with which it is plotted: "l_hip.y" is "left hip flexion", which is -y. */
export function reading({ name, group }: Pick<Channel, "name" | "group">): { words: string; sign: number } {
  if (group === "place" || group === "ground" || group === "force") return { words: name.replaceAll("_", " "), sign: 1 };
  const [own = "", figure = ""] = name.split("/").reverse(), [joint = "", dof = ""] = own.split("."), side = /^([lr])_/.exec(joint)?.[1];
  const plain = (figure && `${figure}: `) + joint.replace(/^l_/, "left ").replace(/^r_/, "right ").replaceAll("_", " ");
  const limb = side && /_(hip|shoulder)$/.test(joint) ? LIMB[dof] : undefined;
  if (limb) return { words: `${plain} ${limb[0]}`, sign: side === "l" ? limb[1] : limb[2] };
  if (side && /_knee$/.test(joint) && !dof) return { words: `${plain} flexion`, sign: 1 };
  const spine = /^(lumbar|thoracic|neck|head)$/.test(joint) ? SPINE[dof] : undefined, root = joint === "root" ? ROOT[dof] : undefined;
  const part = spine ?? root ?? dof.replaceAll("_", " ");
  return { words: part ? `${plain}${spine || root ? "," : ""} ${part}` : plain, sign: 1 };
}

export function wordsOf(channel: Pick<Channel, "name" | "group">): string {
  return reading(channel).words;
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
  const first = knees.length && (motion.frames < FEW || knees.some((c) => moves(c) > 0.02)) ? knees : liveliest();
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
      return h("label", null, h("input", { type: "checkbox", checked: chosen.has(key), onchange: (event: Event) => change(key, (event.target as HTMLInputElement).checked) }), h("span", { title: `${reading(channel).sign < 0 ? "−" : ""}${channel.name}` }, wordsOf(channel)));
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
