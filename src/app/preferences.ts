import type { Decision, Policy } from "../approval/decide.ts";
import { readingRules } from "../approval/reading.ts";
import type { Rule } from "../approval/rules.ts";
import { canonicalJson } from "../text/digest.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { LocalRules } from "./local-rules.ts";
import type { Places } from "./places.ts";
import {
  changeUserSettings,
  readWorkspaceSettings,
  type Settings,
  type SettingsInput,
  saveUserRule,
  settingsSchema,
} from "./settings.ts";
import { isTrusted } from "./trust.ts";

export type AgentSettings = Pick<Settings, "model" | "agent" | "prices" | "limits">;

interface Layers {
  /** The user's own file, as it is now. */
  user: Settings;
  /** The workspace's file; what it may say depends on `trusted`. */
  fromWorkspace: Settings;
  /** What the program passed. */
  own: Settings;
  trusted: boolean;
}

/** What holds in one workspace: settings and rules of the user, the workspace, the program and this session. */
export class Preferences implements Layers {
  user: Settings;
  readonly fromWorkspace: Settings;
  readonly own: Settings;
  readonly trusted: boolean;
  readonly #file: string;
  readonly #given: SettingsInput;
  readonly #root: string;
  readonly #local: LocalRules;
  readonly #session: Rule[] = [];

  private constructor(layers: Layers, { settingsFile, home }: Places, given: SettingsInput, root: string) {
    this.user = layers.user;
    this.fromWorkspace = layers.fromWorkspace;
    this.own = layers.own;
    this.trusted = layers.trusted;
    this.#file = settingsFile;
    this.#given = given;
    this.#root = root;
    this.#local = new LocalRules(root, home);
  }

  static async open(
    user: Settings,
    given: SettingsInput,
    workspace: Workspace,
    places: Places,
  ): Promise<Preferences> {
    const fromWorkspace = await readWorkspaceSettings(workspace);
    const trusted = await isTrusted(places.trustFile, workspace);
    const layers = { user, fromWorkspace, own: settingsSchema.parse(given), trusted };
    return new Preferences(layers, places, given, workspace.root);
  }

  /** A group of settings: the program's if it passed one, else the user's. */
  group<K extends "web" | "execution">(name: K): Settings[K] {
    return this.#given[name] ? this.own[name] : this.user[name];
  }

  get limits(): Settings["limits"] {
    const { readLines, tokensPerCall } = this.#given.limits ?? {};
    const tokens = tokensPerCall ?? this.user.limits.tokensPerCall;
    return {
      readLines: readLines ?? this.user.limits.readLines,
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

  policy(): Policy {
    return {
      user: this.#local.of([...this.user.rules, ...this.own.rules]),
      workspace: { rules: this.fromWorkspace.rules, trusted: this.trusted },
      session: this.#session,
    };
  }

  /** What the rules say about a tool that comes upon a path. */
  reading(tool: string, path: string): Decision {
    return readingRules(tool, this.policy())?.(path) ?? "allow";
  }

  change(change: (settings: SettingsInput) => SettingsInput): void {
    this.user = changeUserSettings(this.#file, change);
  }

  /** At once for this session; in the user's file only where it was asked for, and only for this workspace. */
  remember(rule: Rule, scope: "session" | "user"): void {
    this.#session.push(rule);
    if (scope === "user") this.user = saveUserRule(this.#file, { ...rule, workspace: this.#root });
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
    this.#session.splice(0, this.#session.length, ...changed(this.#session));
    this.change((settings) => ({ ...settings, rules: changed(settings.rules ?? []) }));
  }
}
