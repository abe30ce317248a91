import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";
import type { Database } from "./database.ts";

export const stepStates = ["pending", "in_progress", "done", "failed", "skipped"] as const;
export type StepState = (typeof stepStates)[number];

export interface PlanStep {
  id: string;
  text: string;
  status: StepState;
  note?: string;
}

export interface Plan {
  id: string;
  title: string;
  steps: PlanStep[];
  updated: string;
}

export interface PlanChange {
  set?: { stepId: string; status: StepState; note?: string };
  add?: { text: string; after?: string };
  remove?: string;
  /** All step ids in their new order. */
  reorder?: readonly string[];
}

/** The plans of one workspace; the one made last is the current one. */
export interface Plans {
  create(title: string, steps: readonly string[]): Plan;
  current(): Plan | undefined;
  change(change: PlanChange): Plan;
}

const schema = `
  CREATE TABLE IF NOT EXISTS plans (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, workspace TEXT NOT NULL, title TEXT NOT NULL, steps TEXT NOT NULL,
    updated TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS plans_by_workspace ON plans (workspace, seq);
`;

export function openPlans(db: Database, workspace: string): Plans {
  db.exec(schema);
  const current = (): Plan | undefined => {
    const row = db
      .sql("SELECT id, title, steps, updated FROM plans WHERE workspace = ? ORDER BY seq DESC LIMIT 1")
      .get(workspace);
    return row && ({ ...row, steps: JSON.parse(String(row["steps"])) } as unknown as Plan);
  };
  return {
    current,
    create: (title, texts) => {
      const steps = texts.map((text, i): PlanStep => ({ id: String(i + 1), text, status: "pending" }));
      const plan = {
        id: newId("p"),
        title,
        steps,
        updated: new Date().toISOString(),
      };
      db.sql("INSERT INTO plans (id, workspace, title, steps, updated) VALUES (?, ?, ?, ?, ?)").run(
        plan.id,
        workspace,
        title,
        JSON.stringify(steps),
        plan.updated,
      );
      return plan;
    },
    change: (change) =>
      db.alone(() => {
        const plan = current();
        if (!plan) throw new Failure("FILE_NOT_FOUND", "There is no plan yet. Make one with createPlan.");
        const steps = changed(plan.steps, change);
        const updated = new Date().toISOString();
        db.sql("UPDATE plans SET steps = ?, updated = ? WHERE id = ?").run(
          JSON.stringify(steps),
          updated,
          plan.id,
        );
        return { ...plan, steps, updated };
      }),
  };
}

function changed(before: readonly PlanStep[], { set, add, remove, reorder }: PlanChange): PlanStep[] {
  let steps = before.map((step) => ({ ...step }));
  const at = (id: string) => {
    const index = steps.findIndex((step) => step.id === id);
    if (index < 0) {
      const known = steps.map((step) => step.id).join(", ");
      throw new Failure(
        "INVALID_INPUT",
        `The plan has no step ${JSON.stringify(id)}; its steps are ${known}.`,
      );
    }
    return index;
  };
  if (set) {
    const { stepId, status, note } = set;
    const index = at(stepId);
    steps[index] = { ...(steps[index] as PlanStep), status, ...(note !== undefined && { note }) };
  }
  if (add) {
    const id = String(Math.max(0, ...steps.map((step) => Number(step.id))) + 1);
    const index = add.after === undefined ? steps.length : at(add.after) + 1;
    steps.splice(index, 0, { id, text: add.text, status: "pending" });
  }
  if (remove !== undefined) steps.splice(at(remove), 1);
  if (reorder) {
    if (new Set(reorder).size !== steps.length || reorder.length !== steps.length) {
      throw new Failure("INVALID_INPUT", `Name all ${steps.length} steps once each in their new order.`);
    }
    steps = reorder.map((id) => steps[at(id)] as PlanStep);
  }
  return steps;
}
