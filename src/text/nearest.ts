/** The names most like a misspelt one, best first; only those close enough to be meant. */
export function nearestNames(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const target = wanted.toLowerCase();
  const scored: { name: string; distance: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const contained = target.length > 2 && (candidate.includes(target) || target.includes(candidate));
    const distance = contained ? 1 : editDistance(target, candidate);
    if (distance <= Math.max(2, Math.floor(target.length / 3))) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, limit).map((s) => s.name);
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 16) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(swap, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
