import { Failure } from "../failure/failure.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { realPlace } from "../workspace/state-files.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";
import type { Places } from "./places.ts";
import { keepProgramsOutOfWorkspaces } from "./program-rules.ts";
import { requireOutside } from "./require-outside.ts";
import type { Settings } from "./settings.ts";
import { withUnsavedText } from "./unsaved-text.ts";
import type { WieldOptions } from "./wield-types.ts";
import { endOf, type WorktreeRecord, type WorktreeRecords } from "./worktree-records.ts";

/** The folder that Wield works in. */
export interface OpenedFolder {
  workspace: WholeWorkspace;
  /** Whose settings, rules, trust and documents hold: the folder itself, or the one that it is a worktree of. */
  project: WholeWorkspace;
  /** If the folder is a worktree of a session. */
  record: WorktreeRecord | undefined;
}

export async function openFolder(
  options: WieldOptions,
  places: Places,
  { journal }: Settings,
  records: WorktreeRecords,
): Promise<OpenedFolder> {
  requirePresent(options.workspace, records);
  const opened = await openWorkspace(options.workspace, {
    stateDir: places.stateDir,
    journal: { capBytes: journal.bytesPerChange, quotaBytes: journal.bytesInAll },
    durable: options.durable ?? true,
  });
  const layered = await layeredOver(opened, options.around);
  const workspace = options.unsaved ? withUnsavedText(layered, options.unsaved) : layered;
  requireOutside(workspace.root, places);
  keepProgramsOutOfWorkspaces(workspace.root, places);
  const record = ownRecord(workspace.root, records, places);
  const project = record ? await openWorkspace(record.repository, { stateDir: places.stateDir }) : workspace;
  return { workspace, project, record };
}

async function layeredOver(opened: WholeWorkspace, around: WieldOptions["around"]): Promise<WholeWorkspace> {
  try {
    return (await around?.(opened)) ?? opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** The folder of a worktree that has ended is gone, and the reason is known. */
function requirePresent(folder: string, records: WorktreeRecords): void {
  const record = records.at(folder);
  const end = record && endOf(record);
  if (record && end)
    throw new Failure(
      "FILE_NOT_FOUND",
      `${end} Its chats can be read in ${record.repository}; start a new one there.`,
    );
}

/** What is known of the worktree in this folder; undefined for any other folder. */
function ownRecord(
  root: string,
  records: WorktreeRecords,
  { worktreesDir }: Places,
): WorktreeRecord | undefined {
  requirePresent(root, records);
  const record = records.at(root);
  // The rules of its repository would not hold in it.
  if (!record && root.startsWith(`${realPlace(worktreesDir)}/`))
    throw new Failure(
      "PERMISSION_DENIED",
      `${root} is not a worktree that Wield knows. Open the repository instead.`,
    );
  return record;
}
