import { type SelectOptions, select } from "@clack/prompts";

interface KeyedOption<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
  /** A letter that chooses this option at once. */
  key?: string;
}

interface KeyedSelect<Value extends string> {
  message: string;
  signal: AbortSignal;
  options: readonly KeyedOption<Value>[];
}

const steps: Readonly<Record<string, number>> = {
  up: -1,
  left: -1,
  k: -1,
  h: -1,
  down: 1,
  right: 1,
  j: 1,
  l: 1,
};

/** A list to choose from with arrow keys and Enter, or with the letter of an option. */
export async function selectByKey<Value extends string>(given: KeyedSelect<Value>): Promise<Value | symbol> {
  const { message, signal, options } = given;
  let cursor = 0;
  const press = (name: string) => process.stdin.emit("keypress", undefined, { name });
  const follow = (letter: string | undefined, key: { name?: string } | undefined) => {
    const chosen = letter === undefined ? -1 : options.findIndex((option) => option.key === letter);
    if (chosen === -1) {
      const step = steps[key?.name ?? ""] ?? 0;
      cursor = (cursor + step + options.length) % options.length;
      return;
    }
    // As if the person had gone there: the list then shows the choice as its answer.
    const way = chosen < cursor ? "up" : "down";
    for (let left = Math.abs(chosen - cursor); left > 0; left--) press(way);
    press("return");
  };
  process.stdin.on("keypress", follow);
  try {
    return await select<Value>({
      message,
      signal,
      options: options.map(({ value, label, hint, key }) => ({
        value,
        label: key === undefined ? label : `${label} (${key})`,
        ...(hint !== undefined && { hint }),
      })) as SelectOptions<Value>["options"],
    });
  } finally {
    process.stdin.off("keypress", follow);
  }
}
