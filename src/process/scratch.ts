import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder outside any workspace, with the given files in it; disposing it removes it. */
export class Scratch implements Disposable {
  readonly path: string;

  constructor(files: Readonly<Record<string, string>> = {}, mode = 0o644) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "wield-")));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content, { mode });
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
