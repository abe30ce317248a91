import { approvalRoutes } from "./api/approvals.ts";
import { auditRoutes } from "./api/audit.ts";
import { automationRoutes } from "./api/automation.ts";
import { keyRoutes } from "./api/keys.ts";
import { operationRoutes } from "./api/operation.ts";
import { pageApiRoutes } from "./api/page.ts";
import { peopleRoutes } from "./api/people.ts";
import { projectRoutes } from "./api/projects.ts";
import type { ApiRoute } from "./api/route.ts";
import { sessionControlRoutes } from "./api/session-control.ts";
import { sessionRoutes } from "./api/sessions.ts";
import { tokenRoutes } from "./api/tokens.ts";

/** The API of a team: it answers requests, is described by OpenAPI, and generates the test that tries each route as others. */
export const apiRoutes: readonly ApiRoute[] = [
  ...pageApiRoutes,
  ...sessionRoutes,
  ...sessionControlRoutes,
  ...approvalRoutes,
  ...projectRoutes,
  ...peopleRoutes,
  ...tokenRoutes,
  ...keyRoutes,
  ...automationRoutes,
  ...operationRoutes,
  ...auditRoutes,
];
