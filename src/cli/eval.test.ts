// The instrument that measures the agent with a model (docs/eval.md), with replies that are written beforehand.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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
const evaluate = (...args: string[]) =>
  execFileSync(process.execPath, [join(home, "bench/eval/eval.ts"), ...args], {
    encoding: "utf8",
    env: {
      ...process.env,
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
