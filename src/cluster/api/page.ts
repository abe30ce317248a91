import { profileNames, profiles } from "../../agent/profiles.ts";
import type { StatusView } from "../../api/api.ts";
import { knownKeys } from "../../app/keys.ts";
import { modeTexts, permissionModes } from "../../approval/modes.ts";
import { Failure } from "../../failure/failure.ts";
import type { Sql } from "../../store/postgres-database.ts";
import type { Person } from "../people.ts";
import { whilePermitted } from "../permitted-stream.ts";
import { viewOfProject } from "../projects.ts";
import { listSecrets } from "../secrets.ts";
import { team } from "../team.ts";
import { tokens } from "../tokens.ts";
import { type ApiParts, type ApiRoute, json } from "./route.ts";

/** Routes that the page needs besides sessions. */
export const pageApiRoutes: readonly ApiRoute[] = [
  {
    ...{ method: "get", path: "/status", reach: "everybody", summary: "What the page needs to know first" },
    run: async (parts, { person }) => json(await statusFor(parts, person)),
  },
  {
    ...{
      method: "get",
      path: "/events",
      reach: "reader",
      summary: "Live events; with `session`, those of one session",
    },
    run: async (
      { database, sessions, followers, feedOf, openStream },
      { person, query, header, onLeave },
    ) => {
      const session = query("session");
      const permitted = async () => {
        // Read again: the token may be revoked by now, or the person an admin no more.
        const now = await tokens.stillValid(database.query, person);
        if (!now) throw new Failure("PERMISSION_DENIED", "This token is no longer valid.");
        if (session !== undefined) await sessions.visible(now, session);
      };
      await permitted();
      onLeave(openStream(person));
      if (session !== undefined) onLeave(followers.follow(session));
      return { stream: whilePermitted(feedOf(person).read(session, header("last-event-id")), permitted) };
    },
  },
  {
    ...{ method: "get", path: "/models", reach: "everybody", summary: "Models by name" },
    run: async () => json({ names: [] }),
  },
  {
    ...{ method: "get", path: "/files", reach: "everybody", summary: "Paths to mention: none" },
    run: async () => json([]),
  },
];

/** The workers decide which one that is: the last that a session used which had not chosen any. */
async function defaultModel(sql: Sql): Promise<string> {
  const [last] = await sql(
    `SELECT s.model FROM spending s JOIN team_sessions t ON t.session = s.top
     WHERE t.model IS NULL ORDER BY s.at DESC LIMIT 1`,
  );
  return last ? `Default: ${String(last["model"])}` : "Default model";
}

async function statusFor({ database, version }: ApiParts, person: Person): Promise<StatusView> {
  const projects = await team.projects(database.query);
  const saved = new Set((await listSecrets(database.query, person.id)).map(({ name }) => name));
  return {
    permissionModes: permissionModes.map((name) => ({ name, ...modeTexts[name] })),
    permissionMode: "ask",
    profiles: profileNames.map((known) => {
      const { name, label, hint } = profiles[known];
      return { name, label, hint };
    }),
    workspace: projects.map(({ name }) => name).join(", ") || "no project yet",
    trusted: false,
    version,
    model: await defaultModel(database.query),
    modelError: false,
    problems: [],
    team: {
      person: { name: person.name, role: person.role },
      projects: projects.map(viewOfProject),
      hasModelKey: knownKeys().some(({ kind, variable }) => kind === "model" && saved.has(variable)),
    },
  };
}
