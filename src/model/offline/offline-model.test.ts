import { afterEach, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";
import { answer } from "./answer.ts";
import type { Done } from "./standing.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const files = {
  "package.json":
    '{\n  "name": "shop",\n  "version": "1.4.0",\n  "scripts": { "test": "vitest run" },\n  "devDependencies": { "vitest": "5.1.0" }\n}\n',
  "pyproject.toml":
    '[project]\nname = "till" # the till\nrequires-python = ">=3.12"\n\n[tool.ruff]\nline-length = 100\n',
  "src/cart.ts":
    'import { tax } from "./tax.ts";\n\n// TODO: round\nexport class Cart {\n  total = () => tax(1);\n}\nexport const empty = new Cart();\n',
  "src/tax.ts": "export function tax(n: number) {\n  return n * 1.2; // FIXME: rate\n}\n",
  "bin/run.py": "#!/usr/bin/env python3\nimport sys\n\ndef main():\n    pass\n",
};

async function ask(question: string): Promise<string> {
  place ??= await testWield(files, { approve: () => ({ approved: true }) });
  const agent = await place.wield.agent({ model: "offline", limits: { steps: 30 } });
  const { text, stop } = await agent.send(question);
  expect(stop).toBe("done");
  return text;
}

describe("questions it answers by real calls", () => {
  test.each([
    ["Read package.json and tell me the project name", /is shop \(field `name`\)/],
    ["What is the version in package.json?", /is 1\.4\.0/],
    ["What's the test script in package.json?", /no field|vitest run/],
    ["Which dev dependencies are in package.json?", /"vitest":"5\.1\.0"/],
    ["Tell me the name in pyproject.toml", /is till/],
    ["What is the line-length of pyproject.toml?", /is 100/],
    ["What is the licence in package.json?", /has no field "licence"\. It has: name, version/],
    ["Where is Cart defined?", /src\/cart\.ts:4/],
    ["Find the definition of the function tax", /src\/tax\.ts:1/],
    ["Where is nothingLikeThis defined?", /no definition|could not find/i],
    ["Who uses tax?", /src\/cart\.ts/],
    ["Where is Cart used?", /1 use of Cart[\s\S]*src\/cart\.ts[\s\S]*7/],
    ["Find all TODO comments in the project", /src\/cart\.ts:3/],
    ["List the FIXMEs", /src\/tax\.ts:2/],
    ["Search for /n \\* \\d/", /src\/tax\.ts:2/],
    ['Find "round" in src', /src\/cart\.ts:3/],
    ["Show the structure of the project", /src\/[\s\S]*cart\.ts/],
    ["What files are in src?", /cart\.ts[\s\S]*tax\.ts/],
    ["Outline src/cart.ts", /class Cart.*line 4[\s\S]*empty.*line 7/],
    ["What files are here?", /src\/[\s\S]*cart\.ts/],
    ["Search round", /src\/cart\.ts:3/],
    ["Run `echo 42`", /42/],
    ["What changed?", /not a git repository/],
    ["Undo", /Nothing was undone/],
    ["Show me tax.ts", /return n \* 1\.2/],
    ["Read missing.txt", /could not read missing\.txt/],
  ])("%s", async (question, expected) => {
    expect(await ask(question)).toMatch(expected);
  });
});

describe("changes it makes, after approval", () => {
  test("a comment at the top, below the line that names the interpreter", async () => {
    await ask('Add a comment at the top of run.py saying "The till."');
    expect(place?.read("bin/run.py")).toBe(
      `#!/usr/bin/env python3\n# The till.\n${files["bin/run.py"].split("\n").slice(1).join("\n")}`,
    );
  });

  test("a comment in a file with other line endings leaves every other byte alone", async () => {
    place = await testWield({ "dos.js": "a();\r\nb();" }, { approve: () => ({ approved: true }) });
    await ask('Add a comment to the top of dos.js saying "hello"');
    expect(place.read("dos.js")).toBe("// hello\r\na();\r\nb();");
  });

  test("replace in one file, and in all", async () => {
    expect(await ask('Replace "1.2" with "1.19" in src/tax.ts')).toMatch(/^Done/);
    expect(place?.read("src/tax.ts")).toContain("n * 1.19;");
    await ask('Replace "tax" by "vat"');
    expect(place?.read("src/cart.ts")).toContain('import { vat } from "./vat.ts"');
    expect(place?.read("src/tax.ts")).toContain("function vat(");
    expect(await ask('Replace "zzz" by "y"')).toContain("does not occur in any file");
  });

  test("create a file, from words or from a fence", async () => {
    await ask('Create a file docs/hello.md with the content "hello"');
    expect(place?.read("docs/hello.md")).toBe("hello\n");
    await ask("Create a new file called b.js:\n```js\nlet b = 1;\n```");
    expect(place?.read("b.js")).toBe("let b = 1;\n");
    expect(await ask('Create a file b.js with the text "again"')).toMatch(
      /Nothing was changed\. `b\.js` already exists/,
    );
  });
});

