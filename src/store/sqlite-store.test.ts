import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "./sqlite-store.ts";
import { storeContract } from "./store.suite.ts";

storeContract("the SQLite store", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wield-store-"));
  const file = join(folder, "wield.db");
  const stores: [ReturnType<typeof openSqliteStore>, ReturnType<typeof openSqliteStore>] = [
    openSqliteStore(file),
    openSqliteStore(file),
  ];
  return {
    stores,
    close: async () => {
      for (const store of stores) store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
