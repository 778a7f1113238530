// The studies page: lists the studies of the workspace, shows one while it runs, runs and stops it.

import type { App } from "../app";
import { fetchOwn } from "../connection";
import { fill, h, iconButton } from "../dom";
import { ICONS } from "../icons";
import type { StudyChoice, StudyData, StudyOpened } from "../messages";
import { numberField, textField, tickField } from "../panels/fields";
import { button } from "../panels/forms";
import { bestPlot } from "./best";
import { columnOf, duration, plottable, readTable, shownNumber, type Table } from "./data";
import { failureTable, pointDetails } from "./details";
import { parallelPlot } from "./parallel";
import { scatterPlot } from "./scatter";
import { newState } from "./state";

const INTERVAL = 1000; // [ms] between two looks at a study
const RELOAD = "M20 12a8 8 0 1 1-2.500-5.800M20 3v4.500h-4.500";

export class StudiesPage {
  readonly element = h("section", { class: "studies", "aria-label": "Studies", hidden: true });
  private readonly state = newState();
  private readonly list = h("div", { class: "study-list", role: "group", "aria-label": "Studies in the workspace" });
  private readonly head = h("div", { class: "study-head" });
  private readonly runBox = h("div", { class: "study-run" });
  private readonly plots: HTMLElement;
  private readonly hint = h("p", { class: "quiet-text study-hint" });
  private opened: StudyOpened | null = null;
  private data: StudyData | null = null;
  private timer = 0;
  private failed = "";
  private starting = false;
  private listed = "";
  private waits = true; // for the first result, to choose the column of the scatter plot
  private workers: number | null = null;
  private retry = false;

