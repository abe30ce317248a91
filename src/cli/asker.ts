import { stripVTControlCharacters } from "node:util";
import { isCancel, select, text } from "@clack/prompts";
import type { Answer, Ask, Asker } from "../approval/approval.ts";
import { briefReason, reasonBesides } from "../approval/ask-facts.ts";
import { type RememberChoice, rememberChoices } from "../approval/widths.ts";
import { Failure } from "../failure/failure.ts";
import { cells } from "../text/cells.ts";
import { diffTexts } from "../text/diff.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import type { FilePreview } from "../tool/tool.ts";
import { colourDiff, showFile } from "./diff-view.ts";
import { editInEditor } from "./editor.ts";
import { page } from "./pager.ts";
import { selectByKey } from "./select-by-key.ts";
import { type Io, painter } from "./terminal.ts";

type Choice = "yes" | "no" | "edit" | "remember" | "all" | "view";

/** Rows of the question with its answers, and of what else must stay on the screen. */
const rowsOfQuestion = 11;
const fewestRows = 5;

/**
 * Approval in the terminal: all requests of a step are shown first, then answered one by one or all at once. What is longer
 * than the screen is cut, so that the question and what it is about can be read together; `v` shows all of it.
 */
export function terminalAsker(io: Io): Asker {
  return async (asks, signal) => {
    signal.throwIfAborted();
    const rows = (process.stdout.rows || 24) - rowsOfQuestion - asks.length;
    const most = Math.max(fewestRows, Math.floor(rows / asks.length));
    const shown = asks.map((ask, index) => {
      const position = asks.length > 1 ? `${index + 1} of ${asks.length}  ` : "";
      const reason = briefReason(ask);
      const cut = cutTo(most, showAsk(ask, io, { position, reason: reason.text }), io);
      return { ...cut, isCut: cut.isCut || reason.isCut };
    });
    io.out(`\n${shown.map(({ text }) => text).join("\n\n")}\n`);
    const answers: Answer[] = [];
    let all = false;
    for (const [index, ask] of asks.entries()) {
      // What needs care is never answered along with others.
      const others = asks.slice(index + 1).filter((_, at) => !needsCare(asks, shown, index + 1 + at)).length;
      if (all && !needsCare(asks, shown, index)) {
        answers.push({ approved: true });
        continue;
      }
      const answer = await askOne(ask, { others, isCut: shown[index]?.isCut ?? true }, io, signal);
      all ||= answer === "all";
      answers.push(answer === "all" ? { approved: true } : answer);
    }
    return answers;
  };
}

function needsCare(asks: readonly Ask[], shown: readonly { isCut: boolean }[], at: number): boolean {
  return (asks[at]?.warnings.length ?? 0) > 0 || (shown[at]?.isCut ?? true);
}

/** The beginning of a text, as many rows of the screen; lines that are too long for the screen take several. */
function cutTo(most: number, text: string, io: Io): { text: string; isCut: boolean } {
  const lines = text.split("\n");
  const rowsOf = (line: string) => Math.max(1, Math.ceil(cells(stripVTControlCharacters(line)) / io.columns));
  let rows = 0;
  const fits = lines.findIndex((line) => {
    rows += rowsOf(line);
    return rows > most;
  });
  if (fits === -1) return { text, isCut: false };
  // The line that says how much is omitted needs a row, too.
  const kept = lines.slice(0, Math.max(1, fits - (rows - rowsOf(lines[fits] ?? "") >= most ? 1 : 0)));
  const more = lines.length - kept.length;
  const note = painter(io)("yellow", `… ${more} more ${more === 1 ? "line" : "lines"}, v to view`);
  return { text: [...kept, note].join("\n"), isCut: true };
}

export function showAsk(
  ask: Ask,
  io: Pick<Io, "colour"> & { columns?: number },
  { position = "", reason = reasonBesides(ask) } = {},
): string {
  const paint = painter(io);
  const columns = io.columns ?? Number.POSITIVE_INFINITY;
  const args = ask.preview && ask.preview.files.length > 0 ? [] : argumentLines(ask.args);
  return [
    `${paint(["bold", "yellow"], `${position}${visibleLine(ask.title)}`)}  ${paint("dim", visibleLine(ask.tool))}`,
    ...ask.warnings.map((warning) => paint(["bold", "red"], wrap(visibleLine(`! ${warning}`), columns))),
    wrap(visibleLine(reason), columns),
    ...ask.counts.map((count) => wrap(visibleLine(count), columns)),
    ...(ask.again === undefined ? [] : [paint("yellow", ask.again)]),
    ...args,
    ...(ask.preview?.files.map((file) => showFile(file, io, Number.POSITIVE_INFINITY)) ?? []),
    ...(ask.preview?.notes.map((note) => paint("dim", visibleLine(note))) ?? []),
  ].join("\n");
}

/** `name: value`, one per line; a text of several lines is below its name. */
function argumentLines(args: Record<string, unknown>): string[] {
  return Object.entries(args).map(([name, value]) => {
    const text = visibleText(typeof value === "string" ? value : JSON.stringify(value));
    return text.includes("\n") ? `${visibleLine(name)}:\n${text}` : `${visibleLine(name)}: ${text}`;
  });
}

