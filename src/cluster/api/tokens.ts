import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import type { Sql } from "../../store/postgres-database.ts";
import { audit, type Person, people, scopes } from "../people.ts";
import { type NewToken, tokens } from "../tokens.ts";
import { type ApiRoute, json } from "./route.ts";

const tokenBody = z.strictObject({
  label: z.string().trim().max(100).optional(),
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).optional(),
  days: z.number().int().min(1).max(365).optional(),
});

/** Tokens: one's own, and for administrators those of everybody. */
export const tokenRoutes: readonly ApiRoute[] = [
  {
    ...{ method: "get", path: "/tokens", reach: "everybody", summary: "One's own tokens; never their text" },
    run: async ({ database }, { person }) => json(await tokens.list(database.query, person.id, person.token)),
  },
  {
    ...{ method: "post", path: "/tokens", reach: "everybody", body: tokenBody },
    summary:
      "A further token of one's own; shown once. Without scopes it has those of the token that is used",
    run: async ({ database }, { person, body }) => {
      const given = await body(tokenBody);
      return json(await database.transaction((sql) => addToken(sql, person, person, given)), 201);
    },
  },
  {
    ...{ method: "delete", path: "/tokens/:token", reach: "everybody", summary: "End a token of one's own" },
    run: async ({ database }, { person, param }) => {
      // Whoever found a token with few rights must not lock its person out.
      if (person.scopes && param("token") !== person.token)
        throw new Failure("PERMISSION_DENIED", "A token with scopes can end itself and no other.");
      await database.transaction(async (sql) => {
        const ended = await tokens.revoke(sql, person.id, param("token"));
        await audit(sql, person.id, "token.revoke", person.id, ended);
      });
      return json({});
    },
  },
  {
    ...{ method: "get", path: "/people/:name/tokens", reach: "admin", summary: "The tokens of a person" },
    run: async ({ database }, { person, param }) => {
      const { id } = await people.named(database.query, param("name"));
      return json(await tokens.list(database.query, id, person.token));
    },
  },
  {
    ...{ method: "post", path: "/people/:name/tokens", reach: "admin", body: tokenBody },
    summary:
      "A further token for a person, such as for one who lost theirs; shown once. Without scopes it has those of the token that is used",
    run: async ({ database }, { person, param, body }) => {
      const given = await body(tokenBody);
      return json(
        await database.transaction(async (sql) =>
          addToken(sql, person, await people.named(sql, param("name")), given),
        ),
        201,
      );
    },
  },
  {
    ...{
      method: "delete",
      path: "/people/:name/tokens/:token",
      reach: "admin",
      summary: "End a token of a person",
    },
    run: async ({ database }, { person, param }) => {
      await database.transaction(async (sql) => {
        const { id } = await people.named(sql, param("name"));
        const ended = await tokens.revoke(sql, id, param("token"));
        await audit(sql, person.id, "token.revoke", id, ended);
      });
      return json({});
    },
  },
];

async function addToken(sql: Sql, by: Person, owner: Person, given: NewToken): Promise<{ token: string }> {
  const { token, scopes: only } = await tokens.addBy(sql, by, owner, given);
  const whose = by.id === owner.id ? "" : `acts for ${owner.name}: `;
  await audit(sql, by.id, "token.add", owner.id, `${whose}${aboutToken(only, given.label)}`);
  return { token };
}

function aboutToken(only: readonly string[] | undefined, label = ""): string {
  return [only ? only.join(", ") : "all rights", label].filter(Boolean).join(": ");
}
