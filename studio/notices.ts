// Licence notices of the npm packages in the bundle. They are written as a comment at the head of the script and of the style sheet,
// which exported pages contain, and as a file for the wheel. The list contains the packages that the bundler has used, not those of package.json.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "THIRD_PARTY_NOTICES.txt";
const PACKAGE = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/;

interface Output {
  type: string;
  fileName: string;
  code?: string;
  source?: string | Uint8Array;
}

interface Emitter {
  emitFile: (file: { type: "asset"; fileName: string; source: string }) => void;
}

/** Returns name, version, licence and licence text of the package in a folder. */
function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
  if (!file) throw new Error(`${name} is in the bundle and has no licence file. Add its notice in studio/notices.ts.`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  if (text.includes("*/")) throw new Error(`The licence of ${name} contains "*/", which would end the comment that contains it. Replace it in studio/notices.ts.`);
  return `${name} ${version} (${license})\n\n${text}\n`;
}

function together(folders: Map<string, string>): string {
  const texts = [...folders.keys()].sort().map((name) => notice(folders.get(name)!));
  return `This file contains code of third parties:\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** Returns a Vite plugin that writes the notices. */
export function notices() {
  const all = new Map<string, string>(); // name of a package: its folder
  const styles = new Map<string, string>(); // the same, for packages with a style sheet in the bundle
  return {
    name: "third-party-notices",
    enforce: "post" as const,
    moduleParsed({ id }: { id: string }) {
      const path = id.split("?")[0]!;
      const [, folder, name] = PACKAGE.exec(path) ?? [];
      if (!folder || !name) return;
      all.set(name.replace("\\", "/"), folder);
      if (path.endsWith(".css")) styles.set(name.replace("\\", "/"), folder);
    },
    generateBundle(this: Emitter, _: unknown, bundle: Record<string, Output>) {
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") part.code = `/*!\n${together(all)}*/\n${part.code}`;
        else if (part.fileName.endsWith(".css") && styles.size) part.source = `/*!\n${together(styles)}*/\n${String(part.source)}`;
      }
      this.emitFile({ type: "asset", fileName: FILE, source: together(all).replace("This file contains", "The studio's page (studio.js, studio.css) and every page exported from it contain") });
    },
  };
}
