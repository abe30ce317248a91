/**
 * The one replacement that turns `before` into `after`: whole lines, with as much of their surroundings as it takes to
 * make the old text unique.
 */
export function singleEdit(before: string, after: string): { oldText: string; newText: string } {
  const old = linesWithEndings(before);
  const next = linesWithEndings(after);
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail))
    tail++;
  for (;;) {
    const oldText = old.slice(head, old.length - tail).join("");
    const whole = head === 0 && tail === 0;
    if (whole || (oldText !== "" && before.indexOf(oldText) === before.lastIndexOf(oldText))) {
      return { oldText, newText: next.slice(head, next.length - tail).join("") };
    }
    if (head > 0) head--;
    if (tail > 0) tail--;
  }
}

function linesWithEndings(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
