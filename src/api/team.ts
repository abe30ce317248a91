/** What the page of a team shows besides sessions. Types only. */

export interface TeamStatusView {
  person: { name: string; role: "admin" | "member" | "viewer" | "bot" };
  projects: ProjectView[];
}

export interface ProjectView {
  id: string;
  name: string;
  /** Where sessions begin. */
  ref: string;
}

/** Everything that administrators look at. Cost is of this calendar month (UTC), by the price list of the workers. */
export interface TeamView {
  workers: WorkerView[];
  queue: { queued: number; active: number };
  /** Sessions by state. */
  states: { queued: number; running: number; waiting: number; idle: number };
  /** Open approval requests. */
  asks: number;
  sessions: TeamSessionView[];
  people: TeamPersonView[];
  cost: {
    month: CostSumView;
    /** US dollars a month; null: none. */
    limit: number | null;
    days: (CostSumView & { day: string })[];
    projects: (CostSumView & { name: string })[];
    models: (CostSumView & { name: string })[];
  };
}

export interface WorkerView {
  id: string;
  host: string;
  version: string;
  places: number;
  running: number;
  /** When it renewed last. */
  seen: string;
}

/** Those under way first, then the latest. */
export interface TeamSessionView {
  id: string;
  title: string;
  owner: string;
  project: string;
  state: "queued" | "running" | "waiting" | "idle";
  /** Why it stands still. */
  note: string | null;
  worker: string | null;
  usd: number;
  updated: string;
}

export interface TeamPersonView {
  name: string;
  role: string;
  sessions: number;
  active: number;
  usd: number;
  /** US dollars a month; null: none. */
  limit: number | null;
}

export interface CostSumView {
  usd: number;
  tokens: number;
  /** Steps of models without a known price: their cost is not in the sum. */
  unpriced: number;
}

export interface ScheduleView {
  id: string;
  name: string;
  project: string;
  owner: string;
  cron: string;
  /** Of the cron line. */
  zone: string;
  profile: string | null;
  prompt: string;
  next: string;
  last_at: string | null;
  last_session: string | null;
  /** Why its last session did not start. */
  problem: string | null;
}

export interface WebhookView {
  id: string;
  url: string;
  /** With commas between them. */
  events: string;
  last_at: string | null;
  /** How the last delivery was answered. */
  last_answer: string | null;
}

/** What came of a session. */
export interface TeamResultView {
  state: TeamSessionView["state"];
  note: string | null;
  /** The commit that it began with. */
  base: string | null;
  /** Where its result was pushed. */
  branch: string | null;
  project: string;
  shared: boolean;
}

export interface AuditView {
  seq: string;
  at: string;
  person: string;
  action: string;
  subject: string;
  detail: string;
}
