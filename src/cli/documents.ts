import { exportDocument } from "../app/export-document.ts";
import type { Wield } from "../app/wield.ts";
import type { DocumentSummary, Documents } from "../store/documents.ts";
import { diffTexts } from "../text/diff.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { localTime } from "./local-time.ts";
import { openWield } from "./open.ts";
import { saveFile, savingTools } from "./save-file.ts";
import { type Io, painter } from "./terminal.ts";

export const documents: Command = {
  name: "documents",
  summary: "List and read documents that agents wrote; apply suggestions",
  usage: "[id | query | apply <suggestion> | dismiss <suggestion>]",
  completes: [{ known: ["apply", "dismiss"] }],
  options: {
    version: { value: "N", help: "Show this version of the document" },
    compare: { value: "N", help: "Show what changed since this version" },
    save: { value: "FILE", help: "Save it in the workspace: .md or .docx, .csv, or source code" },
    yes: { help: "Replace a file without asking" },
    json: { help: "Print as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield documents", note: "list the newest documents" },
    { command: "wield documents d_1a2b3c4d5e", note: "show one with its open suggestions" },
    { command: "wield documents d_1a2b3c4d5e --save offer.docx", note: "save it as a Word file" },
    { command: "wield documents quarterly budget", note: "search documents" },
    { command: "wield documents apply g_1a2b3c4d5e", note: "apply a suggestion" },
  ],
  async run(given, io) {
    const [first = "", second] = given.args;
    const version = versionIn(given.value("version"), "version");
    const compare = versionIn(given.value("compare"), "compare");
    const file = given.value("save");
    if (file !== undefined && !/^d_\w+$/.test(first))
      throw new UsageError(
        "Which document is to be saved? For example: wield documents d_1a2b3c4d5e --save offer.docx",
      );
    const wield = await openWield(given, io, file === undefined ? [] : savingTools);
    try {
      const documents = wield.store.documents(wield.project);
      if ((first === "apply" || first === "dismiss") && second !== undefined) {
        const { state, original, suggested } = await documents.resolveSuggestion(
          second,
          first === "apply" ? "applied" : "dismissed",
        );
        io.out(visibleText(`${state}:\n- ${original}\n+ ${suggested}`));
        return exit.ok;
      }
      if (/^d_\w+$/.test(first) && second === undefined) {
        if (file !== undefined) {
          const format = /\.(md|docx|csv)$/i.exec(file)?.[1]?.toLowerCase();
          const { bytes } = exportDocument(await documents.read(first, version), format);
          return await saveFile(wield, file, bytes, io);
        }
        if (compare !== undefined) {
          const [before, after] = [
            await documents.read(first, compare),
            await documents.read(first, version),
          ];
          const { diff } = diffTexts(after.title, before.content, after.content);
          io.out(diff === "" ? "No difference." : visibleText(diff));
          return exit.ok;
        }
        io.out(await showOne(documents, first, version, given.flag("json")));
        return exit.ok;
      }
      const found = await findDocuments(documents, given.args);
      if (given.flag("json")) io.out(JSON.stringify(found, null, 2));
      else io.out(documentList(found, given.args, io));
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

/** `/documents` in the chat: one document by its id, or a list. */
export async function showDocuments(wield: Wield, args: readonly string[], io: Io): Promise<void> {
  const documents = wield.store.documents(wield.project);
  const [first = "", ...more] = args;
  if (/^d_\w+$/.test(first) && more.length === 0) io.out(await showOne(documents, first, undefined, false));
  else io.out(documentList(await findDocuments(documents, args), args, io));
}

async function findDocuments(documents: Documents, words: readonly string[]): Promise<DocumentSummary[]> {
  return words.length === 0
    ? (await documents.list({ limit: 50 })).documents
    : documents.search(words.join(" "), 10);
}

function documentList(found: readonly DocumentSummary[], words: readonly string[], io: Io): string {
  if (found.length > 0) return found.map((one) => inLine(one, io)).join("\n");
  return words.length > 0
    ? `No document matches ${JSON.stringify(visibleLine(words.join(" ")))}.`
    : "No documents yet. An agent writes one when you ask for it.";
}

function versionIn(text: string | undefined, option: string): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`--${option} takes a whole number of at least 1.`);
  return text === undefined ? undefined : Number(text);
}

function inLine({ id, title, kind, version, updated }: DocumentSummary, io: Io): string {
  const paint = painter(io);
  return `${paint("cyan", id)}  ${localTime(updated)}  ${visibleLine(title)} ${paint("dim", `${kind}, version ${version}`)}`;
}

async function showOne(
  documents: Documents,
  id: string,
  version: number | undefined,
  asJson: boolean,
): Promise<string> {
  const document = await documents.read(id, version);
  const open = (await documents.suggestions(id)).filter(({ state }) => state === "open");
  if (asJson) return JSON.stringify({ ...document, suggestions: open }, null, 2);
  const suggestions = open.map(
    (s) => `${s.id}: ${s.reason}\n- ${s.original}\n+ ${s.suggested}\n  wield documents apply ${s.id}`,
  );
  return visibleText([document.content, ...suggestions].join("\n\n"));
}
