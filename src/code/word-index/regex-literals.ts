/**
 * What a text must hold for a regular expression to match: alternatives, each with the literals that all must be there.
 * Undefined when nothing is certain. Errs on the side of asking for less.
 */
export function requiredLiterals(pattern: string): string[][] | undefined {
  const alternatives = splitAlternatives(pattern);
  if (!alternatives) return undefined;
  const found = alternatives.map(literalsOf);
  return found.every((literals) => literals.length > 0) ? found : undefined;
}

/** Top-level alternatives; undefined for what is not understood here (flags that change how the pattern is read). */
function splitAlternatives(pattern: string): string[] | undefined {
  const inner = /^\(\?:([^()]*)\)$|^\(([^()?][^()]*)\)$/.exec(pattern);
  const text = inner?.[1] ?? inner?.[2] ?? pattern;
  if (/\(\?[a-z-]*x/.test(text)) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\\") i++;
    else if (c === "[") i = classEnd(text, i);
    else if (c === "(") depth++;
    else if (c === ")") depth--;
    else if (c === "|" && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/** The stretches of plain characters that every match holds, three letters or more. */
function literalsOf(pattern: string): string[] {
  const found: string[] = [];
  let run = "";
  const end = () => {
    if (run.length >= 3) found.push(run);
    run = "";
  };
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] ?? "";
    if (c === "(") {
      // What is in a group may be optional or one of several: it promises nothing.
      end();
      i = groupEnd(pattern, i);
    } else if (c === "[") {
      end();
      i = classEnd(pattern, i);
    } else if (c === "\\") {
      const next = pattern[++i] ?? "";
      if (/[\w]/.test(next)) end();
      else run += next;
    } else if (/[.^$)]/.test(c)) end();
    else if (/[*?{]/.test(c)) {
      // The character before may be missing.
      run = run.slice(0, -1);
      end();
      if (c === "{") i = Math.max(i, pattern.indexOf("}", i));
    } else if (c === "+") end();
    else run += c;
  }
  end();
  return found;
}

function classEnd(text: string, open: number): number {
  let i = open + 1;
  if (text[i] === "^") i++;
  if (text[i] === "]") i++;
  for (; i < text.length && text[i] !== "]"; i++) if (text[i] === "\\") i++;
  return i;
}

function groupEnd(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i];
    if (c === "\\") i++;
    else if (c === "[") i = classEnd(text, i);
    else if (c === "(") depth++;
    else if (c === ")" && --depth === 0) return i;
  }
  return text.length;
}
