// Objects that hold members without a type: `const api = { run, stop() {} }`, then `api.stop()`.
import { typeKinds } from "../../languages/language.ts";
import { parentOf } from "../declared.ts";
import { localAt, type Occurrence } from "../occurrences.ts";
import { inFamily } from "./candidates.ts";
import type { FileContext, Question } from "./question.ts";
import type { Verdict } from "./verdict.ts";

/** What a name means behind a constant that holds an object; undefined where that is not known. */
export async function memberOfObject(
  question: Question,
  { file, language }: FileContext,
  { receiver = "", chained, offset }: Occurrence,
): Promise<Verdict | undefined> {
  const { candidates, resolver } = question;
  const { bindings, project } = resolver;
  if (!language.shorthandKeys || receiver === "" || chained === "") return undefined;
  if (chained !== undefined && (localAt(file.syntax, chained, offset) || isDeep(file.source, offset)))
    return undefined;
  const members = inFamily(candidates.members, language).filter(
    (d) => d.declaration.owner !== undefined && !typeKinds.has(parentOf(d)?.kind ?? "class"),
  );
  if (members.length === 0) return undefined;
  const places =
    chained === undefined
      ? (await bindings.targets(file, receiver)).map((target) => ({ ...target, inner: "" }))
      : [
          ...(await bindings.memberTargets(file, chained, receiver)).map((target) => ({
            ...target,
            inner: "",
          })),
          ...(await bindings.targets(file, chained)).map((target) => ({ ...target, inner: `.${receiver}` })),
        ];
  for (const { file: path, name, inner } of places) {
    const meant = members.filter((d) => d.file === path && d.declaration.owner === `${name}${inner}`);
    if (meant.some((d) => candidates.isAsked(d))) return candidates.verdictOn(meant);
    const object = meant[0]?.syntax.declarations.find((d) => d.name === name && d.parent === -1);
    if (!object || inner !== "") continue;
    const source = await project.source(path).catch(() => "");
    // An annotated object is one of that type.
    if (isTyped(source.slice(object.nameStart + name.length, object.end))) continue;
    return members.some((d) => candidates.isAsked(d) && d.declaration.owner === name)
      ? undefined
      : candidates.verdictOn(meant);
  }
  return undefined;
}

/** `a.b.c.name`: what stands before `b` is not known by its bare name. */
const isDeep = (source: string, offset: number) =>
  /\.\s*[\w$]+\s*[?!]*\.\s*[\w$]+\s*[?!]*\.\s*$/.test(source.slice(Math.max(0, offset - 200), offset));

const isTyped = (text: string) => /^\s*:/.test(text) || /\}\s*(?:as|satisfies)\b(?!\s*const\s*$)/.test(text);
