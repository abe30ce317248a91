// How a file may write a full name by its own namespace or by a part that it imports: `Mail`, `Q\Mail` for `App\Net\Mail`.
import type { FileSyntax } from "../syntax/syntax.ts";

export interface FullName {
  /** With its namespace. */
  full: string;
  isType: boolean;
}

/** Undefined where the file can only write the whole names. */
export function shortPaths(
  { package: own, imports }: FileSyntax,
  names: readonly FullName[],
  sign: string,
): RegExp | undefined {
  const aliases = imports.flatMap(({ module, names: pairs = [] }) =>
    pairs.map(([, alias]) => ({ module, alias })),
  );
  const forms = new Set<string>();
  for (const { full, isType } of names) {
    const rest = own !== undefined && full.startsWith(own + sign) ? full.slice(own.length + 1) : undefined;
    const isRenamed = rest !== undefined && aliases.some(({ alias }) => alias === rest.split(sign)[0]);
    if (rest !== undefined && !isRenamed) forms.add(patternOf(rest, isType, sign));
    for (const { module, alias } of aliases)
      if (full.startsWith(module + sign))
        forms.add(patternOf(alias + full.slice(module.length), isType, sign));
  }
  return forms.size > 0 ? new RegExp([...forms].join("|"), "gu") : undefined;
}

const notBefore = String.raw`[\w\\$]|->|::|\b(?:function|class|interface|trait|enum|const|case|namespace|goto)\s+`;

function patternOf(name: string, isType: boolean, sign: string): string {
  const text = RegExp.escape(name);
  if (!isType) return String.raw`(?<!${notBefore}|\bnew\s+)${text}(?=\s*\()`;
  const isNext = String.raw`(?![\w\\])`;
  if (name.includes(sign)) return `(?<!${notBefore})${text}${isNext}`;
  // `Mail()` is a function, `Mail:` the name of an argument.
  return String.raw`(?<=\bnew\s+)${text}${isNext}|(?<!${notBefore})${text}${isNext}(?!\s*(?:\(|=(?!=)|:(?!:)))`;
}
