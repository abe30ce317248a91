// Classes without a name, `new Base() {…}`: their own members and what they inherit come before those of the types around.
import { namelessAround, namelessOf } from "../nameless.ts";
import { memberOf } from "./members.ts";
import type { FileContext, Question } from "./question.ts";
import { possible, type Verdict } from "./verdict.ts";

/** What a name means in classes without a name, as far as one of them has such a member: bare, or behind `this`. */
export async function memberOfNameless(
  question: Question,
  context: FileContext,
  offset: number,
  receiver: "this" | "super" | undefined,
): Promise<Verdict | undefined> {
  const { candidates } = question;
  const { file } = context;
  for (const { start, parents } of namelessAround(file.syntax, offset)) {
    // Arguments belong to the code around.
    if (offset < bodyStart(file.source, start)) continue;
    const own = candidates.members.filter((d) => d.file === file.path && namelessOf(d) === start);
    if (own.length > 0 && receiver !== "super") return candidates.verdictOn(own);
    for (const name of parents) {
      const verdict = await memberOf(question, context, { name, rest: "" }, { offset, implicit: true });
      if (verdict) return verdict;
    }
    if (receiver === undefined) continue;
    const asked = candidates.members.filter((d) => candidates.isAsked(d));
    return asked.length > 0 ? possible(`${parents[0]} may have it`, asked) : undefined;
  }
  return undefined;
}

/** The first bracket of the body, behind all arguments. */
function bodyStart(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const sign = source[at];
    if (sign === "(" || sign === "[") depth++;
    else if (sign === ")" || sign === "]") depth--;
    else if (sign === "{" && depth === 0) return at;
  }
  return source.length;
}
