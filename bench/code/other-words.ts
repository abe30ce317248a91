// Which words stand in which repositories. A name that only one repository has is its own: it comes from no library, so
// every occurrence of it in code is a use of what that repository declares under it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { familyOfLanguage, languageOf } from "../../src/code/languages/languages.ts";

export class OtherWords {
  /** The only repository that holds a word of a language family; undefined for words of several. */
  readonly #holders = new Map<string, string | undefined>();

  constructor(roots: readonly string[]) {
    for (const root of roots) this.#read(root);
  }

  /** Of `empty?`, the word is `empty`. */
  isOwn(root: string, family: string, name: string): boolean {
    return this.#holders.get(`${family} ${name.replace(/[?!=]$/, "")}`) === root;
  }

  #read(root: string): void {
    for (const path of sourceFiles(root)) {
      const family = familyOfLanguage(languageOf(path)?.name ?? "");
      for (const word of new Set(readFileSync(path, "utf8").match(/[\p{L}_][\p{L}\p{N}_]*/gu))) {
        const key = `${family} ${word}`;
        if (!this.#holders.has(key)) this.#holders.set(key, root);
        else if (this.#holders.get(key) !== root) this.#holders.set(key, undefined);
      }
    }
  }
}

function* sourceFiles(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules")
      yield* sourceFiles(path);
    else if (entry.isFile() && languageOf(path)) yield path;
  }
}
