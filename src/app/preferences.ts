import type { RememberScope } from "../approval/approval.ts";
import type { Decision, Policy } from "../approval/decide.ts";
import type { PermissionMode } from "../approval/modes.ts";
import { readingRules } from "../approval/reading.ts";
import { withRule } from "../approval/remembered-rules.ts";
import type { Rule } from "../approval/rules.ts";
import { canonicalJson } from "../text/digest.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { defaultSettings } from "./default-settings.ts";
import { LocalRules } from "./local-rules.ts";
import type { Places } from "./places.ts";
import type { Settings, SettingsInput } from "./settings.ts";
import { UserSettingsFile, WorkspaceSettingsFile } from "./settings-files.ts";
import { settingsSchema } from "./settings-schema.ts";

export type AgentSettings = Pick<Settings, "model" | "agent" | "prices" | "limits">;

/** What holds in one workspace: settings and rules of the user, the workspace, the program and this session. */
export class Preferences {
  readonly #user: UserSettingsFile;
  readonly #workspace: WorkspaceSettingsFile;
  /** What the program passed. */
  readonly own: Settings;
  readonly #given: SettingsInput;
  readonly #root: string;
  readonly #local: LocalRules;
  /** What was remembered until this process ends, by session. */
  readonly #remembered = new Map<string, readonly Rule[]>();

  private constructor(
    user: UserSettingsFile,
    workspace: WorkspaceSettingsFile,
    given: SettingsInput,
    root: string,
    local: LocalRules,
  ) {
    this.#user = user;
    this.#workspace = workspace;
    this.own = Object.keys(given).length === 0 ? defaultSettings : settingsSchema.parse(given);
    this.#given = given;
    this.#root = root;
    this.#local = local;
  }

  /** A worktree follows the settings, rules, mode and trust of its `project`; `root` is where its own files are. */
  static async open(
    user: Settings,
    given: SettingsInput,
    project: Workspace,
    places: Places,
    root = project.root,
  ): Promise<Preferences> {
    const file = new UserSettingsFile(places.settingsFile, user);
    const ofWorkspace = await WorkspaceSettingsFile.open(project, places.trustFile);
    const local = new LocalRules(project.root, places.home, root);
    return new Preferences(file, ofWorkspace, given, project.root, local);
  }

  /** The user's own file, as it is now. */
  get user(): Settings {
    return this.#user.settings;
  }

  /** The workspace's file; what it may say depends on `trusted`. */
  get fromWorkspace(): Settings {
    return this.#workspace.settings;
  }

  /** As it was when the workspace's files were last looked at. */
  get trusted(): boolean {
    return this.#workspace.trusted;
  }

  async isTrustedNow(): Promise<boolean> {
    await this.#workspace.refresh();
    return this.trusted;
  }

  /** What is wrong with a settings file that was edited while Wield runs; one per line. */
  problems(): string[] {
    return [this.#user.problem, this.#workspace.problem].flatMap((problem) => problem ?? []);
  }

  /** A group of settings: the program's if it passed one, else the user's. */
  group<K extends "web" | "execution" | "flow" | "approvals" | "telemetry">(name: K): Settings[K] {
    return this.#given[name] ? this.own[name] : this.user[name];
  }

  get limits(): Settings["limits"] {
    const { readLines, tokensPerCall } = this.#given.limits ?? {};
    const tokens = tokensPerCall ?? this.#user.lastRead.limits.tokensPerCall;
    return {
      readLines: readLines ?? this.#user.lastRead.limits.readLines,
      ...(tokens !== undefined && { tokensPerCall: tokens }),
    };
  }

  get model(): string | undefined {
    return this.#given.model ?? this.user.model;
  }

  forAgents(): AgentSettings {
    const { agent, prices } = this.#given;
    const { user, limits, model } = this;
    return settingsSchema.parse({
      ...{ model, limits },
      agent: { ...user.agent, ...agent },
      prices: { ...user.prices, ...prices },
    });
  }

  /** The rules in force, after a look at both settings files. */
  async currentPolicy(): Promise<Policy> {
    await this.#workspace.refresh();
    return this.policy();
  }

  /** What was remembered for one session, or in all of them. */
  rulesOf(session: string | undefined): readonly Rule[] {
    if (session !== undefined) return this.#remembered.get(session) ?? [];
    return [...this.#remembered.values()].flat().reduce(withRule, [] as readonly Rule[]);
  }

  /** The same with the workspace's file as it was when it was last looked at; without what sessions remember. */
  policy(): Policy {
    return {
      user: this.#local.of([...this.#user.rules, ...this.own.rules]),
      workspace: { rules: this.fromWorkspace.rules, trusted: this.trusted },
      session: [],
    };
  }

  /** The mode that the person chose for this folder; the folder's own settings have no say in it. */
  get folderMode(): PermissionMode | undefined {
    return this.user.modes[this.#root];
  }

  setFolderMode(mode: PermissionMode): void {
    this.change((settings) => ({ ...settings, modes: { ...settings.modes, [this.#root]: mode } }));
  }

  /** What the rules in force say about a tool that finds paths: for many of them. */
  readingRules(tool: string): (path: string) => Decision {
    return readingRules(tool, this.policy()) ?? (() => "allow");
  }

  /** The same for one path. */
  reading(tool: string, path: string): Decision {
    return this.readingRules(tool)(path);
  }

  change(change: (settings: SettingsInput) => SettingsInput): void {
    this.#user.change(change);
  }

  /** Adds the rules to this session; with scope `user` also to the user's settings file, for this workspace. Skips duplicates. */
  remember(rules: readonly Rule[], scope: RememberScope, session: string): void {
    this.#remembered.set(session, rules.reduce(withRule, this.rulesOf(session)));
    if (scope === "user") this.#user.add(rules.map((rule) => ({ ...rule, workspace: this.#root })));
  }

  forget(rule: Rule, instead?: Rule): void {
    const { workspace: _, ...bare } = rule;
    const same = ({ workspace: where, ...other }: Rule) =>
      (where === undefined || where === this.#root) && canonicalJson(other) === canonicalJson(bare);
    const changed = (rules: readonly Rule[]) =>
      rules.flatMap((known) => {
        if (!same(known)) return [known];
        const { workspace: where } = known;
        return instead ? [{ ...instead, ...(where !== undefined && { workspace: where }) }] : [];
      });
    for (const [session, rules] of this.#remembered) this.#remembered.set(session, changed(rules));
    this.change((settings) => ({ ...settings, rules: changed(settings.rules ?? []) }));
  }
}
