import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { audit, people, requireScope, requireScopesFor, scopes } from "../people.ts";
import { tokens } from "../tokens.ts";
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
    summary: "A further token of one's own; shown once. Without scopes it may what the token used may",
    run: async ({ database }, { person, body }) => {
      const { label, scopes: only = person.scopes, days } = await body(tokenBody);
      // A token cannot make one with more permissions than its own; one with scopes cannot make one that lasts longer.
      for (const scope of only ?? []) requireScope(person, scope);
      requireScopesFor(person, only);
      const latest = person.scopes ? person.expires : undefined;
      return json(
        await database.transaction(async (sql) => {
          await audit(sql, person.id, "token.add", person.id, aboutToken(only, label));
          return { token: await tokens.add(sql, person.id, { label, days, scopes: only, latest }) };
        }),
        201,
      );
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
    summary: "A further token for a person, such as for one who lost theirs; shown once",
    run: async ({ database }, { person, param, body }) => {
      const { label, scopes: only, days } = await body(tokenBody);
      return json(
        await database.transaction(async (sql) => {
          const owner = await people.named(sql, param("name"));
          requireScopesFor(owner, only);
          const { id } = owner;
          const detail = `acts for ${owner.name}: ${aboutToken(only, label)}`;
          await audit(sql, person.id, "token.add", id, detail);
          return { token: await tokens.add(sql, id, { label, days, scopes: only }) };
        }),
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

function aboutToken(only: readonly string[] | undefined, label = ""): string {
  return [only ? only.join(", ") : "all rights", label].filter(Boolean).join(": ");
}
