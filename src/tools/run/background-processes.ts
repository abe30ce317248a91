import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { bytesWithin } from "../../text/tokens.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { applied, askAboutHeld, describeApplied } from "./applied-run.ts";
import type { BackgroundProcesses, ProcessView } from "./background.ts";

const nothingApplied = { changes: null, ignored: null, held: null, refused: [] };

const processView = z.object({
  id: z.string(),
  command: z.string(),
  started: z.string(),
  state: z.enum(["running", "ended", "stopped"]),
  exitCode: z.int().nullable().describe("Null while it runs"),
  ports: z.array(z.int()).describe("Ports that it listens on"),
});

/** The most characters of one reading; the rest is read with the offset. */
const mostRead = 20_000;

export const backgroundProcesses = (background: BackgroundProcesses) =>
  defineTool({
    name: "background_processes",
    title: "Background processes",
    description:
      "List, read or stop what run_code started with background. Without id: the list. With id: the end of its output, or the output from offset on. With stop: ends it; then what it changed is applied or asked about like the changes of run_code.",
    category: "Code Execution",
    loading: "deferred",
    input: z
      .object({
        id: z.string().min(1).optional(),
        offset: z.int().min(0).optional().describe("Of the first character, as the last reading named it"),
        stop: z.boolean().default(false),
      })
      .refine(({ id, offset, stop }) => id !== undefined || (offset === undefined && !stop), {
        path: ["id"],
        error: "offset and stop need the id of a process",
      }),
    output: z
      .object({
        processes: z.array(processView),
        output: z.string(),
        offset: z.int().nullable(),
        nextOffset: z.int().nullable(),
      })
      .extend(applied.shape),
    can: ["write", "delete"],
    // Its changes are judged one by one when the process ends, as those of run_code are.
    effects: () => [],
    inOrder: true,
    execute: async ({ id, offset, stop }, { session, signal }) => {
      if (id === undefined) {
        const processes = background.list(session).map(shown);
        return { processes, output: "", offset: null, nextOffset: null, ...nothingApplied };
      }
      if (signal.aborted) throw new Failure("ABORTED", "The call was aborted.");
      const view = stop ? await background.stop(id, session) : background.view(id, session);
      const read = background.read(view.id, { offset, most: mostRead });
      return {
        ...{ processes: [shown(view)], output: read.text, offset: read.offset, nextOffset: read.next },
        ...(view.applied ?? nothingApplied),
      };
    },
    followUp: askAboutHeld,
    render: (value, { id }) => {
      const { processes, output, offset, nextOffset } = value;
      if (id === undefined)
        return processes.length === 0
          ? "No background processes. run_code with background starts one."
          : processes.map(describeProcess).join("\n");
      const head = processes.map(describeProcess);
      const isOver = processes.every(({ state }) => state !== "running");
      const told = describeApplied(value, false);
      const changes = isOver && told.length === 0 ? ["It changed no files."] : told;
      const place = `--- output, characters ${offset} to ${nextOffset}${isOver ? "" : `; offset ${nextOffset} reads on`}`;
      return [
        [...head, ...changes, place, output].join("\n"),
        (budget) =>
          [...head, ...describeApplied(value, true), place, lastOf(output, bytesWithin(budget - 300))].join(
            "\n",
          ),
      ];
    },
    examples: [
      { title: "List them", input: {} },
      { title: "Read on", input: { id: "p_1a2b3c", offset: 1200 } },
      { title: "Stop one", input: { id: "p_1a2b3c", stop: true } },
    ],
  });

function shown({ id, command, started, state, exitCode, ports }: ProcessView): z.output<typeof processView> {
  return { id, command, started, state, exitCode, ports };
}

function describeProcess({ id, command, state, exitCode, ports }: z.output<typeof processView>): string {
  const how = state === "ended" ? `ended, exit code ${exitCode}` : state;
  const where =
    ports.length === 0 ? "" : `, listens on ${ports.map((port) => `localhost:${port}`).join(", ")}`;
  return `${id}  ${how}${where}  ${command}`;
}

function lastOf(text: string, bytes: number): string {
  const kept = Buffer.from(text).subarray(-Math.max(0, bytes)).toString();
  return kept.length === text.length ? text : `… (the beginning is left out)\n${kept}`;
}
