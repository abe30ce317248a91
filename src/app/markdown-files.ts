import { join } from "node:path";
import { type Folder, ownFolder, workspaceFolder } from "../workspace/folder.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Places } from "./places.ts";
import { isTrusted } from "./trust.ts";

/** A Markdown file with front matter that a person or a trusted folder keeps for agents. */
export interface MarkdownFile {
  /** Of the file, without `.md`. */
  name: string;
  front: Readonly<Record<string, unknown>>;
  body: string;
  source: "user" | "workspace";
  /** The folder of another program that it comes from. */
  from?: string;
}

/** Where Wield and others keep one kind of them; those of others in the folder and in the home folder. */
export interface MarkdownPlaces {
  own: string;
  ofOthers: readonly string[];
  ofOthersAtHome: readonly string[];
}

const mostFiles = 200;
const mostCharacters = 100_000;

/** Those of the folder, while it is trusted, before those of the person; Wield's own before those of others. */
export async function markdownFiles(
  { own, ofOthers, ofOthersAtHome }: MarkdownPlaces,
  workspace: Workspace,
  places: Places,
): Promise<MarkdownFile[]> {
  const ofFolder = (path: string) => workspaceFolder(workspace, path);
  const ofHome = (path: string): Folder => ({ ...ownFolder(join(places.home, path)), label: `~/${path}` });
  const read = await Promise.all([
    ...((await isTrusted(places.trustFile, workspace))
      ? [
          filesIn(ofFolder(`.wield/${own}`), "workspace", false),
          ...ofOthers.map((path) => filesIn(ofFolder(path), "workspace", true)),
        ]
      : []),
    filesIn(ownFolder(join(places.configDir, own)), "user", false),
    ...ofOthersAtHome.map((path) => filesIn(ofHome(path), "user", true)),
  ]);
  // The first of a name counts.
  const byName = new Map(
    read
      .flat()
      .toReversed()
      .map((file) => [file.name, file]),
  );
  return [...byName.values()].toReversed();
}

async function filesIn(
  folder: Folder,
  source: MarkdownFile["source"],
  isOfOthers: boolean,
): Promise<MarkdownFile[]> {
  const listed = (await folder.list()).slice(0, mostFiles);
  const found = await Promise.all(
    listed.map(async ({ path }) => {
      const name = /(?:^|\/)([a-z0-9][a-z0-9_-]{0,40})\.md$/i.exec(path)?.[1];
      const text = name === undefined ? undefined : await folder.read(path).catch(() => undefined);
      if (name === undefined || text === undefined || text.length > mostCharacters) return [];
      const { front, body } = await split(text);
      const from = isOfOthers ? { from: folder.label } : {};
      return body === "" ? [] : [{ name, front, body, source, ...from }];
    }),
  );
  return found.flat();
}

/** Front matter that is not valid says nothing. */
async function split(text: string): Promise<Pick<MarkdownFile, "front" | "body">> {
  const [, head, rest] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || rest === undefined) return { front: {}, body: text.trim() };
  const { parse } = await import("yaml");
  try {
    const parsed: unknown = parse(head);
    const isFields = parsed !== null && typeof parsed === "object" && !Array.isArray(parsed);
    return { front: isFields ? (parsed as Record<string, unknown>) : {}, body: rest.trim() };
  } catch {
    return { front: {}, body: rest.trim() };
  }
}

/** One line for people and models. */
export function descriptionOf({ front, body }: MarkdownFile): string {
  const given = front["description"];
  const line = typeof given === "string" ? given : (body.split("\n")[0] ?? "");
  return line.replaceAll(/\s+/g, " ").trim().slice(0, 200);
}
