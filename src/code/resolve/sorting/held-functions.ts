// Functions that objects hold under their own name: `{ run }`.
import { typeKinds } from "../../languages/language.ts";
import { familyOfLanguage } from "../../languages/languages.ts";
import type { ParsedFile, Project } from "../../project/project.ts";
import type { Bindings } from "../bindings.ts";
import { isMember, isNested } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import { isShorthandAt, localAt, placesOf } from "../occurrences.ts";
import { importAt } from "../place-in-code.ts";
import type { Candidates } from "./candidates.ts";

interface Sources {
  project: Project;
  bindings: Bindings;
}

/** Beyond so many files, a name may be held anywhere. */
const mostFiles = 500;

/** The functions asked for that some object holds under their own name, `{ run }`: whatever has that member may be it. */
export class HeldFunctions {
  readonly #sources: Sources;
  readonly #candidates: Candidates;
  #held: Promise<Definition[]> | undefined;

  constructor(sources: Sources, candidates: Candidates) {
    this.#sources = sources;
    this.#candidates = candidates;
  }

  all(): Promise<Definition[]> {
    this.#held ??= this.#find();
    return this.#held;
  }

  async #find(): Promise<Definition[]> {
    const { asked, name } = this.#candidates;
    const { project } = this.#sources;
    const functions = asked.filter(
      (d) =>
        familyOfLanguage(d.syntax.language) === "script" &&
        (isNested(d) || !isMember(d)) &&
        !typeKinds.has(d.declaration.kind),
    );
    if (functions.length === 0) return [];
    const files = project.words
      .withWord(name)
      .filter(({ file }) => familyOfLanguage(file.language) === "script");
    if (files.length > mostFiles) return functions;
    const found = new Set<Definition>();
    for (const { file } of files) {
      const parsed = await project.parsed(file.path);
      for (const d of parsed ? await this.#heldIn(parsed, functions) : []) found.add(d);
      if (found.size === functions.length) break;
    }
    return [...found];
  }

  async #heldIn(file: ParsedFile, functions: readonly Definition[]): Promise<Definition[]> {
    const { name } = this.#candidates;
    const { path, source, syntax } = file;
    const found: Definition[] = [];
    for (const at of placesOf(name, source)) {
      if (!isShorthandAt(source, at, name.length) || importAt(file, at)) continue;
      const local = localAt(syntax, name, at);
      // What stands in a pattern is bound there.
      if (local?.[1] === at || syntax.declarations.some(({ nameStart }) => nameStart === at)) continue;
      const targets = local ? [] : await this.#sources.bindings.targets(file, name);
      const isLed = (d: Definition) =>
        local
          ? d.file === path && d.declaration.nameStart === local[1]
          : targets.some((target) => target.file === d.file && target.name === d.declaration.name);
      found.push(...functions.filter(isLed));
    }
    return found;
  }
}