test("a file that stands above unchanged is answered from there", async () => {
  const long = { name: "long", ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`key${n}`, n])) };
  place = await testWield({ "long.json": JSON.stringify(long, null, 2) });
  const agent = await place.wield.agent({ model: "offline" });
  await agent.send("What is the name in long.json?");
  expect((await agent.send("What is the key59 in long.json?")).text).toMatch(/is 59/);
});

test("anything else: it says what it is, what it can and what to set up", async () => {
  expect(await ask("Why is the sky blue?")).toContain("It is not a language model");
  const text = await ask("Sing a song.");
  expect(text).toContain("It is not a language model");
  expect(text).toContain("Find all TODO comments");
  expect(text).toContain("ANTHROPIC_API_KEY");
});

test("every example it gives is one that it recognises", () => {
  const examples = answer({ question: "?", done: [], has: () => true }).say.match(/^- .*$/gm) ?? [];
  const shapes = examples.slice(0, 17).map((line) => line.slice(2));
  for (const question of shapes) {
    expect(answer({ question, done: [], has: () => true }).calls, question).toHaveLength(1);
  }
});

test("a question about the code is answered by searching it, where it can be searched by meaning", () => {
  const question = "How do approvals work?";
  const searching = (done: Done[] = []) =>
    answer({ question, done, has: (tool) => tool === "search_code" || tool === "grep" });
  expect(searching().calls).toEqual([{ tool: "search_code", input: { query: question, limit: 8 } }]);
  const found = { tool: "search_code", input: {}, text: "src/a.ts:1-3 approve", failed: false };
  expect(searching([found]).say).toContain("src/a.ts:1-3 approve");
  const elsewhere = answer({ question, done: [], has: (tool) => tool === "grep" });
  expect(elsewhere.calls).toBeUndefined();
  expect(elsewhere.say).toMatch(/not a language model.*Find all TODO/s);
  expect(elsewhere.say).not.toMatch(/Create a file|How does/);
});

describe("the better tool is taken where it is registered", () => {
  const first = (question: string, tools: string[], done: Done[] = []) =>
    answer({ question, done, has: (tool) => tools.includes(tool) }).calls?.[0];

  test.each([
    [
      "Where is Cart defined?",
      ["search_files", "find_definition"],
      { tool: "find_definition", input: { symbol: "Cart" } },
    ],
    ["Where is Cart defined?", ["grep", "definition"], { tool: "definition", input: { symbol: "Cart" } }],
    [
      "Who imports cart.ts?",
      ["glob", "graph", "references"],
      { tool: "glob", input: { pattern: "**/cart.ts" } },
    ],
    ["Who uses Cart?", ["grep", "references"], { tool: "references", input: { symbol: "Cart" } }],
    ["Outline a.ts", ["read", "symbols"], { tool: "symbols", input: { file: "a.ts" } }],
    ["Show the structure of the project", ["list_files", "tree"], { tool: "tree", input: {} }],
    ["Find all TODO comments", ["grep"], { tool: "grep", input: { pattern: "TODO" } }],
    [
      "Run this python code: print(1)",
      ["run_code"],
      { tool: "run_code", input: { language: "python", code: "print(1)" } },
    ],
    [
      "Run this:\n```bash\nls\n```",
      ["run_code"],
      { tool: "run_code", input: { language: "bash", code: "ls\n" } },
    ],
  ])("%s with %o", (question, tools, call) => {
    expect(first(question, tools)).toEqual(call);
  });

  test("who imports a module: the file is found first", () => {
    const tools = ["find_files", "find_importers", "search_files"];
    const question = "What files use ToolExecutionService?";
    expect(first(question, tools)).toEqual({
      tool: "find_files",
      input: { pattern: "ToolExecutionService.*" },
    });
    const found = {
      tool: "find_files",
      input: {},
      text: "src/services/ToolExecutionService.js",
      failed: false,
    };
    expect(first(question, tools, [found])).toEqual({
      tool: "find_importers",
      input: { modulePath: "src/services/ToolExecutionService.js" },
    });
  });

  test("a tool that is missing is said to be missing", () => {
    expect(answer({ question: "Run this python code: print(1)", done: [], has: () => false }).say).toContain(
      "not available here",
    );
  });
});
