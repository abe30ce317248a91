import type { IndexFolder, ReadCommits, SourceFiles } from "../files/files.ts";
import { copySyntax, SyntaxStore } from "../syntax/syntax-store.ts";
import { loadIndex } from "../word-index/segment-files.ts";
import { Project } from "./project.ts";
import { SharedIndex } from "./shared-index.ts";

/** Files that nobody changes, for as long as an index of them is made. */
export interface UnchangedFiles {
  files: SourceFiles;
  remove(): Promise<void>;
}

interface OpenSharedIndex {
  folder: IndexFolder;
  /** Called when there is no index of the files yet, or not a whole one. */
  checkOut(): Promise<UnchangedFiles>;
  pastCommits: ReadCommits;
  threads: number;
  /** The folder of an index of similar files: what they have in common is not parsed again. */
  similar: IndexFolder | undefined;
}

/** The index that is kept in the folder, or a new one: then its words can be asked at once, and its files are parsed in the background. */
export async function openSharedIndex({
  folder,
  checkOut,
  pastCommits,
  threads,
  similar,
}: OpenSharedIndex): Promise<SharedIndex> {
  const kept = loadIndex(folder);
  if (kept && isParsed(folder, kept.generation)) return new SharedIndex({ ...kept, folder, pastCommits });
  const unchanged = await checkOut();
  // Where it cannot be copied, all is parsed.
  if (similar && !kept) await copySyntax(similar, folder).catch(() => undefined);
  const project = new Project(unchanged.files, folder);
  const leave = async () => {
    project.close();
    await unchanged.remove();
  };
  try {
    // What a process that ended early left is of another copy of the files.
    project.index.clear();
    await project.index.refresh();
    const made = loadIndex(folder);
    if (!made) throw new Error("The index of these files could not be kept.");
    const stop = new AbortController();
    const done = project.fill({ threads, signal: stop.signal }).then(
      () => !stop.signal.aborted,
      // Each workspace parses what a question needs.
      () => false,
    );
    const parsing = { done: done.then((is) => leave().then(() => is)), stop: () => stop.abort() };
    return new SharedIndex({ ...made, folder, pastCommits, parsing });
  } catch (error) {
    await leave();
    throw error;
  }
}

function isParsed(folder: IndexFolder, generation: string): boolean {
  const syntax = new SyntaxStore(folder);
  try {
    return syntax.isComplete(generation);
  } finally {
    syntax.close();
  }
}
