import type { SurveyedFolder, SurveyedFolders } from "../../workspace/workspace.ts";
import { packFolders, unpackFolders } from "../word-index/later-files.ts";

/** The folders of a workspace before anything in it was changed, kept small: most workspaces wait for a long time, or are never searched. */
export class FirstLook {
  readonly #names: Buffer;
  readonly #numbers: Float64Array;

  constructor(folders: SurveyedFolders) {
    const { names, numbers } = packFolders([...folders.values()]);
    this.#names = Buffer.from(JSON.stringify(names));
    this.#numbers = numbers;
  }

  /** With the names of `known` where they are the same: workspaces that are alike share them. */
  folders(known: SurveyedFolders): SurveyedFolders {
    const bytes = new Uint8Array(this.#numbers.buffer, this.#numbers.byteOffset, this.#numbers.byteLength);
    const own = unpackFolders(JSON.parse(this.#names.toString()), bytes);
    return new Map(own.map((folder) => [folder.path, withNamesOf(known.get(folder.path), folder)]));
  }
}

const lists = ["rules", "folders", "files", "others"] as const;

function withNamesOf(known: SurveyedFolder | undefined, folder: SurveyedFolder): SurveyedFolder {
  const isSame =
    known &&
    lists.every(
      (list) =>
        known[list].length === folder[list].length &&
        known[list].every((name, at) => name === folder[list][at]),
    );
  if (!isSame) return folder;
  const { path, rules, folders, files, others } = known;
  return { ...folder, path, rules, folders, files, others };
}
