import { z } from "zod";
import { operations } from "../../code/resolve/graph-operations.ts";
import { Failure } from "../../failure/failure.ts";
import { defineTool } from "../../tool/define-tool.ts";
import {
  type Code,
  codeOptions,
  definitionOutput,
  definitionValue,
  kindInput,
  notice,
} from "./code-answers.ts";
import { gaps, sortedOutput, sortedText, sortedValue } from "./sorted-answer.ts";

const maxDepth = 3;

const node = z.object({
  name: z.string(),
  kind: z.string(),
  signature: z.string(),
  file: z.string(),
  line: z.number(),
  depth: z.number(),
  byName: z.boolean().optional().describe("Possible: nothing proves or excludes it"),
  why: z.string().optional().describe("Why it is only possible"),
  via: z.string().optional().describe("The type between, where it is not related directly"),
});

export const graph = (code: Code) =>
  defineTool({
    name: "graph",
    title: "Code graph",
    description:
      "Relations of a symbol: callers, callees, implementations (of an interface or method), methods (of a type), usages, inheritors (these and implementations at any distance, with the type between); and of a file: importers, imports. Each answer has kind, signature and place. Use it to follow a flow without reading files.",
    category: "Explore",
    input: z.object({
      operation: z.enum(operations),
      target: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .describe(
          "Symbol, plain or qualified (Planner.Plan, src/a.ts#foo); a file path for importers and imports",
        ),
      depth: z.int().min(1).default(1).describe("Steps to follow, at most 3"),
      kind: kindInput.describe("Kind of the symbol, where one file has several of that name"),
    }),
    output: z.object({
      target: definitionOutput.optional(),
      nodes: z.array(node),
      candidates: z
        .array(definitionOutput)
        .optional()
        .describe("The target is ambiguous: ask again for one of these"),
      sorted: sortedOutput.optional().describe("Of callers and usages: how all occurrences were sorted"),
      notice: z.string().optional(),
    }),
    can: ["read"],
    idempotent: true,
    effects: () => [{ kind: "read", path: "." }],
    execute: async ({ operation, target, depth, kind }, context) => {
      const { answer, coverage } = await (await code()).graph(
        { operation, target, depth: Math.min(depth, maxDepth), kind },
        codeOptions(context),
      );
      if (!answer) {
        throw new Failure(
          "FILE_NOT_FOUND",
          `Nothing here is called "${target}". Use definition to find similar names, or tree and glob to find a file.`,
        );
      }
      if ("candidates" in answer)
        return { nodes: [], candidates: answer.candidates.slice(0, 20).map(definitionValue) };
      const note = notice(coverage);
      return {
        ...(answer.target && { target: definitionValue(answer.target) }),
        nodes: answer.nodes,
        ...(answer.sorted && { sorted: sortedValue(answer.sorted) }),
        ...(note && { notice: note }),
      };
    },
    render: ({ target, nodes, candidates, sorted, notice: note }, { operation, target: asked }) => {
      const notes = [...(sorted ? gaps(sorted) : []), ...(note ? [note] : [])];
      if (candidates) {
        const exact = candidates.some((c) => c.name.split(".").at(-1) === asked.split(/[.#:]/).at(-1));
        return [
          exact
            ? `"${asked}" means ${candidates.length} things. Ask again with one of these as target:`
            : `Nothing is called "${asked}" exactly. Similar names:`,
          ...candidates.map((c) => {
            const again = candidates.filter((o) => o.file === c.file && o.name === c.name).length > 1;
            return `${c.file}#${c.name}  ${again ? `with kind ${c.kind}` : c.kind}, line ${c.line}`;
          }),
        ].join("\n");
      }
      const of = target ? `${target.name} (${target.file}:${target.line})` : asked;
      const isPlain = !sorted || (sorted.possible === 0 && sorted.other === 0);
      const counts = isPlain ? "" : `; occurrences of the name: ${sortedText(sorted)}`;
      if (nodes.length === 0) return [`No ${operation} of ${of}${counts}.`, ...notes].join("\n");
      const head = `${nodes.length} ${nodes.length === 1 ? operation.replace(/s$/, "") : operation} of ${of}${counts}`;
      const doubtful = [
        ...(nodes.some((n) => n.byName) ? ["? = possible: nothing proves or excludes it"] : []),
        ...notes,
      ];
      const indent = (n: (typeof nodes)[number]) => "  ".repeat(n.depth - 1);
      if (operation === "importers" || operation === "imports") {
        const lines = nodes.map((n) =>
          n.kind === "external"
            ? `${indent(n)}${n.name} (external)`
            : `${indent(n)}${n.name}${operation === "importers" ? `:${n.line}` : ""}  ${n.signature}`,
        );
        return [
          [head, ...lines, ...notes].join("\n"),
          () => [head, ...new Set(nodes.map((n) => n.name))].join("\n"),
        ];
      }
      return [
        [
          head,
          ...nodes.map((n) => `${indent(n)}${n.byName ? "? " : ""}${label(n)}  ${n.file}:${n.line}${via(n)}`),
          ...doubtful,
        ].join("\n"),
        () =>
          [
            head,
            ...nodes.map((n) => `${indent(n)}${n.byName ? "? " : ""}${n.name}  ${n.file}:${n.line}${via(n)}`),
            ...doubtful,
          ].join("\n"),
      ];
    },
    examples: [
      { title: "Who calls a function", input: { operation: "callers", target: "parseConfig" } },
      {
        title: "What implements an interface",
        input: { operation: "implementations", target: "IssueStore" },
      },
      {
        title: "Who imports a file, two steps",
        input: { operation: "importers", target: "src/store.ts", depth: 2 },
      },
    ],
  });

const via = (node: { via?: string | undefined }) => (node.via ? `  via ${node.via}` : "");

/** Signature, with the kind and the type it belongs to where it does not show them. */
function label({ name, kind, signature }: { name: string; kind: string; signature: string }): string {
  const owner = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const said = new RegExp(`\\b${kind}`).test(signature) ? "" : `${kind} `;
  return `${said}${owner && !signature.includes(owner.split(".").at(-1) ?? "") ? `${owner}.` : ""}${signature}`;
}
