import { z } from "zod";
import { type ApiRoute, scopeOf } from "./api/route.ts";

/** The API as an OpenAPI description, from the same table that answers the requests. */
export function describeApi(routes: readonly ApiRoute[], version: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, summary, body, reach } of routes) {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
    const at = `/api${path.replaceAll(/:(\w+)/g, "{$1}")}`;
    paths[at] ??= {};
    paths[at][method] = {
      summary,
      description: `Needs: ${needs[reach]}. Scope: ${scopeOf({ method, reach })}.`,
      parameters: named.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...(body && {
        requestBody: { required: true, content: { "application/json": { schema: z.toJSONSchema(body) } } },
      }),
      responses: {
        "200": { description: "Done" },
        "401": { description: "Not signed in" },
        "404": { description: "Not there, or not for this person" },
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Wield", version },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
    paths,
  };
}

const needs: Record<ApiRoute["reach"], string> = {
  everybody: "a token",
  reader: "the session is one's own or shared",
  owner: "one's own session",
  answerer: "the question belongs to one's own session",
  admin: "the role admin",
};
