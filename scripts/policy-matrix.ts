// The policy as a table, made by asking the policy itself: every tool × effect × mode × trust × attended.
import { decide, type Policy } from "../src/approval/decide.ts";
import { modeTexts, type PermissionMode, permissionModes } from "../src/approval/modes.ts";
import type { Rule } from "../src/approval/rules.ts";
import { changeDefault, type Effect } from "../src/tool/effects.ts";
import type { Tool } from "../src/tool/tool.ts";

const watch = "private data and content of others are in the conversation";

/** One effect of each kind that is judged differently. */
const samples: Record<Effect["kind"], readonly (readonly [string, Effect])[]> = {
  read: [["reads a file", { kind: "read", path: "src/a.ts" }]],
  write: [
    ["creates a file", { kind: "write", path: "src/a.ts", replaces: false }],
    ["replaces a file", { kind: "write", path: "src/a.ts", replaces: true }],
    ["replaces a manifest", { kind: "write", path: "package.json", replaces: true }],
    ["changes a protected name", { kind: "write", path: ".envrc", replaces: true }],
  ],
  delete: [["deletes a file", { kind: "delete", path: "src/a.ts" }]],
  fetch: [
    ["sends a GET", { kind: "fetch", url: "https://docs.example.com/", method: "GET" }],
    ["sends a POST", { kind: "fetch", url: "https://docs.example.com/", method: "POST" }],
  ],
  run: [
    ["runs without a network", { kind: "run", command: "make", network: "off" }],
    ["runs with a network", { kind: "run", command: "make", network: "full" }],
    ["runs outside the sandbox", { kind: "run", command: "make", network: "full", outside: true }],
  ],
  record: [["changes Wield's own records", { kind: "record", what: "document" }]],
};

export function policyMatrixPage(tools: readonly Tool[]): string {
  const modes = permissionModes.map((mode) => `\`${mode}\``).join(" | ");
  const rows = tools.flatMap((tool) =>
    tool.can.flatMap((kind) => samples[kind].map((sample) => row(tool, sample))),
  );
  return [
    "# Policy matrix",
    "What the policy says about each effect of each built-in tool, without any rule, by permission mode. The last column: once private data and content of others are in the conversation, in the mode `ask`. `ask` is a question where somebody is there; with nobody there it is `APPROVAL_REQUIRED`, and what a run changed is held.",
    permissionModes.map((mode) => `- \`${mode}\`: ${modeTexts[mode].hint}`).join("\n"),
    [
      `| tool | effect | ${modes} | watched |`,
      `|---|---|${permissionModes.map(() => "---|").join("")}---|`,
      ...rows,
    ].join("\n"),
    "## Rules, trust and who is there",
    "The same change by the mode `ask`, with one rule of the folder's own settings.",
    trustTable(),
    "More: [permissions](permissions.md).",
    "",
  ].join("\n\n");
}

function row(tool: Tool, [what, effect]: readonly [string, Effect]): string {
  const byDefault = defaultOf(tool, effect);
  const judge = (mode: PermissionMode, watched: boolean) =>
    decide({ tool: tool.name, byDefault, effects: [effect] }, { ...noRules, mode, ...(watched && { watch }) })
      .decision;
  const cells = permissionModes.map((mode) => judge(mode, false));
  return `| \`${tool.name}\` | ${what} | ${[...cells, judge("ask", true)].join(" | ")} |`;
}

const noRules: Policy = { user: [], workspace: { rules: [], trusted: false }, session: [] };

function defaultOf(tool: Tool, effect: Effect): "auto" | "ask" {
  // What a run changes is judged like the same change by a file tool.
  const isChange = effect.kind === "write" || effect.kind === "delete";
  if (isChange && tool.can.includes("run")) return changeDefault(effect);
  const example = tool.input.safeParse(tool.examples[0]?.input ?? {});
  return tool.approval([effect], example.success ? example.data : {});
}

function trustTable(): string {
  const effect: Effect = { kind: "write", path: "src/a.ts", replaces: true };
  const rules: readonly (readonly [string, Rule])[] = [
    ["allow", { decision: "allow", path: "src/**" }],
    ["deny", { decision: "deny", path: "src/**" }],
  ];
  const lines = rules.flatMap(([name, rule]) =>
    [true, false].map((trusted) => {
      const policy = { ...noRules, workspace: { rules: [rule], trusted } };
      const { decision } = decide({ tool: "edit_file", byDefault: "ask", effects: [effect] }, policy);
      const alone = { allow: "made", ask: "`APPROVAL_REQUIRED`", deny: "`APPROVAL_DENIED`" }[decision];
      const attended = { allow: "made", ask: "a question", deny: "`APPROVAL_DENIED`" }[decision];
      return `| ${name} | ${trusted ? "yes" : "no"} | ${attended} | ${alone} |`;
    }),
  );
  return [
    "| rule of the folder | trusted | somebody is there | nobody is there |",
    "|---|---|---|---|",
    ...lines,
  ].join("\n");
}
