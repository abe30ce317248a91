// A method of a type beside a hierarchy may implement one of it: `class N extends M implements Runner`.
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { lastOwner } from "./declared.ts";
import { type Definition, findExact } from "./definitions.ts";
import type { Inheritor } from "./relations.ts";
import { relatedTypes } from "./type-family.ts";

export class TypesBetween {
  readonly #project: Project;
  readonly #roots: readonly Definition[];
  readonly #below: ReadonlyMap<string, Inheritor>;
  /** What stands above the roots: what they override themselves. */
  #above: Promise<Set<string>> | undefined;

  constructor(project: Project, roots: readonly Definition[], below: ReadonlyMap<string, Inheritor>) {
    this.#project = project;
    this.#roots = roots;
    this.#below = below;
  }

  /** The type below the roots through which a method of a type elsewhere implements theirs. */
  async through(
    method: Definition,
    sameName: readonly Definition[],
  ): Promise<Pick<Inheritor, "depth" | "via" | "byName"> | undefined> {
    const owner = lastOwner(method);
    const language = languageNamed(method.syntax.language);
    const mayInherit = language?.implementsByParents === true && !method.declaration.bodiless && owner !== "";
    if (!mayInherit || this.#below.size === 0) return undefined;
    this.#above ??= this.#findAbove();
    if ((await this.#above).has(owner)) return undefined;
    const names = await relatedTypes(this.#project, owner, "down");
    for (const name of names) {
      const between = this.#below.get(name);
      // What it declares itself hides what it inherits.
      if (!between || name === owner || sameName.some((d) => lastOwner(d) === name)) continue;
      const isOneOfMany = (await findExact(this.#project, owner, "type")).length > 1;
      return {
        depth: between.depth + 1,
        via: name,
        ...((between.byName || isOneOfMany) && { byName: true }),
      };
    }
    return undefined;
  }

  async #findAbove(): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { declaration } of this.#roots)
      for (const name of await relatedTypes(this.#project, declaration.name, "up")) found.add(name);
    return found;
  }
}
