const maxNames = 2_000;
const maxSuggestions = 3;

/** Names that were probably meant: the same but for case, one within the other, or a few letters apart. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  return names
    .slice(0, maxNames)
    .map((name) => ({ name, distance: distanceOf(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= (wanted.length < 3 ? 1 : Math.max(2, wanted.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}

function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  const stems = [a, b].map((name) => name.replace(/\.[^.]*$/, ""));
  if (stems[0] === stems[1]) return 0.5;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return 1;
  return editDistance(a, b);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
