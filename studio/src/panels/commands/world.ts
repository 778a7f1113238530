// The settings of the world: gravity, ground, obstacles, and time step and frame rate of simulations.

import type { App } from "../../app";
import { fill, h, iconButton } from "../../dom";
import { ICONS } from "../../icons";
import type { Ground, Obstacle, World } from "../../messages";
import type { Vector } from "../document";
import { choiceField, DEGREES, numberField, sliderField } from "../fields";
import { button, keep, section, vectorField } from "../forms";

export function worldPanel(app: App): HTMLElement {
  const place = h("div");
  const show = keep<World>(place, (world) => `${world.ground.kind} ${world.obstacles.map(({ kind, name }) => kind + name).join()}`, (world) => worldForm(app, world));
  app.store.on("project", (project) => project && show(project.world), true);
  return section("World", "Gravity, ground and obstacles of all figures; time step and frame rate of simulations.", false, place);
}

function worldForm(app: App, first: World) {
  const world = () => app.store.get("project")!.world;
  const ground = (fields: Partial<Ground>) => void app.run("set_ground", { ground: { ...world().ground, ...fields } });
  const pull = sliderField({ label: "Gravity", help: "Gravity. A change acts at once, also in a live run.", step: 0.01, move: (value, done) => (done ? void app.run("set_gravity", { gravity: [0, 0, -value], done }) : app.connection.post("set_gravity", { gravity: [0, 0, -value], done })) });
  pull.bounds(0, 25);
  const g = numberField(app, { label: "Gravity downwards", face: "", help: "Gravity downwards: 9.81 on Earth, 1.62 on the Moon, 3.72 on Mars.", unit: "m/s²", step: 0.1, commit: (x) => x !== null && void app.run("set_gravity", { gravity: [0, 0, -x] }) });
  const kind = choiceField({ label: "Ground", help: "Type of the ground.", choices: (app.store.get("welcome")?.terrains ?? []).map(({ name, words }) => [name, `${name}: ${words}`] as const), commit: (value) => ground({ kind: value as Ground["kind"] }) });
  const number = (key: "slope" | "height" | "size" | "friction" | "seed", label: string, help: string, unit: string, scale = 1, step = 0.01) => ({ key, field: numberField(app, { label, help, unit, scale, step, commit: (x) => x !== null && ground({ [key]: x }) }) });
  const own = [
    ...(first.ground.kind === "slope" ? [number("slope", "Slope", "Inclination along x.", "°", DEGREES, 1)] : []),
    ...(["rough", "stairs", "waves"].includes(first.ground.kind) ? [number("height", "Height", "Height of a bump, a step or a wave.", "m"), number("size", "Size", "Length of a bump, a step or a wave.", "m", 1, 0.1)] : []),
    ...(first.ground.kind === "rough" ? [number("seed", "Seed", "Seed of the random heights.", "", 1, 1)] : []),
    ...(first.ground.kind === "none" ? [] : [number("friction", "Friction", "Coefficient of friction: about 0 on ice, about 1 for rubber.", "", 1, 0.05)]),
  ];
  const dt = numberField(app, { label: "Time step", help: "Time step of simulations. A smaller step is more accurate and slower.", unit: "ms", scale: 1000, step: 0.1, check: (x) => ({ kind: "set_scheme", dt: x }), commit: (x) => app.run("set_scheme", { dt: x }) });
  const rate = numberField(app, { label: "Frame rate", face: "Frames/s", help: "Recorded frames per second of computed motions.", step: 10, check: (x) => ({ kind: "set_scheme", rate: x }), commit: (x) => app.run("set_scheme", { rate: x }) });
  const solids = obstacles(app, first);
  return {
    element: h("div", null, h("div", { class: "slider-row" }, h("span", { class: "field-label" }, "Gravity"), pull.element, g.element), kind.element, own.map(({ field }) => field.element), dt.element, rate.element, solids.element),
    show: (now: World) => {
      pull.show(-now.gravity[2]);
      g.show(-now.gravity[2]);
      kind.show(now.ground.kind);
      for (const { key, field } of own) field.show(now.ground[key]);
      dt.show(now.dt);
      rate.show(now.rate);
      solids.show(now);
    },
  };
}

function obstacles(app: App, first: World) {
  const all = () => app.store.get("project")!.world.obstacles;
  const put = (obstacles: Obstacle[]) => void app.run("set_obstacles", { obstacles });
  const rows = first.obstacles.map((solid, i) => {
    const at = vectorField(app, { label: solid.name, help: "Position of the centre of the obstacle.", unit: "m", step: 0.1, commit: (value) => put(all().map((o, k) => (k === i ? { ...o, position: value } : o))) });
    const size = solid.kind === "box" ? vectorField(app, { label: "Edges", help: "Lengths of the edges of the box.", unit: "m", step: 0.1, min: 0.001, commit: (value) => put(all().map((o, k) => (k === i ? { ...o, size: value } : o))) }) : null;
    return { at, size, element: h("div", { class: "obstacle" }, at.element, size?.element, iconButton(ICONS.close, `Remove ${solid.name}`, "Removes this obstacle.", () => put(all().filter((_, k) => k !== i)))) };
  });
  const add = (kind: Obstacle["kind"], size: number[], high: number) => {
    let n = 1;
    while (all().some(({ name }) => name === `${kind}${n}`)) n++;
    put([...all(), { name: `${kind}${n}`, kind, size, position: [1.5, 0, high], attitude: [1, 0, 0, 0] }]);
  };
  const element = h("div", null);
  fill(element, h("h4", null, "Obstacles"), rows.map((row) => row.element), h("div", { class: "row wrap" },
    button("Box", "Adds a box 1.5 m ahead.", () => add("box", [0.4, 0.8, 0.1], 0.05), "small"), button("Ball", "Adds a ball 1.5 m ahead.", () => add("ball", [0.2], 0.2), "small"), button("Capsule", "Adds a capsule 1.5 m ahead.", () => add("capsule", [0.1, 0.6], 0.4), "small")));
  return {
    element,
    show: (now: World) => rows.forEach(({ at, size }, i) => {
      const solid = now.obstacles[i];
      if (!solid) return;
      at.show(solid.position);
      if (solid.kind === "box") size?.show(solid.size as Vector);
    }),
  };
}
