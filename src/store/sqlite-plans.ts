import { Failure } from "../failure/failure.ts";
import type { Database } from "./database.ts";
import { changedSteps, newSteps, type Plan, type Plans } from "./plans.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS plans (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, workspace TEXT NOT NULL, title TEXT NOT NULL, steps TEXT NOT NULL,
    updated TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS plans_by_workspace ON plans (workspace, seq);
`;
const columns = "SELECT id, title, steps, updated FROM plans";

export function sqlitePlans(store: Database, workspace: string): Plans {
  const db = store.withTables(schema);
  const current = () =>
    planOf(db.sql(`${columns} WHERE workspace = ? ORDER BY seq DESC LIMIT 1`).get(workspace));
  return {
    current: async () => current(),
    create: async ({ id, title, steps: texts }) =>
      db.transaction(() => {
        const known = planOf(db.sql(`${columns} WHERE workspace = ? AND id = ?`).get(workspace, id));
        if (known) return known;
        const plan = { id, title, steps: newSteps(texts), updated: new Date().toISOString() };
        db.sql("INSERT INTO plans (id, workspace, title, steps, updated) VALUES (?, ?, ?, ?, ?)").run(
          ...[id, workspace, title, JSON.stringify(plan.steps), plan.updated],
        );
        return plan;
      }),
    change: async (change) =>
      db.transaction(() => {
        const plan = current();
        if (!plan) throw new Failure("FILE_NOT_FOUND", "There is no plan yet. Make one with createPlan.");
        const steps = changedSteps(plan.steps, change);
        const updated = new Date().toISOString();
        db.sql("UPDATE plans SET steps = ?, updated = ? WHERE id = ?").run(
          ...[JSON.stringify(steps), updated, plan.id],
        );
        return { ...plan, steps, updated };
      }),
  };
}

function planOf(row: Record<string, unknown> | undefined): Plan | undefined {
  return row && ({ ...row, steps: JSON.parse(String(row["steps"])) } as unknown as Plan);
}
