import type { Move, Shape, Standing } from "./standing.ts";

/** For deferred tools: search, call the best match, report its result. */
export const usingShapes: readonly Shape[] = [
  {
    example: 'Use a tool to read the tide with {"harbour": "Oslo"}',
    recognise: (question) => {
      const asked = /^use a tool (?:to|for|that) (.+?)(?: with (\{.*\}))?[.?!]*$/is.exec(question.trim());
      const input = asked && inputIn(asked[2]);
      return asked?.[1] !== undefined && input
        ? (standing) => use(asked[1] ?? "", input, standing)
        : undefined;
    },
  },
];

function use(task: string, input: Record<string, unknown>, { done, has }: Standing): Move {
  const search = done.find(({ tool }) => tool === "searchTools");
  if (!search)
    return { say: "I'll search for a tool.", calls: [{ tool: "searchTools", input: { query: task } }] };
  const called = done.find(({ tool }) => tool !== "searchTools");
  if (called) return { say: `${called.tool} says:\n\n${called.text}` };
  const found = search.text.split("\n").flatMap((line) => /^([\w-]+)(?: \(|: )/.exec(line)?.[1] ?? []);
  const tool = found.find(has);
  return tool === undefined
    ? { say: `No tool was found for this. ${search.text}` }
    : { say: `${tool} fits.`, calls: [{ tool, input }] };
}

function inputIn(text: string | undefined): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    return undefined;
  }
}
