import { createHash, timingSafeEqual } from "node:crypto";
import type { ProfileName } from "../agent/profiles.ts";
import { ownMark } from "./outgoing-text.ts";

/** A task that somebody wrote in another service. */
export interface HookTask {
  /** `owner/name` there. */
  repository: string;
  text: string;
  /** The issue or request that it is about. */
  number: number;
  isRequest: boolean;
  profile?: ProfileName;
  /** Why it starts nothing: not everybody who would read the session and its answer may read this. */
  hidden?: string;
}

/** What makes a comment or an issue a task. */
const mention = /(?:^|\s)@wield\b[:,]?\s*([\s\S]*)/;

export function mentionIn(text: string | null | undefined): string | undefined {
  if (text?.includes(ownMark)) return undefined;
  return mention.exec(text ?? "")?.[1]?.trim();
}

/** `@wield explore: why is the build slow?`: the first word may name the profile. */
export function profileIn(wanted: string): { profile?: ProfileName } {
  const word = /^([a-z]+)\b/i.exec(wanted)?.[1]?.toLowerCase();
  return word === "explore" || word === "research" ? { profile: word } : {};
}

export function taskText(
  wanted: string,
  from: { url: string; what: string },
  title: string,
  body: string | null | undefined,
): string {
  return [
    ...[wanted || "Work on this.", "", `From ${from.url}, ${from.what}: ${title}`],
    ...(body ? ["", body] : []),
  ].join("\n");
}

/** `https://host/owner/name.git`, `git@host:owner/name`. A name without its owner is that of many repositories. */
export function namesRepository(url: string, fullName: string): boolean {
  const path = url.toLowerCase().replace(/\.git$/, "");
  const name = fullName.toLowerCase();
  const hasOwner = /^[^/:\s]+(?:\/[^/:\s]+)+$/.test(name);
  return hasOwner && (path.endsWith(`/${name}`) || path.endsWith(`:${name}`));
}

/** Takes equally long, whatever is given. */
export function isSame(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given ?? ""), digest(expected));
}
