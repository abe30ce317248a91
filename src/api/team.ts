/** What the page of a team shows besides sessions. Types only. */
import type { StopReason } from "../events/agent-events.ts";

export interface TeamStatusView {
  person: { name: string; role: "admin" | "member" | "viewer" | "bot" };
  projects: ProjectView[];
  /** The team or this person has saved the key of a model provider. */
  hasModelKey: boolean;
}

export interface ProjectView {
  id: string;
  name: string;
  /** Where sessions begin. */
  ref: string;
  /** False: a worker found that it cannot be used. */
  readable: boolean;
}

/** Everything that administrators look at. Cost is of this calendar month (UTC), by the price list of the workers. */
export interface TeamView {
  workers: WorkerView[];
  queue: { queued: number; active: number };
  /** Sessions by state. */
  states: { queued: number; running: number; waiting: number; idle: number };
  /** What waits for people: open approval requests and questions of agents. */
  asks: number;
  sessions: TeamSessionView[];
  people: TeamPersonView[];
  projects: TeamProjectView[];
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
  /** It has not renewed for the time of a lease: others continue its sessions. */
  lost: boolean;
}

/** Those under way first, then the latest. */
export interface TeamSessionView extends RunEndView {
  id: string;
  /** Empty for a private session of somebody else. */
  title: string;
  private?: boolean;
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

/** How the last run of a session ended; null while it runs, or if it never ran. */
export interface RunEndView {
  ended: StopReason | null;
  /** What went wrong, or which limit it reached. */
  error: string | null;
}

/** What came of a session, and who sees it. */
export interface TeamResultView extends RunEndView {
  /** Who started it. */
  owner: string;
  /** Whether that is the person who asks. */
  own: boolean;
  /** Whether it has changed files, so that there is a patch. */
  hasPatch: boolean;
  state: TeamSessionView["state"];
  note: string | null;
  /** The commit that it began with. */
  base: string | null;
  /** Where its result was pushed. */
  branch: string | null;
  /** The address of the pull request, or merge request, for that branch. */
  pullRequest: string | null;
  /** Whether the project may be on a service that has pull requests. */
  mayRequest: boolean;
  /** The id of its project, and its name. */
  project: string;
  projectName: string;
  /** Everybody in the team can read it. */
  shared: boolean;
}

export interface AuditView {
  seq: string;
  at: string;
  /** The id of a person, or what stands for one, such as "command line". */
  person: string;
  /** Their name. */
  name: string;
  action: string;
  subject: string;
  /** The name of the subject where it is a person or a schedule, else the subject. */
  about: string;
  detail: string;
}

/** A project as administrators see it. */
export interface TeamProjectView extends ProjectView {
  /** Without a password. */
  url: string;
  sessions: number;
  /** What becomes of changes. */
  result: "branch" | "pull-request";
  /** When a worker looked at it last; null: none has yet. */
  checked: string | null;
  /** Why sessions cannot work on it. */
  problem: string | null;
}

/** A token; its text is shown only when it is made. */
export interface TokenView {
  id: string;
  /** What it is for, in its person's words. */
  label: string;
  /** Null: all rights of its person. */
  scopes: ("read" | "write" | "approve" | "admin")[] | null;
  /** When it was made. */
  at: string;
  /** When it was used last, to the minute; null: never. */
  used: string | null;
  expires: string | null;
  /** The one that this request came with. */
  current: boolean;
}

/** A key that sessions use; its value is never shown. */
export interface SavedKeyView {
  /** The variable that programs look for. */
  name: string;
  /** Everybody's sessions use it. */
  team: boolean;
  /** When it was set. */
  at: string;
  /** Who set it, where that is known. */
  by: string | null;
}
