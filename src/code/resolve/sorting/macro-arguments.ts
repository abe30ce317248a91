// In C, a macro may take the name of a member: `offsetof(struct s, name)`, `SET(store, name, 1)`.
import { type Language, typeKinds } from "../../languages/language.ts";
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
  /** It is called on something. */
  isMethod: boolean;
  /** Which of the arguments it is. */
  index: number;
  /** All of them, as they are written. */
  all: string[];
}

/** Macros of the standard library and of Linux that take a type and then one of its members. */
const takesMember = /^(?:__builtin_)?offsetof$|^(?:container_of|offsetofend|sizeof_field|typeof_member)$/;

/** `connect(store, SIGNAL(saved()), this, SLOT(show()))`: members of what stands before them. */
const namesSlot = /^(?:SIGNAL|SLOT)$/;
const ofThis =
  /(?:(?:^|[(,]\s*)this|\bSIGNAL\s*\([^()]*(?:\([^()]*\))?[^()]*\))\s*,\s*(?:SIGNAL|SLOT)\s*\(\s*$/;
const isOfOther = (source: string, offset: number) =>
  !ofThis.test(source.slice(Math.max(0, offset - 300), offset));

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
  const ofType = async (argument = ""): Promise<Verdict> => {
    const type = /(?:^|[\s:])(\w+)[\s*]*$/.exec(argument)?.[1];
    const verdict = type && (await memberOf(question, context, { name: type, rest: "" }, { offset }));
    return verdict || possible(`an argument of ${call.callee}`, members);
  };
  if (takesMember.test(call.callee)) return ofType(call.all[call.index - 1]);
  if (call.isMethod || call.all[call.index] !== name) return undefined;
  const declared = inFamily(await question.types.declared(call.callee), context.language);
  const macros = declared.filter((d) => d.declaration.kind === "macro");
  for (const macro of macros) {
    const taken = await memberTakenBy(question, macro, call.index);
    if (taken) return ofType(taken.type === undefined ? "" : call.all[taken.type]);
  }
  const others = call.all.filter((_, index) => index !== call.index);
  const types = new Set(
    others.map((one) => /^(?:const\s+)?(?:(?:struct|union)\s+)?(\w+)[\s*]*$/.exec(one)?.[1]),
  );
  const namesOwner = declared.length === 0 && members.some((d) => types.has(lastOwner(d)));
  return namesOwner ? possible(`an argument of ${call.callee}`, members) : undefined;
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
  if (!call || call.isMethod) return verdict;
  const declared = inFamily(await question.types.declared(call.callee), context.language);
  const isFunction =
    declared.length > 0 &&
    declared.every(({ declaration: { kind } }) => kind === "func" || kind === "method");
  return isFunction ? verdict : possible(`an argument of ${call.callee}`, members);
}

const askedMembers = ({ candidates }: Question, language: Language): Definition[] =>
  language.family === "c"
    ? inFamily(candidates.asked, language).filter((d) => isMember(d) && !typeKinds.has(d.declaration.kind))
    : [];

/** Words that stand before brackets and call nothing. */
const noCallee =
  /^(?:if|while|for|switch|return|sizeof|case|else|and|or|not|do|catch|alignof|decltype|typeof|void|bool|char|short|int|long|float|double|signed|unsigned)$/;

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
      const [, operator = "", callee] =
        /(\.|->|::)?\s*([A-Za-z_]\w*)\s*$/.exec(source.slice(Math.max(0, start - 81), start - 1)) ?? [];
      if (callee === undefined) continue;
      if (noCallee.test(callee)) return undefined;
      return { callee, isMethod: operator !== "", ...argumentsFrom(source, start, offset + name.length) };
    }
  }
  return undefined;
}

/** The arguments of a call, and which of them a place is in. */
function argumentsFrom(source: string, start: number, at: number): Pick<Call, "all" | "index"> {
  const all: string[] = [];
  let index = 0;
  let depth = 0;
  let from = start;
  for (let i = start; i < Math.min(source.length, start + longestCall); i++) {
    const sign = source[i] ?? "";
    const isEnd = depth === 0 && (sign === "," || sign === ")");
    if (/[([{]/.test(sign)) depth++;
    else if (/[)\]}]/.test(sign)) depth--;
    if (!isEnd) continue;
    if (from < at && at <= i) index = all.length;
    all.push(source.slice(from, i).trim());
    from = i + 1;
    if (sign === ")") break;
  }
  return { all, index };
}

/** How a macro's text uses a parameter as a member: `(p)->field`, `offsetof(type, field)`. */
interface TakenMember {
  /** The argument that is the member's type. */
  type?: number;
}

async function memberTakenBy(
  { resolver: { project } }: Question,
  { file, declaration: { start, end } }: Definition,
  index: number,
): Promise<TakenMember | undefined> {
  const source = await project.source(file).catch(() => "");
  const [, parameters = "", text = ""] =
    /^#\s*define\s+\w+\(([^)]*)\)(.*)$/s.exec(source.slice(start, end).trimStart()) ?? [];
  const names = parameters.split(",").map((one) =>
    one
      .replace("\\", "")
      .trim()
      .replace(/\.\.\.$/, ""),
  );
  const name = names[index] || (parameters.includes("...") ? "__VA_ARGS__" : undefined);
  if (name === undefined) return undefined;
  const offset = new RegExp(`\\boffsetof\\s*\\(\\s*(?:struct\\s+)?([^(),]*),\\s*${name}\\b`).exec(text);
  const type = names.indexOf(offset?.[1]?.trim() ?? "");
  if (offset) return type < 0 ? {} : { type };
  return new RegExp(`(?:\\.|->|::)\\s*${name}\\b`).test(text) ? {} : undefined;
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
