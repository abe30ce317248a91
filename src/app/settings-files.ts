import { join } from "node:path";
import type { Rule } from "../approval/rules.ts";
import { fileState } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  changeUserSettings,
  readUserSettings,
  readWorkspaceSettings,
  type Settings,
  type SettingsInput,
  saveUserRules,
  workspaceSettingsPath,
} from "./settings.ts";
import { isTrusted } from "./trust.ts";

/** The user's settings, followed while Wield runs: what is edited holds from the next call on. */
export class UserSettingsFile {
  readonly #file: string;
  #settings: Settings;
  #state: string;
  #problem: string | undefined;
  #isFresh = false;

  constructor(file: string, settings: Settings) {
    this.#file = file;
    this.#settings = settings;
    this.#state = fileState(file);
  }

  get settings(): Settings {
    this.#refresh();
    return this.#settings;
  }

  /** As they were when they were last looked at, which every call does. */
  get lastRead(): Settings {
    return this.#settings;
  }

  /**
   * The rules of the last valid file. While the present one cannot be read, those that allow do not count: they may have
   * been taken back.
   */
  get rules(): readonly Rule[] {
    const { rules } = this.settings;
    return this.#problem === undefined ? rules : rules.filter(({ decision }) => decision !== "allow");
  }

  get problem(): string | undefined {
    this.#refresh();
    return this.#problem;
  }

  change(change: (settings: SettingsInput) => SettingsInput): void {
    this.#adopt(changeUserSettings(this.#file, change));
  }

  add(rules: readonly Rule[]): void {
    this.#adopt(saveUserRules(this.#file, rules));
  }

  #adopt(settings: Settings): void {
    this.#settings = settings;
    this.#state = fileState(this.#file);
    this.#problem = undefined;
  }

  /** Looks at the file at most once in a synchronous run: a list of tools asks about each of them. */
  #refresh(): void {
    if (this.#isFresh) return;
    this.#isFresh = true;
    queueMicrotask(() => {
      this.#isFresh = false;
    });
    const state = fileState(this.#file);
    if (state === this.#state) return;
    this.#state = state;
    try {
      this.#settings = readUserSettings(this.#file);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = `${(error as Error).message} Until then, its rules that allow something do not count.`;
    }
  }
}

/** The workspace's own settings, followed in the same way. They are hostile until the person trusts them as they are. */
export class WorkspaceSettingsFile {
  readonly #workspace: Workspace;
  readonly #trustFile: string;
  #state: string;
  #refreshing: Promise<void> | undefined;
  settings: Settings;
  trusted: boolean;
  problem: string | undefined;

  private constructor(
    workspace: Workspace,
    trustFile: string,
    settings: Settings,
    trusted: boolean,
    state: string,
  ) {
    this.#workspace = workspace;
    this.#trustFile = trustFile;
    this.#state = state;
    this.settings = settings;
    this.trusted = trusted;
  }

  static async open(workspace: Workspace, trustFile: string): Promise<WorkspaceSettingsFile> {
    const state = stateOf(workspace, trustFile);
    const settings = await readWorkspaceSettings(workspace);
    return new WorkspaceSettingsFile(
      workspace,
      trustFile,
      settings,
      await isTrusted(trustFile, workspace),
      state,
    );
  }

  /** Trust holds for all files that it covers, and any of them may have changed, been added or removed. */
  async refresh(): Promise<void> {
    const isSame = stateOf(this.#workspace, this.#trustFile) === this.#state;
    if (isSame && (await isTrusted(this.#trustFile, this.#workspace)) === this.trusted) return;
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** A file that cannot be read may hold a `deny`: the last valid rules stay, and may only tighten. */
  async #read(): Promise<void> {
    const state = stateOf(this.#workspace, this.#trustFile);
    try {
      const settings = await readWorkspaceSettings(this.#workspace);
      this.trusted = await isTrusted(this.#trustFile, this.#workspace);
      this.settings = settings;
      this.problem = undefined;
    } catch (error) {
      this.trusted = false;
      this.problem = `${(error as Error).message} Until then, its earlier rules hold as far as they restrict.`;
    }
    this.#state = state;
  }
}

/** Only whether something changed is taken from these; what the files say is read through the workspace. */
function stateOf({ root }: Workspace, trustFile: string): string {
  return `${fileState(join(root, workspaceSettingsPath))} / ${fileState(trustFile)}`;
}
