// The instrument that measures the agent with a model (docs/eval.md), with replies that are written beforehand.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWire } from "../../bench/eval/wire-server.ts";
import { removeFolder } from "../testing/remove-folder.ts";

const home = join(import.meta.dirname, "../..");
const question = {
  id: "Q1",
  repo: "somebody/shop",
  commit: "",
  kind: "structure",
  question: "Where is total used?",
  gold_files: ["pay.py"],
  gold_symbols: ["pay"],
  gold_places: ["pay.py:3"],
};
const task = {
  ...{ id: "T1", repo: "somebody/shop", commit: "", kind: "task", question: "Let total add the tax." },
  ...{ gold_files: [], gold_symbols: [] },
  check: "python3 check.py",
  check_files: { "check.py": "from cart import total\nassert total([1, 2]) == 6\n" },
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "wield-eval-"));
  write("repos/shop/cart.py", "def total(prices):\n    return sum(prices)\n");
  write("repos/shop/pay.py", "from cart import total\ndef pay(prices):\n    return total(prices)\n");
  write("questions.jsonl", `${JSON.stringify(question)}\n${JSON.stringify(task)}\n`);
});
afterAll(() => removeFolder(root));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const call = (name: string, input: object) => ({ calls: [{ name, input }] });
const evaluate = (...args: string[]) => evaluateIn(process.env, ...args);
const evaluateIn = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  execFileSync(process.execPath, [join(home, "bench/eval/eval.ts"), ...args], {
    encoding: "utf8",
    env: {
      ...env,
      WIELD_EVAL_QUESTIONS: join(root, "questions.jsonl"),
      WIELD_EVAL_REPOS: join(root, "repos"),
      WIELD_EVAL_RUNS: join(root, "runs"),
    },
  });

/** The row of one run in the table, by columns. */
function rowOf(run: string): Record<string, string> {
  const [head = "", ...lines] = evaluate("table").split("\n");
  const at = ["files", "symbols", "recall", "solved"].map((name) => [name, head.indexOf(name)] as const);
  const line = lines.find((one) => one.startsWith(run)) ?? "";
  return Object.fromEntries(
    at.map(([name, start]) => [name, line.slice(start + name.length - 10, start + name.length).trim()]),
  );
}

function play(run: string, replies: readonly object[]): string {
  const [arm = "", id = "", reader = ""] = run.split("-");
  for (const [i, reply] of replies.entries()) write(`runs/${run}/reply-${i + 1}.json`, JSON.stringify(reply));
  return evaluate("run", "--arm", arm, "--only", id, "--reader", reader);
}

test("a question: the answer is scored, and the other arm is compared with it", () => {
  play("plain-Q1-a", [call("grep", { pattern: "total" }), { text: "R/pay.py, lines 1 and 3 (pay)" }]);
  expect(play("plain-Q1-a", [])).toContain("finished before");
  play("wield-Q1-a", [{ text: "Only cart.py:1" }]);
  expect(rowOf("Q1 structure              plain")).toMatchObject({ files: "1", symbols: "1", recall: "1" });
  expect(rowOf("Q1 structure              wield")).toMatchObject({ files: "0", symbols: "0", recall: "0" });
  expect(evaluate("table")).toContain("wield / plain, 1 pairs");
});

test("a task: the work is done in a copy, and its check decides", () => {
  const edit = { old: "sum(prices)", new: "sum(prices) * 2" };
  play("plain-T1-a", [
    call("edit", { file: "../../../repos/shop/cart.py", ...edit }),
    call("edit", { file: "cart.py", ...edit }),
    call("bash", { command: "python3 -c 'import cart; print(cart.total([4]))'; touch /tmp/../etc/never" }),
    { text: "Done." },
  ]);
  const shown = readFileSync(join(root, "runs/plain-T1-a/turn-4.txt"), "utf8");
  expect(shown).toContain("8\n");
  expect(shown).toContain("Read-only file system");
  expect(readFileSync(join(root, "runs/plain-T1-a/turn-2.txt"), "utf8")).toContain(
    "outside the current directory",
  );
  play("wield-T1-a", [{ text: "I cannot." }]);
  expect(rowOf("T1 task                   plain")).toMatchObject({ solved: "1", files: "" });
  expect(rowOf("T1 task                   wield")).toMatchObject({ solved: "0" });
  expect(readFileSync(join(root, "repos/shop/cart.py"), "utf8")).toContain("return sum(prices)\n");
});

