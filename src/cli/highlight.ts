import type { Style } from "./terminal.ts";

/**
 * Colours for one line of code, whatever its language: comments, texts, numbers, and words that many languages reserve. A
 * parser for each language would have to be loaded before the first line is shown, and could not work line by line.
 */
export function highlightLine(
  line: string,
  language: string,
  paint: (style: Style, text: string) => string,
): string {
  if (/^(?:diff|patch)$/.test(language)) return diffLine(line, paint);
  if (/^(?:text|txt|plain|markdown|md)?$/.test(language)) return paint("green", line);
  const pattern = hashComments.test(language) ? withHash : withSlashes;
  let out = "";
  let end = 0;
  for (const found of line.matchAll(pattern)) {
    const { comment, string, number, word } = found.groups ?? {};
    out += line.slice(end, found.index);
    if (comment !== undefined) out += paint("dim", comment);
    else if (string !== undefined) out += paint("green", string);
    else if (number !== undefined) out += paint("yellow", number);
    else if (word !== undefined) out += keywords.has(word) ? paint("magenta", word) : word;
    end = found.index + found[0].length;
  }
  return out + line.slice(end);
}

function diffLine(line: string, paint: (style: Style, text: string) => string): string {
  if (/^(?:\+\+\+|---) /.test(line)) return paint("bold", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line.startsWith("@@") ? paint("cyan", line) : line;
}

const hashComments =
  /^(?:py|python|sh|bash|zsh|shell|console|rb|ruby|ya?ml|toml|r|perl|pl|make|makefile|dockerfile|ini|elixir)$/;
const rest = String.raw`(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|${"`"}(?:[^${"`"}\\]|\\.)*${"`"})|(?<number>\b\d[\w.]*\b)|(?<word>[A-Za-z_$][\w$]*)`;
const withHash = new RegExp(`(?<comment>(?:^|(?<=\\s))#.*$)|${rest}`, "g");
const withSlashes = new RegExp(`(?<comment>//.*$|/\\*.*?(?:\\*/|$)|--\\s.*$)|${rest}`, "g");

const keywords: ReadonlySet<string> = new Set(
  `abstract and as assert async await break case catch class const continue def default defer del delete do elif else enum
  except export extends extern false False final finally fn for foreach from func function global go goto if impl implements
  import in instanceof interface is lambda let loop match mod module mut namespace new nil None not null of or override package
  pass private protected pub public raise readonly return select self Self static struct super switch this throw throws trait
  true True try type typeof union unless until use using var virtual void when where while with yield echo fi then done esac
  local SELECT FROM WHERE INSERT UPDATE DELETE JOIN ON GROUP ORDER BY LIMIT CREATE TABLE INTO VALUES SET AND OR NOT NULL AS`.split(
    /\s+/,
  ),
);
