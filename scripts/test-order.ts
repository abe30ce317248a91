// The test files that take longest, longest first. They start first: one that starts last keeps a single worker busy
// after all others have ended. A fresh clone has no earlier run to take the order from.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const home = resolve(import.meta.dirname, "..");
const longest = [
  "src/server/page.test.ts",
  "src/app/package.test.ts",
  "src/web/browser/browser.test.ts",
  "src/server/page-views.test.ts",
  "src/app/exfiltration.test.ts",
  "src/cli/chat.test.ts",
  "src/agent/kill.test.ts",
  "src/tools/git/git.test.ts",
  "src/acp/acp.test.ts",
  "src/sandbox/corpus/corpus.test.ts",
  "src/mcp/real-clients.test.ts",
  "src/agent/delegation-kill.test.ts",
  "src/tools/golden.test.ts",
  "src/server/page-documents.test.ts",
  "src/server/page-messages.test.ts",
  "src/cluster/trial.test.ts",
  "src/cluster/worker.test.ts",
  "src/tools/git/git-work.test.ts",
  "src/agent/limits.test.ts",
  "src/sandbox/sandbox.test.ts",
  "src/app/same-judgement.test.ts",
  "src/mcp/server.test.ts",
  "src/workspace/kill.test.ts",
  "src/custom/custom-tools.test.ts",
].map((file) => join(home, file));

const missing = longest.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`scripts/test-order.ts names files that do not exist: ${missing}`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) =>
      longest.includes(moduleId) ? longest.indexOf(moduleId) : longest.length;
    return sorted.sort((a, b) => place(a) - place(b));
  }
}
