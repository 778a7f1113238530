// The second level of the gait panel: number of steps, velocity, step length, step frequency, and the six determinants.

import type { App } from "../../app";
import { fill, h } from "../../dom";
import type { DeterminantSetting, Gait, GaitNumbers } from "../../messages";
import { chosen, soon } from "../chosen";
import { choiceField, DEGREES, type Field, numberField, segments, tickField } from "../fields";
import { button } from "../forms";

type Given = "velocity" | "step_length" | "step_frequency";

const GIVEN: readonly (readonly [Given, string, string, string, number])[] = [
  ["velocity", "Velocity", "m/s", "Average speed.", 0.1],
  ["step_length", "Step length", "m", "Distance between successive strikes of the left and the right foot.", 0.05],
  ["step_frequency", "Step frequency", "/min", "Steps per minute, at most 182 in walking.", 5],
];
const DETERMINANTS: Record<string, [title: string, help: string]> = {
  pelvic_rotation: ["Pelvic rotation", "Rotation of the pelvis about the vertical, largest at foot contact."],
  pelvic_tilt: ["Pelvic tilt", "Drop of the pelvis on the swing side, largest at mid-step."],
  stance_knee: ["Knee in stance", "Flexion and extension of the loaded knee (double knee lock)."],
  foot_ankle: ["Foot and ankle", "Rotation of the foot about the heel, then about the forefoot."],
  swing_knee: ["Knee in swing", "Knee flexion that lifts the foot off the ground."],
  lateral: ["Lateral", "Displacement of the body towards the supporting leg."],
};

export function numbersLevel(app: App): HTMLElement {
  const gait = () => app.store.get("project")?.gait, set = (fields: object) => void app.run("set_gait", fields);
  const steps = numberField(app, { label: "Number of steps", face: "Steps", help: "Number of steps.", min: 1, max: 500, step: 1, commit: (x) => set({ steps: Math.round(x ?? 8) }) });
  const kind = segments<"walk" | "run">("Gait kind", [["walk", "walk", "A walk: at least one foot is always on the ground."], ["run", "run", "A run: it has a flight phase."]], (value) => set({ gait: value }));
  const start = choiceField({ label: "Start", face: "", help: "Whether the figure starts from walking or from standing.", choices: [["walk", "from walking"], ["stand", "from standing"]], commit: (value) => set({ start: value }) });
  const method = choiceField({ label: "Method", face: "", help: "Method. Walker: a controller keeps the simulated human in balance. HIDDS: planned steps, forces by inverse dynamics, then motion by direct dynamics.", choices: [["", "automatic"], ["walker", "walker"], ["hidds", "HIDDS"]], commit: (value) => (value ? set({ method: value }) : set({ clear: ["method"] })) });
  const given = GIVEN.map(([key, label, unit, help, step]) => ({ key, field: numberField(app, { label, help: `${help} Give one or two of velocity, step length and step frequency. An empty field is computed from the others.`, unit, step, min: 0.01, empty: "computed", commit: (x) => (x === null ? set({ clear: [key] }) : give(key, x)) }) }));
  /** Sets a number. If two others are given already, the one that was given first is cleared. */
  const order: Given[] = [];
  const give = (key: Given, value: number) => {
    const now = gait();
    order.splice(0, order.length, ...order.filter((own) => own !== key && now?.[own] !== null), key);
    const others = GIVEN.map(([own]) => own).filter((own) => own !== key && now && now[own] !== null);
    const gone = others.length === 2 ? order.find((own) => own !== key) ?? others[0]! : null;
    set({ [key]: value, ...(gone ? { clear: [gone] } : {}) });
  };
  const plan = h("p", { class: "plan number", role: "status" }), words = h("div"), table = determinantTable(app);
  const ask = soon(() => void follow(app, given, plan));
  const show = () => {
    const now = gait();
    if (!now) return;
    steps.show(now.steps);
    kind.show(now.kind);
    start.show(now.start);
    method.show(now.method);
    for (const { key, field } of given) field.show(now[key]);
    fill(words, now.words && h("p", { class: "hint" }, "The words of level 1 are used instead of these numbers. ", button("Use numbers", "Clears the words of level 1.", () => set({ clear: ["words"] }), "small")));
    table.show(now);
    ask();
  };
  app.store.on("project", show, true);
  app.store.on("selection", ask);
  return h("div", { class: "level-content" }, words, h("div", { class: "gait-row" }, kind.element, steps.element, start.element, method.element), h("div", { class: "given" }, given.map(({ field }) => field.element)), plan, table.element);
}

