// The types of fields that are declared by being assigned: `self.store = Store()`, `@store = Store.new`.
import { typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { type Declaration, isQuiet } from "../syntax/syntax.ts";
import type { NamedType } from "./named-type.ts";
import { isNothing } from "./several-values.ts";

/** What is written around a binding: its type, or that it is nothing yet. */
export type TypeAt = (file: ParsedFile, at: number, name: string) => Promise<NamedType | undefined>;

/** One value that a field gets; without a type where that is not seen. */
interface Given {
  type: NamedType | undefined;
  /** The type is declared, whatever value it gets. */
  isDeclared: boolean;
}

/** The type of a field of a type, where everything that is assigned to it in these types has the same. */
export async function assignedType(
  project: Project,
  file: ParsedFile,
  field: string,
  { own, family }: { own: string; family: () => Promise<Iterable<string>> },
  typeAt: TypeAt,
): Promise<NamedType | undefined> {
  const here = agreedOn(await givenIn(file, own, field, typeAt));
  if (!here) return undefined;
  if (here.isDeclared) return here.type;
  const all: Given[] = [here];
  for (const type of await family()) {
    for (const { path, language } of project.declaring(type)) {
      if (language !== file.syntax.language || (type === own && path === file.path)) continue;
      const other = await project.parsed(path);
      if (other) all.push(...(await givenIn(other, type, field, typeAt)));
    }
  }
  return agreedOn(all)?.type;
}

function agreedOn(all: readonly Given[]): Given | undefined {
  const declared = all.find(({ isDeclared }) => isDeclared);
  if (declared) return declared;
  const [first] = all;
  return first?.type && all.every(({ type }) => type?.name === first.type?.name) ? first : undefined;
}

/** What the bodies of a type in a file assign to a field. */
async function givenIn(file: ParsedFile, type: string, field: string, typeAt: TypeAt): Promise<Given[]> {
  const { source, syntax } = file;
  const { fieldPrefix } = languageNamed(syntax.language) ?? {};
  if (fieldPrefix === undefined) return [];
  const found: Given[] = [];
  const inner = `(?<![\\w.@])(?:${fieldPrefix})${field}(?![\\w?!])\\s*(?:\\|\\|=|=(?![=~>])|:(?!:)|,)`;
  for (const body of bodiesOf(file, type)) {
    const text = source.slice(body.start, body.end);
    const places = Array.from(
      text.matchAll(new RegExp(inner, "g")),
      ({ index, 0: all }) => body.start + index + all.indexOf(field, fieldStart(all)),
    ).filter((at) => !isQuiet(syntax, at));
    const parent = syntax.declarations.indexOf(body);
    const ofBody = syntax.declarations.filter(
      (d) => d.name === field && d.parent === parent && d.kind === "field",
    );
    for (const at of new Set([...ofBody.map(({ nameStart }) => nameStart), ...places])) {
      const after = source.slice(at + field.length, at + field.length + 100);
      if (isNothing(after)) continue;
      const isDeclared = /^\s*:(?!:)/.test(after);
      found.push({ type: await typeAt(file, at, field), isDeclared });
    }
  }
  return found;
}

const fieldStart = (text: string) => Math.max(text.lastIndexOf(".") + 1, text.lastIndexOf("@") + 1);

const bodiesOf = ({ syntax }: ParsedFile, type: string): Declaration[] =>
  syntax.declarations.filter((d) => d.name === type && (typeKinds.has(d.kind) || d.kind === "module"));
