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

test("of what is called, all that speaks of the question is shown, however short or long the best one is", async () => {
  const parts = [
    func("hookDecision", "  return input.hookDecision;"),
    func("hookTimeout", "  if (input.timeout <= 0) return 30;\n  return input.timeout;"),
    func("mergeHookInput", calls("mergeInput", 18)),
    func("drawBanner", calls("paint", 18)),
  ];
  await write("decide/parts.ts", parts.join(""));
  await write(
    "decide/main.ts",
    `import { drawBanner, hookDecision, hookTimeout, mergeHookInput } from "./parts.ts";\n${func(
      "runAll",
      "  drawBanner(input);\n  const limit = hookTimeout(input);\n  return limit + mergeHookInput(input) + hookDecision(input);",
    )}`,
  );
  const text = await read(["runAll"], "hook decision timeout, merge of the input");
  for (const name of ["hookDecision", "hookTimeout", "mergeHookInput"])
    expect(text).toContain(`== decide/parts.ts ${name} (called above)`);
  expect(text).toContain("== calls, not shown: drawBanner decide/parts.ts:");
});

test("a function is told by the lines that call it, but not by what they print", async () => {
  await write("told/parts.ts", func("first", calls("step", 30)) + func("second", calls("step", 30)));
  await write(
    "told/main.ts",
    `import { first, second } from "./parts.ts";\n${func(
      "work",
      '  first(input, "the refund of an order");\n  const refund = second(input);\n  return refund;',
    )}`,
  );
  const text = await read(["work"], "how is a refund made");
  expect(text).toContain("== told/parts.ts second (called above)");
  expect(text).not.toContain("first (called above)");
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

test("what a caller's lines show is not shown again as called", async () => {
  await write(
    "twice/jobs.ts",
    `import { isForbidden, runJob } from "./main.ts";\nexport function startJob(command) {\n  if (isForbidden(command)) return "forbidden";\n  queue(command);\n  return "started";\n}\n`,
  );
  await write(
    "twice/main.ts",
    `import { startJob } from "./jobs.ts";\n${func("isForbidden", "  return list.has(input);")}${func("runJob", "  return startJob(input);")}`,
  );
  const text = await read(["isForbidden", "runJob"], "is a forbidden job started");
  expect(text).toContain("[startJob] calls isForbidden");
  expect(text).not.toContain("startJob (called above)");
});

test("a file named alone is text up to its end; a longer one an outline that says how to get the text", async () => {
  const short = Array.from({ length: 30 }, (_, i) => func(`task${i}`, "  go(input);")).join("\n");
  await write("alone/short.ts", short);
  const shown = await read(["alone/short.ts"]);
  expect(shown).toContain("\n117\texport function task29(input) { go(input);");
  const middle = Array.from({ length: 50 }, (_, i) => func(`item${i}`, "  go(input);")).join("\n");
  await write("alone/middle.ts", middle);
  expect(await read(["alone/middle.ts"])).toContain('\nthe text: "alone/middle.ts:1-199"');
  expect(await read(["alone/middle.ts"], "what does item49 do")).toContain("go(input);");
  // Text that is no code is shown from its beginning, and it is said how much follows.
  await write("alone/notes.txt", Array.from({ length: 240 }, (_, i) => `note ${i + 1}\n`).join(""));
  expect(await read(["alone/notes.txt"])).toMatch(/… 14\d more lines; read on: "alone\/notes\.txt:101-24\d"/);
});

test("a file that is too much together with others is folded, and what they call of it is shown", async () => {
  const tasks = Array.from({ length: 8 }, (_, i) =>
    func(`refundTask${i}`, `  if (input) {\n${calls("prepareTheOrdinaryPart", 22)}\n  }`),
  );
  await write("folded/tasks.ts", tasks.join(""));
  const long = Array.from(
    { length: 90 },
    (_, i) => `  refundTheWholeOrderOfTheCustomer(${i}, "and the shipping");`,
  );
  for (const name of ["one", "two"])
    await write(
      `folded/${name}.ts`,
      `import { refundTask3 } from "./tasks.ts";\n${func(name, `${long.join("\n")}\n  refundTask3(input);`)}`,
    );
  const text = await read(["folded/tasks.ts", "one", "two"], "when is the order of a customer refunded");
  expect(text).toMatch(/refundTask3\(input\) \{ …/);
  expect(text).toContain("== folded/tasks.ts refundTask3 (called above)");
});

test("callers that are too many or only possible are not passed over in silence", async () => {
  const many = Array.from({ length: 24 }, (_, i) => func(`user${i}`, "  formatAll(input);"));
  await write("silent/format.ts", func("formatAll", "  return input;"));
  await write("silent/users.ts", `import { formatAll } from "./format.ts";\n${many.join("")}`);
  expect(await read(["formatAll"])).toContain(
    "== called from (? possible; without tests and the lines above)\nnot listed, many or only possible: formatAll; references lists them",
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
  expect(text).toContain("values/main.ts:9 const mostShown = 30000");
  expect(text).not.toContain("label0 =");
  expect(text).toMatch(/values\/main\.ts:10 const long = \[.*…\n?/);
  expect(await read(["answer"])).toContain('const label0 = "word"');
});
