/// <reference types="node" preserve="true" />
import "../app/require-node.ts";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { allNotes } from "../app/notes-files.ts";
import { placesFrom } from "../app/places.ts";
import { setTrust, trustSubject } from "../app/trust.ts";
import { createWield, type Wield, type WieldOptions } from "../app/wield.ts";
import type { Answer, Ask, Asker } from "../approval/approval.ts";
import { removeFolder } from "./remove-folder.ts";

/** A person whose answers are known beforehand; `asked` keeps what was put before them, step by step. */
export interface ScriptedPerson {
  asker: Asker;
  asked: Ask[][];
}

/** Answers in order, each a value or a function of the ask; more asks than answers is an error, never a silent yes. */
export function scriptedPerson(
  ...answers: (Answer | ((ask: Ask) => Answer | Promise<Answer>))[]
): ScriptedPerson {
  const left = [...answers];
  const asked: Ask[][] = [];
  return {
    asked,
    asker: async (asks) => {
      asked.push([...asks]);
      return Promise.all(
        asks.map(async (ask) => {
          const next = left.shift();
          if (next === undefined) throw new Error(`The scripted person has no answer left for ${ask.tool}.`);
          return typeof next === "function" ? next(ask) : next;
        }),
      );
    },
  };
}

export const yes: Answer = { approved: true };
export const no: Answer = { approved: false };

/** Wield on a temporary folder with its own settings and state: nothing else on the machine is read or changed. */
export interface TestWield {
  wield: Wield;
  root: string;
  env: Record<string, string>;
  read(path: string): string;
  write(path: string, content: string | Uint8Array): void;
  /** What `wield trust` does: the next Wield that is opened here trusts the folder as it is now. */
  trust(): Promise<void>;
  /** A file among the user's own settings, below `wield/`; returns its path. */
  writeConfig(path: string, content: string): string;
  /** A second Wield on the same folder and settings, as another process would open it. */
  reopen(options?: Partial<WieldOptions>): Promise<Wield>;
  close(): Promise<void>;
}

export async function testWield(
  files: Record<string, string | Uint8Array> = {},
  options: Partial<WieldOptions> = {},
): Promise<TestWield> {
  const home = mkdtempSync(join(tmpdir(), "wield-test-"));
  const root = join(home, "workspace");
  const compileCache = process.env["NODE_COMPILE_CACHE"];
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    // A command that is started with this environment would compile its modules anew for every home.
    ...(compileCache && { NODE_COMPILE_CACHE: compileCache }),
  };
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) write(path, content);
  const opened: Wield[] = [];
  const reopen = async (more: Partial<WieldOptions> = {}) => {
    const made = await createWield({ workspace: root, env, ...more });
    opened.push(made);
    await made.tools.ready();
    return made;
  };
  const wield = await reopen(options);
  return {
    wield,
    root,
    env,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    reopen,
    writeConfig: (path, content) => {
      const file = join(placesFrom(env).configDir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    trust: async () => {
      const { workspace } = wield;
      const notes = await allNotes(workspace);
      setTrust(placesFrom(env).trustFile, workspace.root, await trustSubject(workspace), notes);
    },
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      removeFolder(home);
    },
  };
}

export { type AnthropicServer, anthropicServer, type WireBlock, type WireReply } from "./anthropic-server.ts";
export { type ScriptedModel, type ScriptedReply, scriptedModel } from "./scripted-model.ts";
