// Call a tool. The outcome holds a result (value or error), the text a model would read, and details for people.
import assert from "node:assert";
import { createWield } from "wield";

export async function firstCall(folder: string): Promise<void> {
  const wield = await createWield({ workspace: folder });

  const found = await wield.call("find_files", { pattern: "*.md" });
  assert(found.result.ok);
  assert.deepEqual(found.result.value, { paths: ["README.md"], total: 1 });
  assert.equal(found.text, "README.md");

  // A failure is a result too, never an exception.
  const missing = await wield.call("read_file", { path: "REDAME.md" });
  assert(!missing.result.ok);
  assert.equal(missing.result.error.code, "FILE_NOT_FOUND");

  await wield.close();
}