let asked = "";

/** Shows the numbers of the computed gait plan. */
async function follow(app: App, given: readonly { key: Given; field: Field<number | null> }[], place: HTMLElement): Promise<void> {
  const now = chosen(app), gait = now?.project.gait;
  if (!now || !gait) return;
  const { velocity, step_length, step_frequency } = gait, question = JSON.stringify([now.figure.figure, now.figure.revision, velocity, step_length, step_frequency, gait.kind]);
  if (question === asked) return;
  asked = question;
  try {
    const p: GaitNumbers = await app.connection.send("plan_gait", { figure: now.figure.figure, velocity, step_length, step_frequency });
    for (const { key, field } of given) field.element.querySelector("input")!.placeholder = gait[key] === null ? p[key].toFixed(key === "step_frequency" ? 0 : 2) : "";
    place.textContent = `${p.velocity.toFixed(2)} m/s = ${p.step_length.toFixed(2)} m × ${p.step_frequency.toFixed(0)}/min · cycle ${p.cycle.toFixed(2)} s, double support ${p.double_support.toFixed(3)} s, swing ${p.swing.toFixed(3)} s, stance ${p.stance_percent.toFixed(0)} %${p.running ? " · running" : ""}`;
    place.classList.remove("field-error");
  } catch (error) {
    place.textContent = (error as Error).message;
    place.classList.add("field-error");
  }
}

function determinantTable(app: App) {
  const place = h("div", { class: "determinants" });
  const usual = () => (app.store.get("welcome")?.determinants ?? {}) as Record<string, DeterminantSetting>;
  const now = (name: string): DeterminantSetting => app.store.get("project")?.gait.determinants[name] ?? usual()[name]!;
  let rows: { name: string; tick: Field<boolean>; fields: [Field<number | null>, keyof DeterminantSetting][] }[] = [];
  const put = (name: string, fields: Partial<DeterminantSetting>) => void app.run("set_gait", { determinants: { ...app.store.get("project")!.gait.determinants, [name]: { ...now(name), ...fields } } });
  const build = () => {
    rows = Object.keys(usual()).map((name) => {
      const [title, help] = DETERMINANTS[name] ?? [name, name], length = name === "lateral", scale = length ? 100 : DEGREES;
      const field = (key: "amplitude" | "lower" | "upper" | "timing", words: string, by: number): [Field<number | null>, keyof DeterminantSetting] => [numberField(app, { label: `${title} ${key}`, face: "", help: words, scale: by, step: key === "timing" ? 0.01 : 1, commit: (x) => x !== null && put(name, { [key]: x }) }), key];
      return { name, tick: tickField({ label: `${title} on`, face: title, help: `${help} Switches it on or off.`, commit: (on) => put(name, { on }) }), fields: [field("amplitude", `Amplitude [${length ? "cm" : "°"}].`, scale), field("lower", `Lower limit [${length ? "cm" : "°"}].`, scale), field("upper", `Upper limit [${length ? "cm" : "°"}].`, scale), field("timing", "Delay [gait cycles].", 1)] };
    });
    fill(place, h("table", { class: "determinant-table" }, h("thead", null, h("tr", null, ["Determinant", "amplitude", "from", "to", "delay"].map((head) => h("th", null, head)))), h("tbody", null, rows.map(({ tick, fields }) => h("tr", null, h("th", null, tick.element), fields.map(([field]) => h("td", null, field.element)))))),
      button("Default determinants", "Resets all six determinants to their defaults. Then styles have an effect again.", () => void app.run("set_gait", { clear: ["determinants"] }), "quiet small"));
  };
  app.store.on("welcome", (welcome) => {
    if (!welcome) return;
    build();
    show(app.store.get("project")?.gait);
  }, true);
  const show = (gait?: Gait) => {
    if (!gait) return;
    for (const { name, tick, fields } of rows) {
      const own = now(name);
      tick.show(own.on);
      for (const [field, key] of fields) field.show(own[key] as number);
    }
  };
  return { element: place, show };
}
