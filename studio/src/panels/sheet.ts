// The sheet: a wide panel at the bottom of the page that shows one panel at a time.

import { fill, h, iconButton } from "../dom";
import { ICONS } from "../icons";

export class Sheet {
  readonly element = h("section", { class: "sheet-panel", hidden: true });
  private readonly title = h("h2");
  private readonly tools = h("div", { class: "row sheet-tools" });
  private readonly content = h("div", { class: "sheet-content" });
  private now = "";

  constructor(private readonly shell: HTMLElement) {
    fill(this.element, h("header", null, this.title, this.tools, iconButton(ICONS.close, "Close this panel", "Closes this panel (Esc).", () => this.close())), this.content);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.close();
    });
    shell.append(this.element);
  }

  get open(): string {
    return this.now;
  }

  /** Shows a panel, or closes it if it is already shown. */
  toggle(title: string, content: HTMLElement, tools: HTMLElement[] = []): void {
    if (this.now === title) return this.close();
    this.show(title, content, tools);
  }

  show(title: string, content: HTMLElement, tools: HTMLElement[] = []): void {
    this.now = title;
    this.title.textContent = title;
    this.element.setAttribute("aria-label", title);
    fill(this.tools, tools);
    fill(this.content, content);
    this.element.hidden = false;
    this.shell.classList.add("with-sheet");
    dispatchEvent(new Event("resize"));
  }

  close(): void {
    this.now = "";
    this.element.hidden = true;
    this.shell.classList.remove("with-sheet");
    dispatchEvent(new Event("resize"));
  }
}
