// The names under which files pass on what another one declares: `export { a as b } from "./a"`, `export default a`.
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { FileSyntax } from "../syntax/syntax.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import type { Bindings } from "./bindings.ts";
import { isMember } from "./declared.ts";
import type { Definition } from "./definitions.ts";

export interface PassedOn {
  /** Other names than its own. */
  names: ReadonlySet<string>;
  /** Files of which it is the default: whoever imports one of those gives it any name. */
  defaults: ReadonlySet<string>;
}

/** How files give others something, through any number of them. */
export async function passedOn(
  project: Project,
  bindings: Bindings,
  asked: readonly Definition[],
  isLate = () => false,
): Promise<PassedOn> {
  const names = new Set<string>();
  const defaults = new Set<string>();
  const given = asked.filter((d) => !isMember(d) && isOfPaths(d.syntax.language));
  const own = given[0]?.declaration.name;
  if (own === undefined) return { names, defaults };
  const isGiven = async (path: string, name: string) =>
    (await bindings.given(path, name)).some((target) =>
      given.some((d) => d.file === target.file && d.declaration.name === target.name),
    );
  const follow = async (files: readonly IndexedFile[], name: string) => {
    for (const file of files) {
      if (isLate()) return;
      if (!isOfPaths(file.language)) continue;
      const syntax = await project.syntax(file);
      for (const alias of syntax ? namesGivenTo(name, syntax) : []) {
        const known = alias === "default" ? defaults.has(file.path) : names.has(alias) || alias === own;
        if (known || !(await isGiven(file.path, alias))) continue;
        if (alias === "default") defaults.add(file.path);
        else names.add(alias);
      }
    }
  };
  for (const { file, syntax } of given) if (syntax.default === own) defaults.add(file);
  const withWord = (word: string) => project.words.withWord(word).map(({ file }) => file);
  const done = new Set<string>();
  for (let before = -1; before < done.size; ) {
    before = done.size;
    for (const name of [own, ...names]) {
      if (done.has(name)) continue;
      done.add(name);
      await follow(withWord(name), name);
    }
    for (const path of defaults) {
      if (done.has(`default ${path}`)) continue;
      done.add(`default ${path}`);
      for (const word of bindings.wordsOf(path)) await follow(withWord(word), "default");
    }
  }
  return { names, defaults };
}

const isOfPaths = (language: string) =>
  languageNamed(language)?.importStyle === "path" && familyOfLanguage(language) === "script";

/** What a file may pass a name on as; "default" for what it gives without a name. */
function namesGivenTo(name: string, { imports, default: given }: FileSyntax): Set<string> {
  const local = new Set([name]);
  for (const { names, whole, reexport } of imports) {
    if (reexport) continue;
    for (const [imported, alias] of names ?? []) if (imported === name) local.add(alias);
    if (whole && name === "default") local.add(whole);
  }
  const found = new Set<string>();
  for (const { names, reexport, module } of imports)
    for (const [imported, alias] of reexport ? (names ?? []) : [])
      if (module === "" ? local.has(imported) : imported === name) found.add(alias);
  if (given !== undefined && local.has(given)) found.add("default");
  return found;
}
