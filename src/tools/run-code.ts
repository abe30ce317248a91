import { z } from "zod";
import { Failure } from "../events/failure.ts";
import { findProgram } from "../process/find-program.ts";
import { policies, within } from "../sandbox/policy.ts";
import type { Job } from "../sandbox/sandbox.ts";
import { defineTool } from "../tool/define-tool.ts";
import { describeLanded, type Execution, land, landed } from "./execution.ts";
import { describeEnd, describeStreams, runOutput, runOutputOf } from "./run-output.ts";

const maxSeconds = 600;

const input = z.object({
  language: z.enum(["python", "bash"]),
  code: z.string().refine((code) => code.trim() !== "", "must hold some code"),
  args: z.array(z.string()).default([]).describe("Passed to the code as they are: sys.argv[1:], $1 …"),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable's name has letters, digits and _ only"),
      z.string(),
    )
    .default({})
    .describe("Variables for the code; it gets none of the machine's"),
  timeout: z
    .number()
    .positive("must be more than 0 seconds")
    .max(maxSeconds, `at most ${maxSeconds} seconds; split longer work`)
    .default(60)
    .describe("Seconds"),
});

export const runCode = (execution: Execution) =>
  defineTool({
    name: "run_code",
    title: "Run code",
    description:
      "Run Python or bash code in a sandbox on the workspace (its current directory). There is no network, no file outside the workspace, and limits on time, memory and output. Files it changes are applied afterwards and can be undone; changes to files that run by themselves (package.json, .git, CI, …) wait for a person.",
    category: "Code Execution",
    input,
    output: runOutput.extend(landed.shape),
    timeoutMs: (maxSeconds + 60) * 1000,
    can: ["run", "write", "delete"],
    approval: "auto",
    effects: ({ code }) => [{ kind: "run", command: code, network: "off" }],
    execute: async ({ language, code, args, env, timeout }, context) => {
      const startedAt = new Date();
      const job: Job = {
        workspace: context.workspace.root,
        ...commandFor(language, code, args),
        env,
        signal: context.signal,
      };
      const result = await execution.sandbox().run(job, within(policies.code, timeout * 1000));
      const what = { tool: "run_code", description: `run ${language}: ${firstLine(code)}` };
      return { ...runOutputOf(result), ...(await land(result, startedAt, what, execution, context)) };
    },
    render: (value, { timeout }) => {
      const end = describeEnd(value, within(policies.code, timeout * 1000).limits);
      return [
        [end, ...describeStreams(value), ...describeLanded(value, false)].join("\n"),
        (budget) => [end, ...describeStreams(value, budget - 400), ...describeLanded(value, true)].join("\n"),
      ];
    },
    examples: [
      { title: "Count lines", input: { language: "bash", code: "wc -l src/*.ts" } },
      {
        title: "Python with an argument",
        input: { language: "python", code: "import sys\nprint(sys.argv[1].upper())", args: ["hello"] },
      },
    ],
  });

/** Longer code than one argument may hold goes in as a file. */
const longestArgument = 100_000;

export function commandFor(
  language: "python" | "bash",
  code: string,
  args: readonly string[],
): Pick<Job, "command" | "files"> {
  if ([code, ...args].some((text) => text.includes("\0"))) {
    throw new Failure("INVALID_INPUT", "Code and arguments must not contain NUL characters. Remove them.");
  }
  const long = Buffer.byteLength(code) > longestArgument;
  const files = long ? { files: { code } } : {};
  if (language === "bash") {
    return { command: ["/bin/bash", "-c", long ? ". /run/wield/code" : code, "bash", ...args], ...files };
  }
  if (findProgram(python, "") === undefined) {
    throw new Failure(
      "UNAVAILABLE",
      `Python code needs ${python}, which is not installed. Install it, for example with: sudo apt-get install python3; or use bash.`,
    );
  }
  const read = 'exec(compile(open("/run/wield/code").read(), "<string>", "exec"))';
  return { command: [python, "-u", "-c", long ? read : code, ...args], ...files };
}

/** The only Python that the sandbox can see. */
export const python = "/usr/bin/python3";

function firstLine(code: string): string {
  const line = code.trim().split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
