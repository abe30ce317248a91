import { type Language, typeKinds } from "../../languages/language.ts";
import { familyOfLanguage } from "../../languages/languages.ts";
import { qualifiedName } from "../../syntax/syntax.ts";
import { isConstructor, isMember, isNested, keyOf, parentOf, titleKey, told } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import type { Target } from "../full-names.ts";
import { noSuchName, other, possible, type Verdict } from "./verdict.ts";

/** Everything declared under one name, and which of it is asked for. */
export class Candidates {
  readonly name: string;
  readonly all: readonly Definition[];
  /** What is asked for. For constructors, their types: how those are used tells where they are called. */
  readonly asked: readonly Definition[];
  /** The constructors asked for, if nothing else is. */
  readonly constructors: readonly Definition[];
  /** Reached through a type. */
  readonly members: readonly Definition[];
  /** Reached by the name itself, or through a module or namespace. */
  readonly tops: readonly Definition[];
  readonly #askedKeys: ReadonlySet<string>;

  constructor(name: string, asked: readonly Definition[], all: readonly Definition[]) {
    this.name = name;
    this.all = all;
    this.constructors = asked.every(isConstructor) ? asked : [];
    const types = all.filter(
      (d) =>
        typeKinds.has(d.declaration.kind) &&
        this.constructors.some((made) => made.declaration.owner === qualifiedName(d.declaration)),
    );
    this.asked = types.length > 0 ? types : asked;
    this.#askedKeys = new Set(this.asked.flatMap((d) => [keyOf(d), titleKey(d)]));
    // Where a type is asked for, its constructor of the same name is the type.
    const isOfType = this.asked.some((d) => typeKinds.has(d.declaration.kind));
    const seen = all.filter((d) => !isNested(d) && !(isOfType && isConstructor(d)));
    // `void space::f() {}` is a function of a namespace when something in that namespace declares it.
    const inSpaces = new Set(
      seen.filter((d) => !isMember(d)).map(({ declaration }) => qualifiedName(declaration)),
    );
    const isTop = (d: Definition) =>
      !isMember(d) ||
      (d.declaration.owner !== undefined &&
        parentOf(d) === undefined &&
        inSpaces.has(qualifiedName(d.declaration)));
    this.members = seen.filter((d) => !isTop(d));
    this.tops = seen.filter(isTop);
  }

  isAsked(d: Definition): boolean {
    return this.#askedKeys.has(keyOf(d));
  }

  /** It, an overload of it, or its prototype. */
  isAskedTitle(d: Definition): boolean {
    return this.isAsked(d) || this.#askedKeys.has(titleKey(d));
  }

  /** Of those that a target names, the ones that need no type; else the members. */
  at(targets: readonly Target[]): Definition[] {
    const at = (list: readonly Definition[]) =>
      list.filter((d) =>
        targets.some(
          ({ file, name, owner }) =>
            d.file === file &&
            d.declaration.name === name &&
            (owner === undefined || owner === d.declaration.owner),
        ),
      );
    const tops = at(this.tops);
    return tops.length > 0 ? outermost(tops) : at(this.members);
  }

  /** What an import brings under the name: also what extends a type. */
  imported(targets: readonly Target[]): Definition[] {
    const files = new Set(targets.map(({ file }) => file));
    const extensions = this.members.filter(
      ({ file, declaration: { parent, kind } }) => parent === -1 && kind !== "type" && files.has(file),
    );
    return [...new Set([...this.at(targets), ...extensions])];
  }

  /** What an occurrence means that leads to these definitions. */
  verdictOn(found: Definition[], elsewhere?: string): Verdict {
    if (found.some((d) => this.isAskedTitle(d))) return { is: "sure", of: found };
    const [first] = found;
    return other(first ? this.toldApart(first) : (elsewhere ?? noSuchName));
  }

  /** What something else is called; with its file where that is also what is asked for is called. */
  toldApart(d: Definition): string {
    const name = told(d);
    return this.asked.some((one) => told(one) === name) ? `${d.file}#${name}` : name;
  }

  /** Functions of several files are in sight, of which the arguments choose one. */
  overloaded(seen: readonly Definition[], language: Language): Verdict | undefined {
    if (!language.overloads) return undefined;
    const functions = seen.filter((d) => d.declaration.kind === "func" && !d.declaration.bodiless);
    const asked = functions.filter((d) => this.isAskedTitle(d));
    const rival = functions.find((d) => !asked.includes(d));
    return asked.length > 0 && rival ? possible(`overloaded in ${rival.file}`, asked) : undefined;
  }
}

/** What a file gives is at its top, not in a module inside of it. */
export function outermost(list: readonly Definition[]): Definition[] {
  const atTop = new Set(list.filter((d) => d.declaration.parent === -1).map((d) => d.file));
  return list.filter((d) => d.declaration.parent === -1 || !atTop.has(d.file));
}

/** Those that code in this language can use. */
export function inFamily<T extends Definition>(list: readonly T[], language: Language): T[] {
  const family = familyOfLanguage(language.name);
  return list.filter((d) => familyOfLanguage(d.syntax.language) === family);
}
