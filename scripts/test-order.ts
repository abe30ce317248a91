// Which test files start first, and which have a process of their own.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const home = resolve(import.meta.dirname, "..");
const inCheckout = (files: readonly string[]) => files.map((file) => join(home, file));

// These start first: one that starts last keeps a single worker busy after all others have ended. A fresh clone has no
// earlier run to take the order from.
const longest = inCheckout([
  "src/server/page.test.ts",
  "src/app/package.test.ts",
  "src/web/browser/browser.test.ts",
  "src/server/page-views.test.ts",
  "src/app/exfiltration.test.ts",
  "src/cli/chat.test.ts",
  "src/agent/kill.test.ts",
  "src/agent/delegation-kill.test.ts",
  "src/sandbox/corpus/corpus.test.ts",
  "src/agent/limits.test.ts",
  "src/sandbox/sandbox.test.ts",
  "src/workspace/kill.test.ts",
  "src/tools/git/git.test.ts",
  "src/acp/acp.test.ts",
  "src/mcp/real-clients.test.ts",
  "src/tools/golden.test.ts",
  "src/server/page-documents.test.ts",
  "src/server/page-messages.test.ts",
  "src/cluster/trial.test.ts",
  "src/cluster/worker.test.ts",
  "src/tools/git/git-work.test.ts",
  "src/app/same-judgement.test.ts",
  "src/mcp/tasks.test.ts",
  "src/mcp/server.test.ts",
  "src/custom/custom-tools.test.ts",
  "src/cli/hostile-names.test.ts",
  "src/cli/fuzz.test.ts",
  "src/agent/true-text.test.ts",
  "src/tools/hidden-names.test.ts",
  "src/app/host-programs.test.ts",
  "src/tools/git/hostile-folders.test.ts",
  "src/approval/secrets-time.test.ts",
  "src/tools/files/shown-edits.test.ts",
  "src/tools/files/encoded-edits.test.ts",
]);

/**
 * Files that run in a process of their own: they measure it (memory, open files, children), change it (clock, environment,
 * certificates), or hardly load Wield. All others share processes, which load Wield once for many files.
 */
export const alone: readonly string[] = inCheckout([
  "src/agent/anthropic-wire.test.ts",
  "src/agent/delegation-kill.test.ts",
  "src/agent/kill.test.ts",
  "src/agent/limits.test.ts",
  "src/app/package.test.ts",
  "src/cli/serve.test.ts",
  "src/cluster/permitted-stream.test.ts",
  "src/code/syntax/extract.test.ts",
  "src/code/word-index/word-index.test.ts",
  "src/mcp/servers.test.ts",
  "src/process/run.test.ts",
  "src/runtime/isolation.test.ts",
  "src/sandbox/corpus/corpus.test.ts",
  "src/sandbox/proxy.test.ts",
  "src/sandbox/sandbox.test.ts",
  "src/sandbox/tool-server.test.ts",
  "src/server/listeners.test.ts",
  "src/approval/secrets-time.test.ts",
  "src/workspace/late-writes.test.ts",
  "src/web/browser/browser.test.ts",
  "src/web/research/tool-executor.test.ts",
  "src/web/transport.test.ts",
  "src/workspace/change-sets.test.ts",
  "src/workspace/files.test.ts",
  "src/workspace/jail.test.ts",
  "src/workspace/kill.test.ts",
  "src/workspace/race.test.ts",
  "src/workspace/roll-back.test.ts",
]);

const missing = [...longest, ...alone].filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`scripts/test-order.ts names files that do not exist: ${missing}`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      if (longest.includes(moduleId)) return longest.indexOf(moduleId);
      // Last, because between files that share a process they would end it.
      return longest.length + (alone.includes(moduleId) ? 1 : 0);
    };
    return sorted.sort((a, b) => place(a) - place(b));
  }
}
