import { unknownPath } from "./language.ts";

/** The folder of the script itself. */
const ownFolder =
  /dirname|pwd|^\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}$|^\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*[-}]/;
const ofScript = /\$\{?0\b|BASH_SOURCE|\$\(\s*(?:cd|dirname|pwd)\b.*\$\{?0\b/;

/**
 * The file that `source` or `.` reads, as a module: what an expansion stands for is not known, but what is written behind it
 * is, as `*` and the rest of the path. Undefined where nothing is sourced.
 */
export function sourcedModule(statement: string): string | undefined {
  const argument = /^(?:source|\.)\s+(?:--\s+)?(.*)$/s.exec(statement)?.[1];
  if (!argument) return undefined;
  const path = withoutExpansions(argument);
  const last = path.lastIndexOf(unknownPath);
  if (last < 0) return path || undefined;
  const slash = path.indexOf("/", last);
  const rest = slash < 0 ? "" : path.slice(slash);
  return /[^/.]/.test(rest) ? `${unknownPath}${rest}` : unknownPath;
}

/** The first word of a command without its quotes, each expansion as one sign; the script's own folder is `.`. */
function withoutExpansions(text: string): string {
  let path = "";
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === quote) quote = "";
    else if (quote === "" && /["']/.test(sign)) quote = sign;
    else if (quote === "" && /[\s;&|<>]/.test(sign)) break;
    else if (quote !== "'" && (sign === "$" || sign === "`")) {
      const end = endOfExpansion(text, at);
      const expansion = text.slice(at, end);
      path += ownFolder.test(expansion) && ofScript.test(expansion) ? folderOf(expansion) : unknownPath;
      at = end - 1;
    } else if (sign === "\\") path += text[++at] ?? "";
    else path += /[*?[]/.test(sign) ? unknownPath : sign;
  }
  return path;
}

/** The folder of the script, or one beside or above it: `$(cd "$(dirname "$0")/.." && pwd)`. */
function folderOf(expansion: string): string {
  const above = "/..".repeat(Math.max(0, (expansion.match(/\bdirname\b/g)?.length ?? 1) - 1));
  const below = /(?:\)|\}|\$0)"?((?:\/[\w.-]+)+)"?/.exec(expansion)?.[1] ?? "";
  return `.${above}${below}`;
}

/** Behind `$name`, `${…}`, `$(…)` or the same in backticks. */
function endOfExpansion(text: string, start: number): number {
  if (text[start] === "`") return endAfter(text, text.indexOf("`", start + 1));
  const open = text[start + 1] ?? "";
  if (open !== "{" && open !== "(")
    return start + 1 + (/^(?:\w+|[@*#?!$-])/.exec(text.slice(start + 1, start + 200))?.[0].length ?? 0);
  const close = open === "{" ? "}" : ")";
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at + 1;
  }
  return text.length;
}

const endAfter = (text: string, at: number) => (at < 0 ? text.length : at + 1);
