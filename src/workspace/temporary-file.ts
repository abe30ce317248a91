import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lets another program edit a private temporary file; returns its content and removes it. */
export async function withTemporaryFile(
  name: string,
  content: string,
  use: (path: string) => Promise<void>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wield-"));
  try {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    await use(path);
    return readFileSync(path, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