test("the table: cost as prompt caching prices it, and ratios of arms over the tasks that both did", () => {
  const turn = { fixed: 100, calls: [] };
  const finished = (arm: string, id: string, turns: object[], solved: boolean) => {
    for (const [i, cost] of turns.entries())
      write(`counted/${arm}-${id}-a/cost-${i + 1}.json`, JSON.stringify({ turn: i + 1, ...turn, ...cost }));
    const result = { arm, question: id, reader: "a", answer: "", exitCode: 0, milliseconds: 1_000, solved };
    write(`counted/${arm}-${id}-a/result.json`, JSON.stringify(result));
  };
  const first = { input: 1_000, repeated: 0, output: 10 };
  // 1.25 × 1,000 + 5 × 10, and for the second request 0.1 × 1,000 + 1.25 × 200 + 5 × 20.
  finished("pi", "T1", [first, { input: 1_200, repeated: 1_000, output: 20 }], true);
  finished("wield", "T1", [{ input: 400, repeated: 0, output: 10 }], true);
  finished("pi", "T2", [first], false);
  finished("wield", "T2", [first], true);
  write("counted/pi-T1-a/side-cost-1.json", JSON.stringify({ ...turn, input: 70, repeated: 0, output: 5 }));
  write("two.jsonl", [task, { ...task, id: "T2" }].map((one) => JSON.stringify(one)).join("\n"));
  const questions = ["--questions", join(root, "two.jsonl"), "--runs", join(root, "counted")];
  const table = evaluate("table", "--base", "pi", ...questions);
  const lines = table.split("\n").map((line) => line.trim().split(/\s{2,}/));
  const cells = (...start: string[]) => {
    const values = lines.find((line) => start.every((cell, i) => line[i] === cell)) ?? [];
    return Object.fromEntries((lines[0] ?? []).map((name, i) => [name, values[i]]));
  };
  expect(cells("T1 task", "pi")).toMatchObject({
    ...{
      "in all": "2,200",
      "at end": "1,200",
      fixed: "100",
      output: "30",
      cost: "1,750",
      side: "75",
      steps: "2",
    },
  });
  expect(cells("average of 2", "pi")).toMatchObject({ "in all": "1,600", cost: "1,525" });
  // Tokens 1,400 of 3,200, cost 550 + 1,300 of 1,750 + 1,300; the interval reaches from the one task to the other.
  expect(table).toContain(
    "wield / pi, 2 pairs, ratio (95 %): tokens read 0.44 (0.18–1.00), fixed 1.00 (1.00–1.00), steps 0.67 (0.50–1.00), output 0.50 (0.33–1.00), cost 0.61 (0.31–1.00)",
  );
});

test("what a request repeats of the one before is counted, and the reader sees the rest", () => {
  const read = (name: string) => readFileSync(join(root, "runs/plain-T1-b", name), "utf8");
  play("plain-T1-b", [call("bash", { command: "echo here" }), { text: "Done." }]);
  const [first, second] = [1, 2].map(
    (turn) => JSON.parse(read(`cost-${turn}.json`)) as Record<string, number>,
  );
  expect(first?.["repeated"]).toBe(0);
  expect(Math.abs((second?.["repeated"] ?? 0) - (first?.["input"] ?? 0))).toBeLessThanOrEqual(1);
  expect(read("turn-2.txt")).toBe("=== messages ===\n[result] here\n\n(exit code 0)");
});

test("a program that is not there is named and left out", () => {
  const empty = ["--agents", root, "--only", "T1"];
  const path = { ...process.env, PATH: "" };
  expect(evaluateIn(path, "run", "--arm", "codex", ...empty)).toBe(
    "codex is not installed: its runs are left out.\n",
  );
});

test("a client of the Responses API: its calls and results are played, and what it asks another model is answered at once", async () => {
  const wire = await startWire(join(root, "runs"), { kind: "played" });
  const run = "codex-T1-a";
  const reply = (turn: number, value: object) =>
    write(`runs/${run}/reply-${turn}.json`, JSON.stringify(value));
  reply(1, {
    text: "Look.",
    calls: [
      { name: "cat", input: { path: "cart.py" } },
      { name: "apply_patch", input: { input: "*** Begin Patch" } },
    ],
  });
  reply(2, { text: "Done." });
  try {
    const client = new OpenAI({ baseURL: wire.url(run), apiKey: "none" });
    const ask = (model: string, input: OpenAI.Responses.ResponseInput) =>
      client.responses.stream({ model, input, tools: [...tools], stream: true }).finalResponse();
    const tools = [
      { type: "function", name: "cat", strict: false, parameters: { properties: { path: {} } } },
      { type: "custom", name: "apply_patch", description: "Edit files." },
    ] as const;
    const asked = [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Change it." },
    ] as const;
    const { output } = await ask(run, [...asked]);
    expect(output).toMatchObject([
      { type: "message", content: [{ text: "Look." }] },
      { type: "function_call", name: "cat", arguments: '{"path":"cart.py"}' },
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" },
    ]);
    const results = output.flatMap(
      (item): OpenAI.Responses.ResponseInput =>
        item.type === "function_call"
          ? [{ type: "function_call_output", call_id: item.call_id, output: "def total" }]
          : item.type === "custom_tool_call"
            ? [{ type: "custom_tool_call_output", call_id: item.call_id, output: "Patched." }]
            : [],
    );
    const { output: last } = await ask(run, [
      ...asked,
      ...output,
      ...results,
    ] as OpenAI.Responses.ResponseInput);
    expect(last).toMatchObject([{ content: [{ text: "Done." }] }]);
    expect((await ask("small", [{ role: "user", content: "A title." }])).output_text).toBe("ok");
  } finally {
    wire.close();
  }
  const read = (name: string) => readFileSync(join(root, "runs", run, name), "utf8");
  expect(read("turn-1.txt")).toMatch(/^=== system ===\nBe brief\.\n.*cat: .*\[user\] Change it\.$/s);
  expect(read("turn-2.txt")).toBe("=== messages ===\n[result] def total\n[result] Patched.");
  expect(JSON.parse(read("side-cost-1.json"))).toMatchObject({ turn: 1, calls: [] });
});
