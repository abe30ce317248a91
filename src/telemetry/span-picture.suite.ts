import type { ReceivedSpan } from "./receiver.suite.ts";

const row = 26;
const left = 270;
const width = 620;
const kinds: readonly [RegExp, string, string][] = [
  [/^invoke_agent/, "#4f46e5", "agent"],
  [/^step/, "#a5b4fc", "step"],
  [/^chat/, "#0891b2", "model call"],
  [/^execute_tool/, "#16a34a", "tool call"],
  [/^approval/, "#f59e0b", "approval"],
  [/^sandbox/, "#dc2626", "sandbox run"],
  [/^index/, "#7c3aed", "index"],
];

/**
 * The spans of one trace as an SVG: a row each, a bar from its start to its end. Moments are drawn at equal distances, in their
 * order, because the lengths differ from run to run and the order does not.
 */
export function spanPicture(spans: readonly ReceivedSpan[]): string {
  const rows = inOrder(spans);
  const places = placesOf(rows);
  const unit = width / (2 * rows.length - 1);
  const bars = rows.map(({ span, depth }, at) => {
    const [, colour = "#64748b"] = kinds.find(([pattern]) => pattern.test(span.name)) ?? [];
    const { start = 0, end = 0 } = places.get(span.spanId) ?? {};
    const y = 44 + at * row;
    return [
      `<text x="${12 + depth * 18}" y="${y + 14}">${escaped(span.name)}</text>`,
      `<rect x="${round(left + start * unit)}" y="${y}" width="${round((end - start) * unit)}" height="18" rx="3" fill="${colour}"/>`,
    ].join("");
  });
  const legend = kinds.map(
    ([, colour, label], at) =>
      `<rect x="${12 + at * 128}" y="12" width="12" height="12" rx="2" fill="${colour}"/><text x="${29 + at * 128}" y="22">${label}</text>`,
  );
  const height = 44 + rows.length * row + 8;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 12} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>The spans of one run</title><rect width="100%" height="100%" fill="#ffffff"/><g fill="#0f172a">`,
    ...legend,
    ...bars,
    "</g></svg>\n",
  ].join("\n");
}

interface Row {
  span: ReceivedSpan;
  depth: number;
  children: Row[];
}

/** Parents before their children, children by their start. */
function inOrder(spans: readonly ReceivedSpan[]): Row[] {
  const below = (parent: string | undefined, depth: number): Row[] =>
    spans
      .filter(({ parentSpanId }) => (parentSpanId || undefined) === parent)
      .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
      .map((span) => ({ span, depth, children: below(span.spanId, depth + 1) }));
  const flat = (found: readonly Row[]): Row[] => found.flatMap((one) => [one, ...flat(one.children)]);
  return flat(below(undefined, 0));
}

/** Walks the tree: a span begins, its children follow one after the other, it ends. */
function placesOf(rows: readonly Row[]): Map<string, { start: number; end: number }> {
  const places = new Map<string, { start: number; end: number }>();
  let moment = 0;
  const visit = ({ span, children }: Row): void => {
    const start = moment++;
    for (const child of children) visit(child);
    places.set(span.spanId, { start, end: moment++ });
  };
  for (const top of rows.filter(({ depth }) => depth === 0)) visit(top);
  return places;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
