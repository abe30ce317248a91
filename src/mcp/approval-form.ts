import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { Answer, Ask, Remembering } from "../approval/approval.ts";
import { briefReason, factLines, reasonBesides } from "../approval/ask-facts.ts";
import { exactly } from "../approval/widths.ts";
import { visibleLine, visibleText } from "../text/visible.ts";

type Schema = ElicitRequestFormParams["requestedSchema"];
type Plain = string | number | boolean;

/** A field that the person may edit in the form. */
interface Field {
  key: string;
  /** The file's path or the argument's name. */
  name: string;
  kind: "file" | "argument";
  value: Plain;
}

/** The client's reply; nothing in it is trusted. */
export interface FormAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown> | undefined;
  /** Why the client could not show the form. */
  problem?: string;
}

const maxShownCharacters = 8_000;
const maxFieldCharacters = 16_000;
const maxFields = 10;

/** An approval request as a form: description and diffs, the decision, and editable fields. */
export function formOf(ask: Ask): ElicitRequestFormParams {
  const properties: Schema["properties"] = {
    decision: {
      type: "string",
      title: "Decision",
      oneOf: [
        { const: "approve", title: "Approve" },
        ...rememberOption(ask.remember),
        { const: "deny", title: "Deny" },
      ],
      ...(needsWord(ask) ? {} : { default: "approve" }),
    },
    reason: { type: "string", title: "Reason for denying", description: "Optional; the model reads it" },
  };
  for (const { key, name, kind, value } of fieldsOf(ask)) {
    const title = visibleLine(name);
    const description =
      kind === "file" ? "The proposed content; edit it before approving" : "Edit before approving";
    if (typeof value === "string") properties[key] = { type: "string", title, description, default: value };
    else if (typeof value === "number")
      properties[key] = { type: "number", title, description, default: value };
    else properties[key] = { type: "boolean", title, description, default: value };
  }
  const required = needsWord(ask) ? { required: ["decision"] } : {};
  return {
    mode: "form",
    message: messageOf(ask).text,
    requestedSchema: { type: "object", properties, ...required },
  };
}

/** Only an accepted form with a known decision approves. */
export function answerOf(ask: Ask, { action, content = {}, problem }: FormAnswer): Answer {
  if (problem !== undefined)
    return { approved: false, reason: `the client could not ask: ${visibleLine(problem)}` };
  if (action === "cancel") return { approved: false, reason: "the question was closed without an answer" };
  if (action !== "accept") return { approved: false };
  const { decision = needsWord(ask) ? undefined : "approve", reason } = content;
  if (decision === undefined) return { approved: false, reason: "the form was sent without a decision" };
  if (decision !== "approve" && decision !== "remember") {
    return { approved: false, ...(typeof reason === "string" && reason !== "" && { reason }) };
  }
  const edited = fieldsOf(ask).flatMap((field): [Field, Plain][] => {
    const given = content[field.key];
    return isEdit(field.value, given) ? [[field, given]] : [];
  });
  return {
    approved: true,
    ...(edited.length > 0 && { modifiedArgs: argumentsAfter(ask, edited) }),
    ...(decision === "remember" && ask.remember && { remember: longest(ask.remember) }),
  };
}

/** What is dangerous, or longer than the form shows, is approved by that word alone: not by a form that is sent as it came. */
function needsWord(ask: Ask): boolean {
  return ask.warnings.length > 0 || messageOf(ask).isCut;
}

function rememberOption(remember: Ask["remember"]) {
  if (!remember) return [];
  const until = longest(remember).scope === "session" ? "until Wield stops" : "always in this folder";
  const title = visibleLine(`Approve, and do not ask again, ${until}: ${exactly(remember)}`);
  return [{ const: "remember", title }];
}

function longest({ rules, scopes }: Remembering): NonNullable<Answer["remember"]> {
  return { rules, scope: scopes.includes("user") ? "user" : "session" };
}

function argumentsAfter(ask: Ask, edited: readonly [Field, Plain][]): Record<string, unknown> {
  const files = edited.filter(([field]) => field.kind === "file");
  if (ask.amend && files.length > 0) {
    return ask.amend(new Map(files.map(([field, content]) => [field.name, String(content)])));
  }
  return { ...ask.args, ...Object.fromEntries(edited.map(([field, value]) => [field.name, value])) };
}

/** Proposed contents if the tool accepts edited ones, else the arguments. */
function fieldsOf(ask: Ask): Field[] {
  const proposals = ask.amend ? (ask.preview?.files ?? []) : [];
  const files = proposals.flatMap(({ path, proposed }, index): Field[] =>
    proposed === undefined
      ? []
      : [{ key: `content_${index + 1}`, name: path, kind: "file", value: proposed }],
  );
  const args = Object.entries(ask.args).flatMap(([name, value]): Field[] =>
    isPlain(value) ? [{ key: `arg_${name}`, name, kind: "argument", value }] : [],
  );
  return (files.length > 0 ? files : args)
    .filter(({ value }) => String(value).length <= maxFieldCharacters)
    .slice(0, maxFields);
}

/** Some forms send nothing or "" instead of defaults, and some change line endings: neither is an edit. */
function isEdit(proposed: Plain, given: unknown): given is Plain {
  if (!isPlain(given) || given === proposed || given === "") return false;
  return !hasOtherLineEnds(String(proposed), String(given));
}

function hasOtherLineEnds(proposed: string, given: string): boolean {
  const lines = proposed.split(/\r?\n/);
  return lines.length > 1 && ["", " ", "\n"].some((end) => lines.join(end).trim() === given.trim());
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function messageOf(ask: Ask): { text: string; isCut: boolean } {
  const files = ask.preview?.files ?? [];
  const body =
    files.length > 0
      ? files.map(({ path, change, from, diff }) => {
          const head = from === undefined ? `${change} ${path}` : `${change} ${from} → ${path}`;
          return diff === "" ? visibleLine(head) : `${visibleLine(head)}\n${visibleText(diff)}`;
        })
      : [visibleText(JSON.stringify(ask.args, null, 2))];
  const reason = briefReason(ask);
  const facts = factLines(ask);
  const title = `${visibleLine(ask.title)} (${ask.tool})`;
  const why = visibleLine(reason.text);
  const text = [
    ...(facts.length > 0 ? [title, ...facts, why] : [`${title}: ${why}`]),
    ...(ask.again === undefined ? [] : [ask.again]),
    ...body,
    ...(ask.preview?.notes.map(visibleLine) ?? []),
    ...(reason.isCut ? [`The whole reason: ${visibleLine(reasonBesides(ask))}`] : []),
  ].join("\n\n");
  if (text.length <= maxShownCharacters) return { text, isCut: false };
  const note = `… ${maxShownCharacters} of ${text.length} characters shown. Deny the call if you need to see more.`;
  return { text: `${text.slice(0, maxShownCharacters)}\n${note}`, isCut: true };
}
