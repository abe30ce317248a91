/** What routes answer with, as types of `api/`; a route that is not named answers with an empty object. */
export const replies: Readonly<Record<string, string>> = {
  "GET /status": "StatusView",
  "GET /sessions": "SessionSummary[]",
  "POST /sessions": "{ session: string }",
  "GET /sessions/:id": "SessionView",
  "GET /sessions/:id/queue": "QueuedView[]",
  "POST /sessions/:id/queue/:message/take": "{ text: string }",
  "GET /sessions/:id/model": "SessionModelView",
  "GET /sessions/:id/mode": "SessionModeView",
  "GET /sessions/:id/result": "TeamResultView",
  "GET /sessions/:id/changes": "never[]",
  "GET /approvals": "OpenView",
  "GET /models": "ModelsView",
  "GET /files": "string[]",
  "GET /projects": "ProjectView[]",
  "POST /projects": "{ id: string; name: string }",
  "GET /people": "{ id: string; name: string; role: string }[]",
  "POST /people": "{ id: string; name: string; role: string; token: string }",
  "POST /tokens": "{ token: string }",
  "GET /keys": "{ name: string; team: boolean }[]",
  "GET /schedules": "ScheduleView[]",
  "POST /schedules": "{ id: string; next: string }",
  "GET /webhooks": "WebhookView[]",
  "POST /webhooks": "{ id: string; secret: string }",
  "GET /team": "TeamView",
  "GET /workers": "{ workers: WorkerView[]; queued: number; active: number }",
  "GET /audit": "AuditView[]",
};

/** They answer with a stream or a file, which the typed client does not read. */
export const withoutJson: ReadonlySet<string> = new Set([
  "GET /events",
  "GET /sessions/:id/patch",
  "GET /calls/:id/files/:index",
]);
