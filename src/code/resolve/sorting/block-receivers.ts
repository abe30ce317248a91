// Blocks that have a receiver of their own: `with(value) { … }`, `value.apply { … }`, `html { … }` in Kotlin.
import { typeKinds } from "../../languages/language.ts";
import { familyOfLanguage } from "../../languages/languages.ts";
import { isQuiet } from "../../syntax/syntax.ts";
import { lastOwner } from "../declared.ts";
import type { NamedType } from "../named-type.ts";
import { type Occurrence, receiverBefore } from "../occurrences.ts";
import { receiverType } from "../receivers.ts";
import { inFamily } from "./candidates.ts";
import type { FileContext, Question } from "./question.ts";
import { possible, type Verdict } from "./verdict.ts";

/** The type of a block's receiver; without a type when it has one that is not known. */
export interface BlockReceiver {
  type?: NamedType;
}

/** A block further away than this from where it begins has none that is looked for. */
const longestBlock = 20_000;

/** The receivers of the blocks around a place, innermost first, up to the type around. */
export async function blockReceivers(
  question: Question,
  context: FileContext,
  offset: number,
): Promise<BlockReceiver[]> {
  if (!context.language.blocksHaveReceivers) return [];
  const found: BlockReceiver[] = [];
  for (const at of openBraces(context, offset)) {
    const receiver = await receiverOf(question, context, at);
    if (receiver) found.push(receiver);
  }
  return found;
}

/** Where the brackets begin that are open at an offset, in the innermost type around. */
function openBraces({ file: { source, syntax } }: FileContext, offset: number): number[] {
  const type = syntax.declarations.findLast(
    (d) => typeKinds.has(d.kind) && d.start <= offset && offset < d.end,
  );
  const from = Math.max(type?.start ?? 0, offset - longestBlock);
  const open: number[] = [];
  let depth = 0;
  for (let at = offset - 1; at >= from; at--) {
    const sign = source[at];
    if ((sign !== "{" && sign !== "}") || isQuiet(syntax, at)) continue;
    if (sign === "}") depth++;
    else if (depth > 0) depth--;
    else open.push(at);
  }
  return open;
}

const noCall =
  /^(?:if|else|for|while|do|when|try|catch|finally|init|get|set|constructor|class|object|interface|fun|return|run|apply)$/;

async function receiverOf(
  question: Question,
  context: FileContext,
  brace: number,
): Promise<BlockReceiver | undefined> {
  const { source } = context.file;
  const call = callBefore(source, brace);
  if (
    !call ||
    /\b(?:fun|class|object|interface)\s+(?:<[^()]*>\s*)?(?:[\w<>?, ]+\.)?$|[^:]:\s*$/.test(
      source.slice(Math.max(0, call.start - 100), call.start),
    )
  )
    return undefined;
  const { name, start, inside } = call;
  const before = receiverBefore(source, start, context.file.syntax, context.language);
  if (name === "with" && !before)
    return inside === undefined ? undefined : typeOf(question, context, start, inside);
  if (before && /^(?:apply|run|runCatching)$/.test(name))
    return known(question, context, { offset: start, called: false, ...before });
  return noCall.test(name) ? undefined : declaredReceiver(question, context, name);
}

/** What is called with a block that begins at a bracket: `name {`, `name(…) {`. */
function callBefore(
  source: string,
  brace: number,
): { name: string; start: number; inside?: readonly [number, number] } | undefined {
  let end = brace;
  while (/\s/.test(source[end - 1] ?? "")) end--;
  let inside: readonly [number, number] | undefined;
  if (source[end - 1] === ")") {
    let depth = 0;
    let at = end - 1;
    for (; at >= Math.max(0, end - 1_000); at--) {
      if (source[at] === ")") depth++;
      else if (source[at] === "(" && --depth === 0) break;
    }
    if (depth !== 0) return undefined;
    inside = [at + 1, end - 1];
    end = at;
  }
  const head = source.slice(Math.max(0, end - 200), end).replace(/<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>$/, "");
  const name = /[A-Za-z_]\w*$/.exec(head)?.[0];
  const gap = end - Math.max(0, end - 200) - head.length;
  return name === undefined ? undefined : { name, start: end - gap - name.length, ...(inside && { inside }) };
}

/** `with(value)`, `with(part.of.value)`, `with(Type())`. */
function typeOf(
  question: Question,
  context: FileContext,
  offset: number,
  [from, to]: readonly [number, number],
): Promise<BlockReceiver> {
  const text = context.file.source.slice(from, to);
  const [, chained, receiver] = /^\s*(?:([\w]*)\.)?(\w+)\s*$/.exec(text) ?? [];
  const receiverEnd = from + text.trimEnd().length;
  const isMade = receiver === undefined && text.trimEnd().endsWith(")");
  if (receiver === undefined && !isMade) return Promise.resolve({});
  return known(question, context, {
    offset,
    called: false,
    receiver: receiver ?? "",
    receiverEnd,
    ...(chained !== undefined && { chained }),
  });
}

async function known(
  { resolver: { project, bindings }, types }: Question,
  { file, language }: FileContext,
  occurrence: Occurrence,
): Promise<BlockReceiver> {
  const type = await receiverType(project, file, occurrence);
  if (!type) return {};
  if (await types.named(type.name, language)) return { type };
  const [target] = await bindings.targets(file, type.name);
  return target ? { type: { ...type, name: target.name } } : {};
}

/** By a function's own words: `init: Html.() -> Unit`. What is declared elsewhere seldom has receivers that matter here. */
async function declaredReceiver(
  { resolver: { project }, types }: Question,
  { language }: FileContext,
  name: string,
): Promise<BlockReceiver | undefined> {
  const found = new Set<string>();
  for (const { path, language: other } of project.declaring(name)) {
    if (familyOfLanguage(other) !== familyOfLanguage(language.name)) continue;
    const indexed = project.words.file(path);
    const syntax = indexed && (await project.syntax(indexed));
    for (const d of syntax?.declarations ?? []) {
      if (d.name !== name || (d.kind !== "func" && d.kind !== "method")) continue;
      // What stands for any type is not known.
      const parameters = /\bfun\s*<([^()]*?)>\s/.exec(d.signature)?.[1]?.split(/\W+/) ?? [];
      for (const [, type = ""] of d.signature.matchAll(/(\w+)(?:<[^()]*>)?\)?\??\.\(/g))
        found.add(parameters.includes(type) ? "" : type);
    }
  }
  const [type] = found;
  if (type === undefined) return undefined;
  const isOne = found.size === 1 && (await types.named(type, language));
  return isOne ? { type: { name: type, rest: "" } } : {};
}

/** What is not known of a block's receiver: whether a bare name in the block is a member of it. */
export function orOfBlock(
  { candidates }: Question,
  { language }: FileContext,
  around: readonly string[],
  verdict: Verdict,
): Verdict {
  const why = "the receiver of a block may have it";
  const members = inFamily(candidates.members, language);
  const asked = members.filter((d) => candidates.isAsked(d));
  if (verdict.is === "other") return asked.length > 0 ? possible(why, asked) : verdict;
  const isOfOuter = verdict.of.some((d) => members.includes(d));
  const hasRivals = members.some((d) => !around.includes(lastOwner(d)));
  return verdict.is === "sure" && (isOfOuter || hasRivals) ? possible(why, verdict.of) : verdict;
}
