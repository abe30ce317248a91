import type { Plan } from "../api/chat.ts";

/** The plan in the result of a planning tool; undefined for any other tool. */
export function planIn(tool: string, text: string): Plan | undefined {
  if (!/^(create|update|read)Plan$/.test(tool)) return undefined;
  const [title = "", ...lines] = text.split("\n");
  const steps = lines.flatMap((line) => {
    const [, mark, words] = /^\[(.)\] (?:\w+\. )?(.+)$/.exec(line) ?? [];
    return mark !== undefined && words !== undefined ? [{ mark, text: words }] : [];
  });
  return steps.length > 0 ? { title: title.replace(/: \d+ of \d+ done$/, ""), steps } : undefined;
}
