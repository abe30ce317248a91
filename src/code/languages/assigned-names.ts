/** `a, b = f()`: whether the names before the last one of an assignment end this text, outside of all brackets. */
export function assignsSeveral(before: string): boolean {
  const targets = /(?:^|\n|;)[ \t]*(?:local\s+)?[\w.]+(?:\s*,\s*[\w.]+)*\s*,\s*$/.exec(before);
  return targets !== null && !isInBrackets(before.slice(0, targets.index));
}

function isInBrackets(text: string): boolean {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const sign = text[at] ?? "";
    if (")]}".includes(sign)) depth++;
    else if ("([{".includes(sign) && depth-- === 0) return true;
  }
  return false;
}
