// In C, a macro may take the name of a member: `offsetof(struct s, name)`, `SET(store, name, 1)`.
import type { Language } from "../../languages/language.ts";
import type { FileSyntax } from "../../syntax/syntax.ts";
import { isMember, lastOwner } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import { inFamily } from "./candidates.ts";
import { memberOf } from "./members.ts";
import type { FileContext, Question } from "./question.ts";
import { noSuchName, possible, type Verdict } from "./verdict.ts";

/** The call whose arguments a place is in. */
interface Call {
  callee: string;
  /** Which of the arguments it is. */
  index: number;
  /** Those before and behind it, as they are written. */
  others: string[];
}

/** Macros of the standard library and of Linux that take a type and then one of its members. */
const takesMember = /^(?:__builtin_)?offsetof$|^(?:container_of|offsetofend|sizeof_field|typeof_member)$/;

/** `connect(store, SIGNAL(saved()), this, SLOT(show()))`: members of what stands before them. */
const namesSlot = /^(?:SIGNAL|SLOT)$/;
const isOfOther = (source: string, offset: number) =>
  !/(?:^|[(,]\s*)this\s*,\s*(?:SIGNAL\s*\([^()]*(?:\([^()]*\))?[^()]*\)\s*,\s*)?(?:SIGNAL|SLOT)\s*\(\s*$/.test(
    source.slice(Math.max(0, offset - 300), offset),
  );

/** A bare name that a macro surely or likely takes for a member: of the type before it, or as its text says. */
export async function memberInMacro(
  question: Question,
  context: FileContext,
  name: string,
  offset: number,
): Promise<Verdict | undefined> {
  const members = askedMembers(question, context.language);
  const call = members.length > 0 ? callAround(context, name, offset) : undefined;
  if (!call) return undefined;
  if (namesSlot.test(call.callee) && isOfOther(context.file.source, offset))
    return possible(`an argument of ${call.callee}`, members);
  const type = /(?:^|[\s:])(\w+)[\s*]*$/.exec(call.others[call.index - 1] ?? "")?.[1];
  if (takesMember.test(call.callee) && type !== undefined)
    return (
      (await memberOf(question, context, { name: type, rest: "" }, { offset })) ??
      possible(`an argument of ${call.callee}`, members)
    );
  const declared = inFamily(await question.types.declared(call.callee), context.language);
  const macros = declared.filter((d) => d.declaration.kind === "macro");
  const takes = await Promise.all(macros.map((d) => takesMemberAt(question, d, call.index)));
  const words = new Set(call.others.join(" ").split(/\W+/));
  const namesOwner = declared.length === macros.length && members.some((d) => words.has(lastOwner(d)));
  return takes.includes(true) || (macros.length === 0 && namesOwner)
    ? possible(`an argument of ${call.callee}`, members)
    : undefined;
}

/** A bare name that is nothing else: in the arguments of what is no function, or in the text of a macro. */
export async function nameInMacro(
  question: Question,
  context: FileContext,
  name: string,
  offset: number,
  verdict: Verdict,
): Promise<Verdict> {
  const isUnknown = verdict.is === "other" && verdict.of === noSuchName;
  const members = isUnknown ? askedMembers(question, context.language) : [];
  if (members.length === 0) return verdict;
  if (isInMacroText(context.file.source, context.file.syntax, offset))
    return possible("in the text of a macro", members);
  const call = callAround(context, name, offset);
  if (!call) return verdict;
  const declared = inFamily(await question.types.declared(call.callee), context.language);
  const isFunction =
    declared.length > 0 &&
    declared.every(({ declaration: { kind } }) => kind === "func" || kind === "method");
  return isFunction ? verdict : possible(`an argument of ${call.callee}`, members);
}

const askedMembers = ({ candidates }: Question, language: Language): Definition[] =>
  language.family === "c" ? inFamily(candidates.asked, language).filter(isMember) : [];

/** Words that stand before brackets and call nothing. */
const noCallee =
  /^(?:if|while|for|switch|return|sizeof|case|else|and|or|not|do|catch|alignof|decltype|typeof)$/;

const longestCall = 2_000;

/** The innermost call around a name, which may itself be called. */
function callAround({ file: { source } }: FileContext, name: string, offset: number): Call | undefined {
  let start = offset;
  for (let depth = 0; start > Math.max(0, offset - longestCall); start--) {
    const sign = source[start - 1] ?? "";
    if (/[)\]}]/.test(sign)) depth++;
    else if (depth > 0 && /[([{]/.test(sign)) depth--;
    else if (sign === ";" || sign === "{") return undefined;
    else if (sign === "(") {
      const callee = /([A-Za-z_]\w*)\s*$/.exec(source.slice(Math.max(0, start - 81), start - 1))?.[1];
      if (callee === undefined) continue;
      return noCallee.test(callee) ? undefined : callWith(source, callee, start, offset + name.length);
    }
  }
  return undefined;
}

function callWith(source: string, callee: string, start: number, at: number): Call {
  const others: string[] = [];
  let index = 0;
  let depth = 0;
  let from = start;
  for (let i = start; i < Math.min(source.length, start + longestCall); i++) {
    const sign = source[i] ?? "";
    const isEnd = depth === 0 && (sign === "," || sign === ")");
    if (/[([{]/.test(sign)) depth++;
    else if (/[)\]}]/.test(sign)) depth--;
    if (!isEnd) continue;
    if (from < at && at <= i) index = others.length;
    others.push(from < at && at <= i ? "" : source.slice(from, i).trim());
    from = i + 1;
    if (sign === ")") break;
  }
  return { callee, index, others };
}

/** Whether a macro's text uses its parameter as a member: `(p)->field`, `offsetof(type, field)`. */
async function takesMemberAt(
  { resolver: { project } }: Question,
  { file, declaration: { start, end } }: Definition,
  index: number,
): Promise<boolean> {
  const source = await project.source(file).catch(() => "");
  const [, parameters = "", text = ""] =
    /^#\s*define\s+\w+\(([^)]*)\)(.*)$/s.exec(source.slice(start, end).trimStart()) ?? [];
  const names = parameters.split(",").map((one) => one.trim().replace(/\.\.\.$/, ""));
  const name = names[index] || (parameters.includes("...") ? "__VA_ARGS__" : undefined);
  if (name === undefined) return false;
  return new RegExp(`(?:\\.|->|::)\\s*${name}\\b|\\boffsetof\\s*\\([^()]*,\\s*${name}\\b`).test(text);
}

/** Behind the name of a macro, up to the end of its definition. */
function isInMacroText(source: string, { declarations }: FileSyntax, offset: number): boolean {
  return declarations.some(
    ({ kind, start, end, name, nameStart }) =>
      kind === "macro" &&
      start <= offset &&
      offset < end &&
      offset >= nameStart + name.length &&
      /^\s*#/.test(source.slice(start, end)),
  );
}
