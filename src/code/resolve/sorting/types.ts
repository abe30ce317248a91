import { type Language, typeKinds } from "../../languages/language.ts";
import { familyOfLanguage } from "../../languages/languages.ts";
import type { Project } from "../../project/project.ts";
import { type Definition, findExact } from "../definitions.ts";
import { importedForAll } from "../other-names.ts";
import { parentsOf } from "../parents.ts";
import { relatedTypes } from "../type-family.ts";

/** The names of a type's parents and of what is derived from it. */
export interface TypeFamily {
  up: Set<string>;
  down: Set<string>;
}

/** The types of a project, by name. */
export class Types {
  readonly #project: Project;
  readonly #families = new Map<string, Promise<TypeFamily>>();
  readonly #forAll = new Map<string, Promise<Map<string, string>>>();
  readonly #joined = new Map<string, Promise<string | undefined>>();
  readonly #declared = new Map<string, Promise<Definition[]>>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** A type or module of this name that code in this language can use. */
  async named(name: string, language: Language): Promise<Definition | undefined> {
    for (const file of this.#project.declaring(name)) {
      if (familyOfLanguage(file.language) !== familyOfLanguage(language.name)) continue;
      const syntax = await this.#project.syntax(file);
      const declaration = syntax?.declarations.find(
        (d) => d.name === name && (typeKinds.has(d.kind) || d.kind === "module"),
      );
      if (syntax && declaration) return { file: file.path, declaration, syntax, distance: 0 };
    }
    return undefined;
  }

  /** Everything that is declared under a name. */
  declared(name: string): Promise<Definition[]> {
    const found = this.#declared.get(name) ?? findExact(this.#project, name);
    this.#declared.set(name, found);
    return found;
  }

  /** What a name stands for that one file gives to a type for all. */
  async namedForAll(name: string, { importsForAll: word }: Language): Promise<string | undefined> {
    if (word === undefined) return undefined;
    const names = this.#forAll.get(word) ?? importedForAll(this.#project, word);
    this.#forAll.set(word, names);
    return (await names).get(name);
  }

  family(type: string): Promise<TypeFamily> {
    let family = this.#families.get(type);
    if (!family) {
      family = this.#related(type);
      this.#families.set(type, family);
    }
    return family;
  }

  /** A type below the first that has the second above it, too: `class C extends First implements Second`. */
  belowBoth(first: string, second: string): Promise<string | undefined> {
    const key = `${first}<${second}`;
    let found = this.#joined.get(key);
    if (!found) {
      found = this.#findBelowBoth(first, second);
      this.#joined.set(key, found);
    }
    return found;
  }

  async #findBelowBoth(first: string, second: string): Promise<string | undefined> {
    const { down } = await this.family(first);
    for (const type of down) {
      for (const parent of type === first ? [] : await parentsOf(this.#project, type)) {
        if (down.has(parent)) continue;
        if (parent === second || (await relatedTypes(this.#project, parent, "up")).has(second)) return type;
      }
    }
    return undefined;
  }

  async #related(type: string): Promise<TypeFamily> {
    const up = await relatedTypes(this.#project, type, "up");
    const down = await relatedTypes(this.#project, type, "down");
    up.delete(type);
    return { up, down };
  }
}
