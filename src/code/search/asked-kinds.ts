import type { PathKind } from "../files/path-kind.ts";

const asksFor: readonly (readonly [PathKind, RegExp])[] = [
  ["test", /\btests?\b|\bspecs?\b|\bfixtures?\b|\bmocks?\b/i],
  ["docs", /\bdocs\b|\bdocumentation\b|\breadme\b|\bchangelog\b/i],
  ["example", /\bexamples?\b|\bsamples?\b|\bbenchmarks?\b/i],
];

/** What a short question asks for by its kind; in a long text such words say nothing. */
export function kindsAskedFor(query: string): ReadonlySet<PathKind> {
  const asked = query.length < 200 ? asksFor.filter(([, words]) => words.test(query)) : [];
  return new Set(asked.map(([kind]) => kind));
}
