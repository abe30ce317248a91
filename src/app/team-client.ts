/// <reference types="node" preserve="true" />
// What `import … from "wield/team"` gives: the API of a team with its types.
import type { TeamRoutes } from "../api/team-routes.ts";

export type { TeamRoutes } from "../api/team-routes.ts";

export interface TeamClientOptions {
  /** Where the page of the team is, such as https://wield.example.org. */
  origin: string;
  token: string;
}

type Request<Route extends keyof TeamRoutes> = TeamRoutes[Route]["path"] &
  (TeamRoutes[Route]["body"] extends undefined
    ? { body?: undefined }
    : { body: TeamRoutes[Route]["body"] }) & {
    query?: Readonly<Record<string, string>>;
  };

/** A refusal, in the server's words. */
export class TeamError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "TeamError";
    this.status = status;
    this.code = code;
  }
}

/**
 * `const team = teamClient({ origin, token }); const { session } = await team("POST /sessions", { body: { text: "…" } });`
 */
export function teamClient({ origin, token }: TeamClientOptions) {
  return async <Route extends keyof TeamRoutes>(
    route: Route,
    request: Request<Route>,
  ): Promise<TeamRoutes[Route]["reply"]> => {
    const { body, query = {}, ...params } = request as { body?: unknown; query?: Record<string, string> };
    const [method = "GET", path = ""] = route.split(" ");
    const given = params as Record<string, string>;
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? ""));
    const url = new URL(`/api${filled}`, origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method !== "GET" && { "content-type": "application/json" }),
      },
      ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
    });
    if (answer.ok) return (await answer.json()) as TeamRoutes[Route]["reply"];
    const { error } = (await answer.json().catch(() => ({}))) as {
      error?: { code: string; message: string };
    };
    throw new TeamError(
      answer.status,
      error?.code ?? "UNAVAILABLE",
      error?.message ?? `Status ${answer.status}`,
    );
  };
}
