import type { StatusView } from "../../../src/api/api.ts";
import { hasAccount } from "../server/token.ts";

/** Numbers and times in readable form. */

export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(iso).toLocaleDateString(undefined, { day: "numeric", month: "short" });
}

/** A day, without its time. */
export function day(iso: string): string {
  return new Date(iso).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

/** A day and the time, to the minute. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** The time of a recent moment, to the second. */
export function time(iso: string): string {
  return new Date(iso).toLocaleTimeString();
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(1, Math.round(milliseconds))} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}

export function count(value: number): string {
  if (value < 1000) return String(value);
  return value < 1_000_000
    ? `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)}k`
    : `${(value / 1_000_000).toFixed(1)}M`;
}

/** A size in bytes. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  return size < 1_000_000 ? `${Math.round(size / 1000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

/** An estimate by the price list. */
export function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? "under $0.01" : `$${usd.toFixed(2)}`;
}

export function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

const tellingArguments = [
  "path",
  "file",
  "from",
  "pattern",
  "query",
  "symbol",
  "url",
  "modulePath",
  "target",
  "title",
  "code",
];

/** A short summary of a call's input. */
export function aboutCall(input: unknown): string {
  if (input === null || typeof input !== "object") return "";
  const fields = input as Record<string, unknown>;
  const changes = Array.isArray(fields["changes"]) ? fields["changes"] : [];
  const telling = tellingArguments
    .map((name) => fields[name])
    .find((value) => typeof value === "string" && value !== "");
  const step = fields["stepId"] === undefined ? "" : `step ${fields["stepId"]}: ${fields["status"]}`;
  const text = String(telling ?? (step || aboutChanges(changes))).split("\n")[0] ?? "";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function aboutChanges(changes: readonly { path?: string; to?: string }[]): string {
  const [first] = changes;
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : "";
  return `${first?.path ?? first?.to ?? ""}${more}`;
}

/** Whether this is the page of a team; before the server has told, by how the browser signs in. */
export function isOfTeam(status: StatusView | undefined): boolean {
  return status ? status.team !== undefined : hasAccount();
}

/** Somebody who only reads what others of the team share. */
export function isViewer(status: StatusView | undefined): boolean {
  return status?.team?.person.role === "viewer";
}

/** The default model for chats. */
export function standardModel(status: StatusView | undefined): string {
  if (!status) return "\u00a0";
  return status.modelError ? "No model" : status.model;
}

/** "offline" alone would look like a lost connection. */
export function modelLabel(model: string): string {
  return model === "offline" ? "Offline model" : model;
}
