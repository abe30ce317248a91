import { z } from "zod";
import { projectFields, viewOfProject } from "../projects.ts";
import { team } from "../team.ts";
import { type ApiRoute, json } from "./route.ts";

const projectBody = z.strictObject(projectFields);
const changeBody = projectBody.omit({ name: true });

export const projectRoutes: readonly ApiRoute[] = [
  {
    ...{
      method: "get",
      path: "/projects",
      reach: "everybody",
      summary: "The repositories that sessions work on",
    },
    run: async ({ database }) => json((await team.projects(database.query)).map(viewOfProject)),
  },
  {
    ...{ method: "post", path: "/projects", reach: "admin", body: projectBody },
    summary: "Add a repository; a worker then looks whether it can be read",
    run: async ({ projects, teamChanged }, { person, body }) => {
      const added = await projects.add(person, await body(projectBody));
      teamChanged();
      return json(added, 201);
    },
  },
  {
    ...{ method: "post", path: "/projects/:project", reach: "admin", body: changeBody },
    summary: "Change the address and branch; sessions that have begun keep their commit",
    run: async ({ projects, teamChanged }, { person, param, body }) => {
      await projects.change(person, param("project"), await body(changeBody));
      teamChanged();
      return json({});
    },
  },
  {
    ...{ method: "post", path: "/projects/:project/check", reach: "admin" },
    summary: "Let a worker look again whether the repository can be read",
    run: async ({ projects }, { person, param }) => {
      await projects.checkAgain(person, param("project"));
      return json({}, 202);
    },
  },
  {
    ...{ method: "delete", path: "/projects/:project", reach: "admin" },
    summary: "Remove a project; its sessions can still be read",
    run: async ({ projects, teamChanged }, { person, param }) => {
      await projects.remove(person, param("project"));
      teamChanged();
      return json({});
    },
  },
];
