// The licences of the packages whose code or grammars are in dist/: each of them asks to be shipped with its licence.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One section for each package that one of these files comes from, with its licence in full. */
export function noticesOf(modules: readonly string[]): string {
  return packagesOf(modules)
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim()}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

export interface BundledPackage {
  name: string;
  version: string;
  license: string;
  text: string;
}

export function packagesOf(modules: readonly string[]): BundledPackage[] {
  const folders = modules.flatMap((id) => packageFolder(id) ?? []);
  return [...new Set(folders)].map(read).sort((a, b) => a.name.localeCompare(b.name));
}

/** The folder of the package that a file belongs to. */
export function packageFolder(file: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

function read(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return {
    name: manifest.name,
    version: manifest.version,
    license: manifest.license ?? "see its licence",
    text:
      file === undefined ? `Licensed under ${manifest.license}.` : readFileSync(join(folder, file), "utf8"),
  };
}
