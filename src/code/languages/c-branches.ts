/** A text with one branch of every `#if`, and one with the other branches alone. */
export interface OneBranch {
  text: string;
  rest: string;
}

/**
 * Branches of a condition may open one brace each, or end in the middle of a list: only one of them at a time is code. The
 * first stays, the second after `#if 0`; the others and the directives become spaces there.
 */
export function oneBranch(source: string): OneBranch | undefined {
  const open: { isLeft: boolean; hadOne: boolean }[] = [];
  const kept: string[] = [];
  const rest: string[] = [];
  let at = 0;
  let found = false;
  while (at < source.length) {
    const end = endOfLine(source, at);
    const line = source.slice(at, end);
    const directive = /^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b[ \t]*(.*)/.exec(line);
    const isLeft = open.some((branch) => branch.isLeft);
    if (!directive) {
      kept.push(isLeft ? blank(line) : line);
      rest.push(isLeft ? line : blank(line));
    } else {
      found = true;
      kept.push(blank(line));
      rest.push(blank(line));
      const [, word = "", condition = ""] = directive;
      const last = open.at(-1);
      if (word.startsWith("if")) {
        const isNever = word === "if" && /^0\b/.test(condition);
        open.push({ isLeft: isNever, hadOne: !isNever });
      } else if (word === "endif") open.pop();
      else if (last) open[open.length - 1] = { isLeft: last.hadOne, hadOne: true };
    }
    at = end;
  }
  return found ? { text: kept.join(""), rest: rest.join("") } : undefined;
}

/** After the line, and after those that it continues on. */
function endOfLine(source: string, from: number): number {
  for (let at = from; ; at++) {
    at = source.indexOf("\n", at);
    if (at < 0) return source.length;
    if (!/\\\r?$/.test(source.slice(Math.max(from, at - 2), at))) return at + 1;
  }
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");
