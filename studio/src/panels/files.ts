// Uploads and downloads.

import type { App } from "../app";
import { fetchOwn } from "../connection";
import { h } from "../dom";
import { explainFailure } from "../help/toasts";
import type { Download, Opened } from "../messages";

/** Uploads and opens a file from this computer. */
export async function openFromDisk(app: App, file: File, add: boolean): Promise<Opened | undefined> {
  try {
    const answer = await fetchOwn("/upload", { method: "POST", body: file, headers: { "X-Name": file.name.replace(/[^\w.-]+/g, "_") } });
    if (!answer.ok) throw new Error(`'${file.name}' could not be uploaded: ${await answer.text()}`);
    const { upload } = (await answer.json()) as { upload: string };
    const opened = await app.connection.send("open_upload", { upload, name: file.name, add });
    reportOpened(app, file.name, opened);
    return opened;
  } catch (error) {
    explainFailure(app, error);
    return undefined;
  }
}

/** Shows a message about what was opened, and chooses the new figure. */
export function reportOpened(app: App, name: string, { figures, motions, notes }: Opened): void {
  const first = figures[0];
  if (first !== undefined) app.store.set("selection", { figure: first, link: null, dof: null });
  const what = [figures.length ? `${figures.length} figure${figures.length > 1 ? "s" : ""}` : "", motions.length ? `${motions.length} motion${motions.length > 1 ? "s" : ""}` : ""].filter(Boolean).join(" and ");
  app.notify({ tone: "good", text: `Opened ${name}${what ? `: ${what}` : ""}.${notes.length ? ` ${notes.slice(0, 3).join(" ")}` : ""}` });
}

/** Downloads a file from the server. */
export function fetchFile({ address, name }: Download): void {
  h("a", { href: address, download: name }).click();
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
