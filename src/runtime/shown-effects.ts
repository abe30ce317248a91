import type { Effect } from "../tool/effects.ts";

/** Whether a call reaches a path, host or command that was not shown to the person who approved it. */
export function touchesMore(now: readonly Effect[], shown: readonly Effect[]): boolean {
  const known = new Set(shown.map(targetOf));
  return now.some((effect) => !known.has(targetOf(effect)));
}

function targetOf(effect: Effect): string {
  switch (effect.kind) {
    case "read":
    case "delete":
      return `${effect.kind} ${effect.path}`;
    case "write":
      return `${effect.replaces ? "replace" : "create"} ${effect.path}`;
    case "fetch":
      return `${effect.method} ${URL.parse(effect.url)?.host ?? effect.url}`;
    case "run":
      return `run ${effect.outside ? "outside " : ""}${effect.network} ${effect.command}`;
    case "record":
      return "record";
  }
}
