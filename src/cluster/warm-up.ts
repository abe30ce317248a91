import { join } from "node:path";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createWield } from "../app/wield.ts";
import { ensureDirectory, removeFolder } from "../workspace/state-files.ts";
import { sessionTools } from "./session-wield.ts";

/**
 * Loads and compiles what every session uses, by opening one on an empty folder in `place`. Otherwise the first sessions wait for it, and those
 * are often the ones of a worker that died.
 */
export async function warmUp(place: string, path: string | undefined): Promise<void> {
  const [workspace, home] = [join(place, "files"), join(place, "home")];
  ensureDirectory(workspace);
  ensureDirectory(home);
  try {
    const wield = await createWield({
      ...{ workspace, durable: false, sharedMachine: true, tools: sessionTools },
      // None of the settings, servers or models of this machine's user are used.
      env: { PATH: path, HOME: home },
    });
    try {
      await wield.agent({ model: noModel });
    } finally {
      await wield.close();
    }
  } finally {
    removeFolder(place);
  }
}

const noModel: LanguageModelV4 = {
  ...{ specificationVersion: "v4", provider: "none", modelId: "none", supportedUrls: {} },
  doGenerate: refuse,
  doStream: refuse,
};

async function refuse(): Promise<never> {
  throw new Error("Nothing is asked while a worker starts.");
}
