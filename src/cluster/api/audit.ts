import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { problemsIn } from "../../server/body.ts";
import { type AuditFilter, auditGroups, auditLines, exportAudit } from "../audit-log.ts";
import { type ApiRequest, type ApiRoute, json } from "./route.ts";

const words = z.string().min(1).max(200).optional();
const action = words.refine(
  (given) => given === undefined || auditGroups.some((group) => given.split(".")[0] === group),
  `There is no such action. Actions begin with ${auditGroups.join(", ")}.`,
);
const pageQuery = z.object({
  person: words,
  action,
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(500),
});
const exportQuery = z.object({ person: words, action, format: z.enum(["csv", "jsonl"]) });

/** Who did what. Lines are added and never changed. */
export const auditRoutes: readonly ApiRoute[] = [
  {
    ...{ method: "get", path: "/audit", reach: "admin" },
    summary: "Who did what, newest first. Query: `person`, `action`, `limit`, and `before` a line's seq",
    run: async ({ database }, request) => {
      const { before, limit, ...filter } = queryOf(request, pageQuery);
      return json(await auditLines(database.query, filter, { before, limit }));
    },
  },
  {
    ...{ method: "get", path: "/audit/export", reach: "admin" },
    summary: "The whole audit log as a file. Query: `format` (csv or jsonl), `person`, `action`",
    run: async ({ database }, request) => {
      const { format, ...filter } = queryOf(request, exportQuery) as AuditFilter & {
        format: "csv" | "jsonl";
      };
      const bytes = exportAudit(database.query, filter, format);
      return { file: { name: `audit.${format}`, bytes } };
    },
  },
];

/** Values without a meaning are refused: a filter that is left out would show more than was asked for. */
function queryOf<T>({ query }: ApiRequest, schema: z.ZodType<T>): T {
  const names = ["person", "action", "before", "limit", "format"];
  const given = names.flatMap((name) => {
    const value = query(name);
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  const checked = schema.safeParse(Object.fromEntries(given));
  if (!checked.success) throw new Failure("INVALID_INPUT", problemsIn(checked.error));
  return checked.data;
}
