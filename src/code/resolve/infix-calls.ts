// Calls between two values: `a add b` is `a.add(b)` in Kotlin and Scala.
import type { Language } from "../languages/language.ts";
import { type FileSyntax, isQuiet } from "../syntax/syntax.ts";

interface Receiver {
  receiver: string;
  receiverEnd: number;
  chained?: string;
}

/** Words that begin or go on with something else than a value. */
const noValue =
  /^(?:abstract|actual|annotation|as|by|case|catch|class|companion|const|constructor|crossinline|data|def|derives|do|else|end|enum|expect|export|extends|extension|external|final|finally|for|forSome|fun|given|if|implicit|import|in|infix|inline|inner|interface|internal|is|lateinit|lazy|macro|match|new|noinline|object|opaque|open|operator|out|override|package|private|protected|public|reified|return|sealed|suspend|tailrec|then|throw|trait|transparent|try|type|typealias|using|val|value|var|vararg|when|where|while|with|yield)$/;
/** The first value of an expression, up to its end: what stands before it joins it to nothing. */
const firstValue =
  /(?:^|[({,;[]|[-=]>|(?<![=!<>])=|\b(?:return|in|if|else|when|case|then|yield|throw|do|while))[ \t]*((?:\w+\.)*)(\w+)[ \t]+$/;
const goesOn = /(?:[-+*/%&|.:<>=!?]|\b(?:in|is|as))\s*$/;

/** What stands before a name that is called between two values: a plain name, or "" for any other expression. */
export function infixReceiver(
  source: string,
  at: number,
  end: number,
  syntax: FileSyntax,
  language: Language | undefined,
): Receiver | undefined {
  if (!language?.infixCalls || !/[\p{Ll}_]/u.test(source[at] ?? "")) return undefined;
  const isQuoted = source[at - 1] === "`" && source[end] === "`";
  const start = isQuoted ? at - 1 : at;
  const after = /^[ \t]+(?:(\w+)|["'`({[]|-\d)/.exec(source.slice(isQuoted ? end + 1 : end, end + 80));
  if (!after || (after[1] !== undefined && noValue.test(after[1]))) return undefined;
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const before = source.slice(Math.max(lineStart, start - 200), start);
  const left = /([\w)\]"'`])[ \t]+$/.exec(before);
  const leftEnd = start - before.length + (left?.index ?? 0) + 1;
  if (!left || (/[\w)\]]/.test(left[1] ?? "") && isQuiet(syntax, leftEnd - 1))) return undefined;
  const word = /\w+$/.exec(before.trimEnd())?.[0];
  if (word !== undefined && noValue.test(word)) return undefined;
  if (left[1] === ")" && isCondition(source, leftEnd - 1)) return undefined;
  const [, path = "", name] = firstValue.exec(before) ?? [];
  const isFirst =
    name !== undefined && !/^\d/.test(name) && !goesOn.test(source.slice(0, lineStart).trimEnd().slice(-20));
  if (!isFirst) return { receiver: "", receiverEnd: start };
  const chained = path === "" ? undefined : path.split(".").at(-2);
  return { receiver: name, receiverEnd: leftEnd, ...(chained !== undefined && { chained }) };
}

/** `if (…) name`, `for (…) name`: the bracket that ends there belongs to no value. */
function isCondition(source: string, end: number): boolean {
  let depth = 0;
  for (let at = end; at >= Math.max(0, end - 2_000); at--) {
    if (source[at] === ")") depth++;
    else if (source[at] === "(" && --depth === 0)
      return /(?:\b(?:if|for|while|when|catch|fun|def|class|case)\b[^()\n]*|@\w+)$/.test(
        source.slice(Math.max(0, at - 60), at),
      );
  }
  return true;
}