  constructor(private readonly app: App, private readonly shell: HTMLElement) {
    const { state } = this;
    const path = textField(app, { label: "Path of a study", face: "", help: "A study file (.toml) or the folder of a study, relative to the workspace. Enter opens it; no code is run.", placeholder: "Path in the workspace …", commit: (value) => value && void this.open(value) });
    this.plots = h("div", { class: "study-plots", hidden: true }, scatterPlot(app, state), bestPlot(app, state), parallelPlot(app, state), h("div", { class: "study-side" }, pointDetails(app, state), failureTable(state)));
    fill(this.element,
      h("header", { class: "studies-bar" }, h("h2", null, "Studies"), this.head, iconButton(ICONS.close, "Close the studies", "Closes this page (Esc). A running study goes on.", () => this.show(false))),
      h("nav", { class: "studies-left", "aria-label": "Choose a study" },
        h("div", { class: "row" }, h("h4", { class: "spread" }, "In the workspace"), iconButton(RELOAD, "List again", "Looks for studies in the workspace again.", () => void this.relist())), this.list, path.element, this.runBox),
      h("div", { class: "studies-main" }, this.hint, this.plots));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.show(false);
    });
    this.makeRunBox();
    this.update(null);
    app.connection.onStatus((status) => status === "open" && this.opened && void this.open(this.opened.file || this.opened.folder)); // the server may be a new one
    shell.append(this.element);
  }

  toggle(): void {
    this.show(!!this.element.hidden);
  }

  private show(on: boolean): void {
    this.element.hidden = !on;
    for (const other of this.shell.children) if (other !== this.element && other.matches(".stage, .column, .below, .sheet-panel")) (other as HTMLElement).inert = on;
    clearTimeout(this.timer);
    if (!on) return void this.shell.querySelector<HTMLElement>("[data-studies]")?.focus();
    void this.relist().then(() => this.list.querySelector<HTMLElement>("button")?.focus());
    void this.look();
  }

  // the list

  private async relist(): Promise<void> {
    const found = await this.app.run("list_studies", {});
    if (!found) return;
    fill(this.list, found.studies.map((own) => this.row(own)),
      !found.studies.length && h("p", { class: "quiet-text" }, "The workspace contains no study file (.toml) and no folder of a study."),
      found.more && h("p", { class: "quiet-text" }, "There are more; enter a path to open one of them."));
    this.mark();
  }

  private row({ path, folder, begun, running }: StudyChoice): HTMLElement {
    return h("button", { type: "button", class: "file-row", dataset: { study: path }, help: "Shows this study. No code is run.", onclick: () => void this.open(path) },
      h("span", { class: "spread" }, path, path !== folder && h("small", { class: "quiet-text" }, folder)), h("small", { class: running ? "study-live" : "quiet-text" }, running ? "running" : begun ? "" : "not run yet"));
  }

  private mark(): void {
    const path = this.opened?.file || this.opened?.folder;
    for (const row of this.list.querySelectorAll<HTMLElement>("[data-study]")) row.setAttribute("aria-current", String(row.dataset["study"] === path));
  }

  // the shown study

  private async open(path: string): Promise<void> {
    const opened = await this.app.run("open_study", { path });
    if (!opened) return;
    if (opened.file !== this.opened?.file || opened.folder !== this.opened?.folder) {
      this.waits = true;
      this.state.set("chosen", null);
      this.state.set("brushes", new Map());
      this.state.set("axes", null);
      for (const key of ["x", "y", "colour", "result"] as const) this.state.set(key, "");
    }
    this.opened = opened;
    this.failed = "";
    this.state.set("table", null);
    this.mark();
    await this.look();
  }

  /** Reads the study now and, while the page is shown, every second. */
  private async look(): Promise<void> {
    clearTimeout(this.timer);
    const { opened } = this;
    if (opened && !this.failed && this.app.connection.status === "open") {
      const last = this.state.get("table");
      try {
        const answer = await fetchOwn(`/study/${opened.study}?have=${last ? last.data.revision : ""}`);
        if (!answer.ok) throw new Error(await answer.text());
        const buffer = await answer.arrayBuffer();
        if (opened !== this.opened) return;
        this.update(readTable(buffer, last));
      } catch (error) {
        if (opened !== this.opened) return;
        if (this.app.connection.status === "open") this.failed = (error as Error).message; // else it is read again later
        this.update(null);
      }
    }
    clearTimeout(this.timer);
    if (!this.element.hidden) this.timer = window.setTimeout(() => void this.look(), INTERVAL);
  }

  private update(table: Table | null): void {
    if (table?.data.running || table?.data.message) this.starting = false;
    const last = this.state.get("table");
    if (!table || !last || table.data.study !== last.data.study || table.data.revision !== last.data.revision) {
      if (table) this.choose(table);
      this.state.set("table", table); // drawn again only if its columns have changed
    }
    this.data = table?.data ?? null;
    const data = table?.data ?? null, ready = !!table && table.count > 0;
    this.plots.hidden = !ready;
    this.hint.hidden = ready;
    this.hint.textContent = this.failed || (!this.opened ? "Choose a study on the left. A study evaluates one function at many points: a sweep, samples or a search." : !data ? "Reading …" : !data.begun ? "This study has not been run yet. Press Run the study to start it here, or run it with 'anthropi study'." : "The study has no points yet.");
    this.showHead(data);
    this.showRun(data);
    const listed = `${data?.begun} ${data?.running}`;
    if (data && listed !== this.listed) void this.relist(); // the list says which studies run
    if (data) this.listed = listed;
  }

  /** Chooses columns for the plots that do not have any yet. */
  private choose(table: Table): void {
    const { state } = this, all = plottable(table), named = (key: string) => !!columnOf({ ...table, columns: all }, key);
    const points = all.filter(({ role, range, words }) => role === "point" && (words || range[0] < range[1])), results = all.filter(({ role }) => role === "result"), numbers = results.filter(({ words }) => !words);
    const objective = numbers.find(({ name }) => name === table.data.minimise) ?? numbers[0];
    if (!named(state.get("x"))) state.set("x", points[0]?.key ?? "index:point");
    if (!named(state.get("y")) || (this.waits && objective)) state.set("y", (objective ?? points[1] ?? points[0])?.key ?? "index:point");
    if (!named(state.get("colour")) && results.length) state.set("colour", (points[1] ?? numbers.find((own) => own !== objective) ?? objective ?? results[0])!.key);
    if (!named(state.get("result")) && objective) state.set("result", objective.key);
    if (objective) this.waits = false;
  }

  private showHead(data: StudyData | null): void {
    if (!data?.begun) return fill(this.head, this.opened && h("b", null, this.opened.file || this.opened.folder));
    const { done, total, failed, rate, left, workers, running, own, search } = data;
    const number = (x: number) => x.toLocaleString("en");
    const state = running ? (own ? "Running" : "Running in another process") : done >= total && total > 0 && !search ? "Done" : search && !running ? "Not running" : "Stopped";
    const parts = [
      `${number(done)} of ${number(total)} points${search ? " so far" : ""}`, failed ? `${number(failed)} failed` : "none failed",
      running && rate > 0 ? `${shownNumber(Number(rate.toPrecision(3)))} per second` : "", running && left !== null ? `${duration(left)} left` : "", running && workers ? `${workers} worker${workers > 1 ? "s" : ""}` : "",
      data.stride > 1 ? `every ${data.stride}th point is shown` : ""];
    fill(this.head, h("b", null, data.file || data.folder), h("span", { class: "quiet-text" }, data.function), h("progress", { max: Math.max(total, 1), value: Math.min(done, total), "aria-label": "Points done" }),
      h("span", { class: `study-state ${running ? "study-live" : ""}` }, state), h("span", { class: "number study-count" }, parts.filter(Boolean).join(" · ")));
  }

  // running

  private readonly runButton = button("Run the study", "Runs this study file. It goes on where an earlier run stopped.", () => void this.start(), "primary");
  private readonly stopButton = button("Stop the study", "Stops the study as Ctrl-C does. Points that are done are kept.", () => void this.stop(), "danger");
  private readonly message = h("p", { class: "study-message", role: "status" });

  private makeRunBox(): void {
    const workers = numberField(this.app, { label: "Workers", help: "Number of processes; empty: one for each CPU.", min: 1, max: 1024, step: 1, empty: "all CPUs", commit: (x) => (this.workers = x === null ? null : Math.round(x)) });
    const retry = tickField({ label: "Compute failed points again", help: "Whether points that failed in an earlier run are computed again.", commit: (on) => (this.retry = on) });
    fill(this.runBox, h("h4", null, "Run"), workers.element, retry.element, h("div", { class: "row" }, this.runButton, this.stopButton), this.message,
      h("p", { class: "quiet-text" }, "Run imports and runs the Python code that the study file names, with your rights, in a process of its own. Run only files that you trust. Only files in the workspace can be run."));
  }

  private showRun(data: StudyData | null): void {
    const running = !!data?.running || !!data?.own || this.starting;
    this.runBox.hidden = !this.opened;
    this.runButton.disabled = running || !this.opened?.file;
    this.stopButton.disabled = !data?.own;
    this.message.textContent = data?.running && !data.own && !this.starting ? "Another process runs this study; stop it there." : !this.opened?.file ? "Open the study file (.toml) to run this study." : running ? "" : (data?.message ?? "");
  }

  private async start(): Promise<void> {
    if (!this.opened?.file) return;
    this.starting = true;
    this.showRun(this.data);
    const { study } = this.opened;
    await this.app.connection.send("start_study", { study, workers: this.workers, retry: this.retry }).catch((error: Error) => this.app.notify({ tone: "error", text: error.message }));
    this.starting = false;
    await this.look();
  }

  private async stop(): Promise<void> {
    if (!this.opened) return;
    await this.app.run("stop_study", { study: this.opened.study });
    await this.look();
  }
}
