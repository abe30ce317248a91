import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";

let place: TestWield;
beforeAll(async () => {
  place = await testWield({ "readme.txt": "first\nsecond\n" });
});
afterAll(() => place.close());

/** Written by someone else, and looked for at once. */
async function write(path: string, content: string): Promise<void> {
  place.write(path, content);
  (await place.wield.code()).invalidate();
}

async function read(reads: readonly string[], topic?: string): Promise<string> {
  return (await place.wield.callAny("batch_read", { reads }, topic === undefined ? {} : { topic })).text;
}

const calls = (word: string, count: number) =>
  Array.from({ length: count }, (_, i) => `  ${word}(${i});`).join("\n");
const func = (name: string, body: string) => `export function ${name}(input) {\n${body}\n}\n`;

test("of what is called, the short ones that share a word with the question are shown, the others by signature", async () => {
  const parts = [
    func("hookDecision", "  return input.hookDecision;"),
    func("hookTimeout", "  if (input.timeout <= 0) return 30;\n  return input.timeout;"),
    func("mergeHookInput", calls("mergeInput", 18)),
    func("drawBanner", calls("paint", 8)),
  ];
  await write("decide/parts.ts", parts.join(""));
  await write(
    "decide/main.ts",
    `import { drawBanner, hookDecision, hookTimeout, mergeHookInput } from "./parts.ts";\n${func(
      "runAll",
      "  drawBanner(input);\n  const limit = hookTimeout(input);\n  return limit + mergeHookInput(input) + hookDecision(input);",
    )}`,
  );
  const text = await read(["runAll"], "hook decision timeout");
  for (const name of ["hookDecision", "hookTimeout"])
    expect(text).toContain(`== decide/parts.ts ${name} (called above)`);
  expect(text).toContain(
    "\n== calls, by signature\ndecide/parts.ts:8 export function mergeHookInput(input) (20)\n",
  );
  expect(text).toMatch(/\ndecide\/parts\.ts:\d+ export function drawBanner\(input\) \(10\)$/);
});

test("a function that compares what another one gives back is not passed over for that one", async () => {
  await write(
    "compared/kinds.ts",
    `${func("kindOf", calls("look", 12))}export function isDenied(error) {\n  return kindOf(error).kind === "denied";\n}\n`,
  );
  await write(
    "compared/main.ts",
    `import { isDenied } from "./kinds.ts";\n${func("retry", "  if (isDenied(input)) return input.denied;")}`,
  );
  expect(await read(["retry"], "when is it denied")).toContain(
    "== compared/kinds.ts isDenied (called above)",
  );
});

test("a file named alone is text up to the page, and what it declares further down", async () => {
  const short = Array.from({ length: 70 }, (_, i) => func(`task${i}`, "  go(input);")).join("\n");
  await write("alone/short.ts", short);
  const whole = await read(["alone/short.ts"], "what does task3 do");
  expect(whole).toContain("\n277\texport function task69(input) {\n278\t  go(input);\n279\t}");
  expect(whole).not.toContain("…");
  await write("alone/long.ts", short + short.replaceAll("task", "item"));
  const page = await read(["alone/long.ts"]);
  expect(page).toMatch(
    /\n300\t.*\n… 258 more lines; read on: "alone\/long\.ts:301-558"\ndeclared there:\n304-306 export function item6/,
  );
  // Text that is no code is shown as far, and it is said how much follows.
  await write("alone/notes.txt", Array.from({ length: 640 }, (_, i) => `note ${i + 1}\n`).join(""));
  expect(await read(["alone/notes.txt"])).toMatch(/… 340 more lines; read on: "alone\/notes\.txt:301-600"$/);
});

test("callers that are too many or only possible are not passed over in silence", async () => {
  const many = Array.from({ length: 24 }, (_, i) => func(`user${i}`, "  formatAll(input);"));
  await write("silent/format.ts", func("formatAll", "  return input;"));
  await write("silent/users.ts", `import { formatAll } from "./format.ts";\n${many.join("")}`);
  expect(await read(["formatAll"])).toContain(
    "\n== callers not listed, many or only possible: formatAll; references lists them",
  );
  expect(await read(["silent/format.ts:1-3"])).not.toContain("not listed");
  expect(await read(["user3"])).not.toContain("not listed");
});

test("constants that the lines compare come first, those of the shown callees too; names that are passed on only if they tell", async () => {
  const labels = Array.from({ length: 8 }, (_, i) => `const label${i} = "word";\n`).join("");
  const used = Array.from({ length: 8 }, (_, i) => `  say(label${i});\n`).join("");
  await write(
    "values/main.ts",
    `${labels}const mostShown = 30000;\nconst long = [${Array.from({ length: 60 }, (_, i) => `"w${i}"`).join(", ")}];\nexport function answer(text) {\n${used}  if (long.includes(text)) return "";\n  return shorten(text);\n}\n\n${calls("other", 3)}\nfunction shorten(text) {\n  if (text.length <= mostShown) return text;\n  return text.slice(0, mostShown / 2);\n}\n`,
  );
  const text = await read(["answer"], "how is output shortened");
  expect(text).toContain("values/main.ts:9\tconst mostShown = 30000;");
  expect(text).not.toContain("label0 =");
  expect(text).toMatch(/values\/main\.ts:10\tconst long = \[.*… \(\+\d+ characters\)/);
  expect(await read(["answer"])).toContain('const label0 = "word"');
});
