import { spawnSync } from "node:child_process";
import { parse } from "yaml";
import { testWield } from "../../testing/testing.ts";
import { randomFrom } from "./encoded-edits.suite.ts";
import { callsOn, editFrom, kinds, shownRuns, shownTexts } from "./shown-edits.suite.ts";

export interface ShownResult {
  edits: number;
  landed: number;
  refused: number;
  /** The same lines stand elsewhere, too: no engine could tell which were meant. */
  ambiguous: number;
  wrong: string[];
  unparsed: string[];
  byTool: Record<string, { landed: number; refused: number; ambiguous: number }>;
}

const python = `
import ast, json, sys
for n, text in enumerate(json.load(sys.stdin)):
  try: ast.parse(text)
  except SyntaxError as e: print(n, e)
`;

/** So many edits through the real tools. A landed edit stays only until its file was compared and parsed. */
export async function runShownEdits(count: number, seed: number): Promise<ShownResult> {
  const random = randomFrom(seed);
  const files = kinds.flatMap((kind) =>
    [0, 1, 2].map((at) => ({ kind, path: kind.path(at), text: kind.text(random) })),
  );
  const place = await testWield(Object.fromEntries(files.map(({ path, text }) => [path, text])), {
    approve: () => ({ approved: true }),
  });
  const result: ShownResult = {
    edits: 0,
    landed: 0,
    refused: 0,
    ambiguous: 0,
    wrong: [],
    unparsed: [],
    byTool: {},
  };
  const paths = files.map(({ path }) => path);
  const made: Made[] = [];
  try {
    for (let guard = 0; result.edits < count && guard < 40 * count; ) {
      const file = files[Math.floor(random() * files.length)];
      if (!file) break;
      for (const [tool, text] of await shownTexts(place, callsOn(file.path, file.text, random))) {
        const runs = shownRuns(text, tool === "definition" ? paths : [file.path]).filter(
          (run) => run.file === file.path,
        );
        for (let more = 0; more < 6 && result.edits < count; more++) {
          guard++;
          const run = runs[Math.floor(random() * runs.length)];
          const edit = run && editFrom(run, file.kind, file.text, result.edits, random);
          if (!edit) continue;
          await tryEdit(place, { ...edit, tool }, file.text, result, made);
        }
      }
    }
  } finally {
    await place.close();
  }
  result.unparsed.push(...pythonProblems(made), ...yamlProblems(made));
  return result;
}

async function tryEdit(
  place: Awaited<ReturnType<typeof testWield>>,
  {
    tool,
    path,
    oldText,
    newText,
    expected,
  }: { tool: string; path: string; oldText: string; newText: string; expected: string | undefined },
  before: string,
  result: ShownResult,
  made: Made[],
): Promise<void> {
  result.edits++;
  const tally = result.byTool[tool] ?? { landed: 0, refused: 0, ambiguous: 0 };
  result.byTool[tool] = tally;
  const { result: said } = await place.wield.callAny("replace_in_file", {
    path,
    edits: [{ oldText, newText }],
  });
  if (!said.ok) {
    const what = / occurs /.test(said.error.message) ? "ambiguous" : "refused";
    result[what]++;
    tally[what]++;
    return;
  }
  result.landed++;
  tally.landed++;
  const now = place.read(path);
  if (now !== expected)
    result.wrong.push(JSON.stringify({ tool, path, oldText, newText, now: now.slice(0, 3000) }));
  made.push({ path, text: now, edit: JSON.stringify({ tool, path, oldText, newText }) });
  place.write(path, before);
}

interface Made {
  path: string;
  text: string;
  edit: string;
}

function pythonProblems(made: readonly Made[]): string[] {
  const some = made.filter(({ path }) => path.endsWith(".py"));
  const input = JSON.stringify(some.map(({ text }) => text));
  const { stdout, status } = spawnSync("python3", ["-c", python], { encoding: "utf8", input });
  if (status !== 0) return ["python3 did not run"];
  return stdout
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [`${line} ${some[Number.parseInt(line, 10)]?.edit}`]));
}

function yamlProblems(made: readonly Made[]): string[] {
  return made.flatMap(({ path, text, edit }) => {
    if (!path.endsWith(".yaml")) return [];
    try {
      parse(text);
      return [];
    } catch (error) {
      return [`${String(error)} ${edit}`];
    }
  });
}