/** `others`: requests after it that a yes may include. `isCut`: only its beginning is on the screen. */
async function askOne(
  ask: Ask,
  { others, isCut }: { others: number; isCut: boolean },
  io: Io,
  signal: AbortSignal,
): Promise<Answer | "all"> {
  const draft: Draft = { contents: new Map(), args: undefined };
  const choices = rememberChoices(ask);
  for (;;) {
    const choice = await selectByKey<Choice>(
      {
        message: draft.args ? `Apply your version of ${ask.tool}?` : `Allow ${ask.tool}?`,
        signal,
        onEscape: "No (Esc)",
        isUnmarked: isCut || ask.warnings.length > 0,
        options: [
          { value: "yes", label: "Yes", key: "y" },
          ...(others > 0 && !draft.args
            ? [{ value: "all" as const, label: `Yes, and to the other ${others}` }]
            : []),
          ...(isOnlyAnId(ask.args)
            ? []
            : [{ value: "edit" as const, label: "Edit first", hint: "in your editor", key: "e" }]),
          ...(choices.length > 0
            ? [
                {
                  value: "remember" as const,
                  label: "Yes, and do not ask again",
                  hint: "choose for what",
                  key: "a",
                },
              ]
            : []),
          ...(isCut
            ? [{ value: "view" as const, label: "View all of it", hint: "on a screen of its own", key: "v" }]
            : []),
          { value: "no", label: "No", hint: "also Esc", key: "n" },
        ],
      },
      io,
    );
    const approval: Answer = { approved: true, ...(draft.args && { modifiedArgs: draft.args }) };
    if (choice === "escape" || choice === "withdrawn") return { approved: false };
    if (choice === "yes") return approval;
    if (choice === "all") return "all";
    if (choice === "no") return ask.byPerson ? { approved: false } : deny(signal);
    if (choice === "view") await page(showAsk(ask, io), io, signal);
    else if (choice === "edit") await edit(ask, draft, io);
    else {
      const remember = await chooseWidth(choices, io, signal);
      if (remember) return { ...approval, remember };
    }
  }
}

/** Such as changes that a run made: there is nothing in the call that a person could edit. */
function isOnlyAnId(args: Record<string, unknown>): boolean {
  return Object.entries(args).every(([name, value]) => name === "id" && /^[a-z]_\w+$/.test(String(value)));
}

/** Marks and the key of a choice. */
const roomOfChoice = 8;

/** What is not asked about again, in words; undefined: the person went back. */
async function chooseWidth(
  choices: readonly RememberChoice[],
  io: Io,
  signal: AbortSignal,
): Promise<Answer["remember"] | undefined> {
  const options = choices.map(({ label }, at) => ({ value: String(at), label, key: String(at + 1) }));
  // The list has a row for each: what is longer is read in full before it.
  const long = choices.flatMap(({ label }, at) =>
    cells(visibleLine(label)) > io.columns - roomOfChoice ? [`${at + 1}. ${visibleLine(label)}`] : [],
  );
  if (long.length > 0) io.out(long.map((line) => wrap(line, io.columns)).join("\n"));
  const message = "Do not ask again about";
  const chosen = await selectByKey({ message, signal, options, onEscape: "back" }, io);
  const choice = choices[Number(chosen)];
  return choice && { rules: choice.rules, scope: choice.scope };
}

/** The person's edits to the call so far. */
interface Draft {
  contents: Map<string, string>;
  args: Record<string, unknown> | undefined;
}

async function deny(signal: AbortSignal): Promise<Answer> {
  const reason = await text({ message: "Why not? (optional; the model reads it)", signal });
  return isCancel(reason) || !reason ? { approved: false } : { approved: false, reason };
}

/** Edits the proposed content where there is one, else the arguments as JSON. */
async function edit(ask: Ask, draft: Draft, io: Io): Promise<void> {
  const editable = ask.preview?.files.filter((file) => file.proposed !== undefined) ?? [];
  try {
    if (ask.amend && editable.length > 0) await editContent(ask, editable, draft, io);
    else await editArguments(ask, draft, io);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof SyntaxError)) throw error;
    io.err(painter(io)("red", visibleText((error as Error).message)));
  }
}

async function editContent(ask: Ask, files: FilePreview[], draft: Draft, io: Io): Promise<void> {
  const path = files.length === 1 ? files[0]?.path : await chooseFile(files.map((file) => file.path));
  if (path === undefined) return;
  const proposed = draft.contents.get(path) ?? files.find((file) => file.path === path)?.proposed ?? "";
  const content = await editInEditor(path, proposed, io);
  if (content === undefined) return;
  draft.contents.set(path, content);
  draft.args = ask.amend?.(draft.contents);
  io.out(colourDiff(diffTexts(path, proposed, content).diff, io).join("\n"));
}

async function editArguments(ask: Ask, draft: Draft, io: Io): Promise<void> {
  const json = await editInEditor(
    `${ask.tool}.json`,
    `${JSON.stringify(draft.args ?? ask.args, null, 2)}\n`,
    io,
  );
  if (json !== undefined) draft.args = JSON.parse(json);
}

async function chooseFile(paths: string[]): Promise<string | undefined> {
  const path = await select({
    message: "Which file?",
    options: paths.map((value) => ({ value, label: visibleLine(value) })),
  });
  return isCancel(path) ? undefined : path;
}
