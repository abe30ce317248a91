import { z } from "zod";
import { operations } from "../../code/resolve/graph-operations.ts";
import { Failure } from "../../failure/failure.ts";
import { cutLine } from "../../text/code-lines.ts";
import { visibleText } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { otherMembersText, placesText } from "./account-text.ts";
import {
  type Code,
  codeOptions,
  definitionOutput,
  definitionValue,
  kindNameInput,
  notice,
  similarText,
} from "./code-answers.ts";
import { importerLines, importersHead } from "./importer-lines.ts";
import { gaps, leftText, sortedOutput, sortedText, sortedValue } from "./sorted-answer.ts";

const maxDepth = 3;
/** The name of a node that is no declaration: its signature is the line itself. */
const topLevel = "(top level)";

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
  uses: z
    .array(z.object({ line: z.number(), text: z.string() }))
    .optional()
    .describe("Of callers and usages: the lines in it that use the target"),
  within: z.string().optional().describe("Of importers: the function around the import"),
  tie: z.string().optional().describe("Of an object literal: what ties it to the type"),
  inline: z
    .array(z.number())
    .optional()
    .describe("Of importers: lines that name it by a path, without import"),
});
type Node = z.infer<typeof node>;

export const graph = (code: Code) =>
  defineTool({
    name: "graph",
    title: "Code graph",
    description:
      "Overrides and implementations of a method or type, at any distance; callers with call lines; complete, counted.",
    brief: {
      description: "All implementations of a type or method, inheritors, or importers of a file.",
      input: z.object({
        operation: z.enum(["implementations", "inheritors", "importers"]),
        target: z.string(),
      }),
    },
    category: "Explore",
    input: z.object({
      operation: z.enum(operations),
      target: z.string().trim().min(1).max(300).describe("Type.method, src/a.ts#foo, or a file"),
      depth: z.int().min(1).default(1),
      kind: kindNameInput,
    }),
    output: z.object({
      target: definitionOutput.optional(),
      nodes: z.array(node),
      candidates: z
        .array(definitionOutput)
        .optional()
        .describe("The target is ambiguous: ask again for one of these"),
      sorted: sortedOutput.optional().describe("Of callers and usages: how all occurrences were sorted"),
      unread: z
        .array(z.string())
        .optional()
        .describe(
          "Of implementations, inheritors and importers: files that hold one of the names and could not be parsed",
        ),
      account: z
        .object({
          name: z.string(),
          occurrences: z.number(),
          keys: z.array(z.object({ file: z.string(), line: z.number(), tie: z.string().optional() })),
          ofOtherTypes: z.number(),
          otherTypes: z.array(z.string()),
          uses: z.number(),
        })
        .optional()
        .describe("Of implementations and inheritors: all places of the target's name"),
      caveat: z.string().optional().describe("What cannot be found by the name"),
      valueUses: z.array(z.string()).optional().describe("Where a function is used without a call"),
      looked: z.number().optional().describe("Of importers: files that write some part of the path"),
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
        const similar = await similarText(await code(), target, context);
        throw new Failure(
          "FILE_NOT_FOUND",
          `Nothing here is called "${target}". ${similar ? `${similar} ` : ""}Use definition to find similar names, or tree and glob to find a file.`,
        );
      }
      if ("candidates" in answer)
        return { nodes: [], candidates: answer.candidates.slice(0, 20).map(definitionValue) };
      const { unread } = answer;
      // Files that do not hold the names have no part in the answer, and those that do are accounted for.
      const isAccountedFor = unread || operation === "imports" || (answer.sorted && depth === 1);
      const missing = isAccountedFor ? undefined : notice(coverage);
      const note = [missing, answer.gap].filter(Boolean).join("\n");
      return {
        ...(answer.target && { target: definitionValue(answer.target) }),
        nodes: answer.nodes,
        ...(answer.sorted && { sorted: sortedValue(answer.sorted) }),
        ...(unread && { unread }),
        ...(answer.account && { account: answer.account }),
        ...(answer.caveat && { caveat: answer.caveat }),
        ...(answer.valueUses && { valueUses: answer.valueUses }),
        ...(answer.looked !== undefined && { looked: answer.looked }),
        ...(note && { notice: note }),
      };
    },
    render: (value, { operation, target: asked }) => {
      const {
        target,
        nodes,
        candidates,
        sorted,
        unread,
        account,
        looked,
        caveat,
        valueUses,
        notice: note,
      } = value;
      const notes = [
        ...(valueUses ? [valueUsesText(valueUses)] : []),
        ...(caveat ? [caveat] : []),
        ...(sorted ? [...leftText(sorted), ...gaps(sorted)] : []),
        ...(unread?.length ? [unreadText(unread)] : []),
        ...(note ? [note] : []),
      ];
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
      const isMethod = target?.kind === "method" || target?.kind === "func";
      const what = operation === "implementations" && isMethod ? "overrides" : operation;
      const others = account && isMethod ? [otherMembersText(account)].filter((text) => text !== "") : [];
      const checked = account ? `: ${placesText(account, isMethod)}` : "";
      if (nodes.length === 0)
        return [`No ${what} of ${of}${counts}${checked}.`, ...others, ...notes].join("\n");
      const possible = nodes.filter((n) => n.byName).length;
      const isSorted = sorted !== undefined || unread !== undefined;
      const isMissing = sorted?.left || sorted?.unparsed || unread?.length || note || caveat;
      const isComplete = isSorted && possible === 0 && !sorted?.possible && !isMissing;
      const doubt = unread && possible > 0 ? `, ${possible} of them only possible` : "";
      const head = `${nodes.length} ${nodes.length === 1 ? what.replace(/s$/, "") : what} of ${of}${isComplete ? `, all found${checked}` : doubt}${counts}`;
      const doubtful = [
        ...(nodes.some((n) => n.byName) ? ["? = possible: nothing proves or excludes it"] : []),
        ...others,
        ...notes,
      ];
      const indent = (n: Node) => "  ".repeat(n.depth - 1);
      if (operation === "importers" || operation === "imports") {
        const importers = nodes.map((n) => ({
          ...n,
          file: n.name,
          statement: n.signature,
          isPossible: n.byName,
        }));
        const isOpen = note !== undefined || (unread?.length ?? 0) > 0;
        const filesHead =
          operation === "imports" ? head : importersHead(importers, of, isOpen ? undefined : looked);
        const lines =
          operation === "importers" && nodes.every((n) => n.depth === 1)
            ? importerLines(importers)
            : importers.map((n) =>
                n.kind === "external"
                  ? `${indent(n)}${n.name} (external)`
                  : `${indent(n)}${operation === "importers" ? importerLines([n]).join("") : `${n.name}  ${n.signature}`}`,
              );
        return [
          [filesHead, ...lines, ...notes].join("\n"),
          () => [filesHead, ...new Set(nodes.map((n) => n.name))].join("\n"),
        ];
      }
      return [
        [
          head,
          ...nodes.flatMap((n) => [
            `${indent(n)}${n.byName ? "? " : ""}${label(n)}  ${n.file}:${n.line}${via(n)}`,
            ...(n.name === topLevel ? [] : (n.uses ?? [])).map(
              ({ line, text }) => `${indent(n)}  ${line}: ${cutLine(visibleText(text), 120)}`,
            ),
          ]),
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
      {
        title: "Who calls a function; nobody: unused code",
        input: { operation: "callers", target: "parseConfig" },
      },
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

const mostUnread = 5;

function unreadText(files: readonly string[]): string {
  const more = files.length > mostUnread ? `, and ${files.length - mostUnread} more` : "";
  return `There may be more in files that hold these names and are not parsed: ${files.slice(0, mostUnread).join(", ")}${more}`;
}

/** Signature, with the kind and the type it belongs to where it does not show them. */
function label({ name, kind, signature, tie }: Pick<Node, "name" | "kind" | "signature" | "tie">): string {
  const owner = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const said = new RegExp(`\\b${kind}`).test(signature) ? "" : `${kind} `;
  const tied = tie === undefined ? "" : `${tie.startsWith(":") ? "" : " "}${tie}`;
  const isShown = !owner || (!tied && signature.includes(owner.split(".").at(-1) ?? ""));
  return `${said}${isShown ? "" : `[${owner}${tied}] `}${signature}`;
}

/** A function that is given to something else is called by that. */
function valueUsesText(places: readonly string[]): string {
  const more = places.length > 5 ? `, and ${places.length - 5} more` : "";
  const what = places.length === 1 ? "1 use" : `${places.length} uses`;
  return `${what} without a call, as a value that something else may call: ${places.slice(0, 5).join(", ")}${more}`;
}
