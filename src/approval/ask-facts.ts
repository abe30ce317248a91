import { visibleLine } from "../text/visible.ts";
import type { Effect } from "../tool/effects.ts";
import type { FilePreview } from "../tool/tool.ts";
import { protectionOf } from "../workspace/protected-names.ts";
import { isRepositoryData } from "../workspace/repository-data.ts";
import type { Ask, AskFacts } from "./approval.ts";

type Changed = Pick<FilePreview, "path" | "change" | "from">;

const verbs = { create: "creates", modify: "changes", delete: "deletes", move: "moves" } as const;
/** Fewer files are read one by one. */
const mostRead = 5;
const mostNames = 4;

/** `files`: those that are shown, which may be fewer than those that are touched. */
export function factsOf(effects: readonly Effect[], files: readonly Changed[]): AskFacts {
  const touched = effects.length > 0 ? changesIn(effects) : files;
  const paths = new Set(files.map(({ path }) => path));
  // Objects and references that a commit writes are told by the preview in its own words.
  const isUnshown = ({ path }: Changed) => isRepositoryData(path) && !paths.has(path);
  const changed = touched.filter((each) => !isUnshown(each));
  const outside = effects.some((effect) => effect.kind === "run" && effect.outside === true);
  return {
    warnings: [
      ...(outside ? ["runs a command on your machine, outside the sandbox"] : []),
      ...protectedIn(changed),
      ...(touched.length > changed.length ? ["changes the git repository itself"] : []),
      ...foldersGone(changed),
    ],
    counts: countsOf(files.length > 0 ? files : changed),
  };
}

/** For places that show plain text. */
export function factLines({ warnings, counts }: AskFacts): string[] {
  return [...warnings.map((warning) => `Careful: ${warning}`), ...counts];
}

function changesIn(effects: readonly Effect[]): Changed[] {
  const moved = new Set(effects.flatMap((effect) => (effect.kind === "write" ? (effect.from ?? []) : [])));
  const all = effects.flatMap((effect): Changed[] => {
    if (effect.kind === "delete")
      return moved.has(effect.path) ? [] : [{ path: effect.path, change: "delete" }];
    if (effect.kind !== "write") return [];
    const { path, from, replaces } = effect;
    if (from !== undefined) return [{ path, from, change: "move" }];
    return [{ path, change: replaces ? "modify" : "create" }];
  });
  return [...new Map(all.map((each) => [`${each.change} ${each.path}`, each])).values()];
}

/** One line for each protected name and what happens to it: `creates .envrc, which runs when you enter this folder`. */
function protectedIn(changed: readonly Changed[]): string[] {
  const parents = parentsOf(changed);
  const files = changed.filter(({ path, change }) => change === "delete" || !parents.has(path));
  const found = files.flatMap(({ path, change, from }) => {
    const name = from === undefined ? path : `${from} to ${path}`;
    const protection = protectionOf(path) ?? (from === undefined ? undefined : protectionOf(from));
    return protection ? [{ path: name, change, ...protection }] : [];
  });
  found.sort((one, other) => (one.path < other.path ? -1 : 1));
  const groups = Map.groupBy(found, ({ change, part, why }) => `${change} ${part} ${why}`);
  return [...groups.values()].map((group) => {
    const [{ change, why, part, path } = { change: "modify", why: "", part: "", path: "" } as const] = group;
    const names = group.slice(0, mostNames).map((each) => visibleLine(each.path));
    const more = group.length > mostNames ? ", …" : "";
    const what =
      group.length === 1
        ? visibleLine(path)
        : `${group.length} files of ${visibleLine(part)} (${names.join(", ")}${more})`;
    return `${verbs[change]} ${what}, which ${why}`;
  });
}

function foldersGone(changed: readonly Changed[]): string[] {
  const gone = changed.flatMap(({ path, change }) => (change === "delete" ? [path] : []));
  const parents = new Map<string, number>();
  for (const path of gone)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      parents.set(path.slice(0, at), (parents.get(path.slice(0, at)) ?? 0) + 1);
  const folders = gone.filter((path) => parents.has(path));
  return folders
    .filter((path) => !folders.some((other) => path.startsWith(`${other}/`)))
    .map((path) => {
      const inside = parents.get(path) ?? 0;
      return `deletes the folder ${visibleLine(path)} with ${inside} ${inside === 1 ? "entry" : "entries"}`;
    });
}

/** `creates 182 files: 180 .txt in notes/, 2 others`. */
function countsOf(changed: readonly Changed[]): string[] {
  const parents = parentsOf(changed);
  const files = changed.filter(({ path }) => !parents.has(path));
  if (files.length <= mostRead) return [];
  return [...Map.groupBy(files, ({ change }) => change)].map(([change, all]) => {
    const kinds = [...Map.groupBy(all, ({ path }) => kindOf(path))].sort(
      ([kind, one], [other, some]) => some.length - one.length || (kind < other ? -1 : 1),
    );
    const named = kinds.slice(0, mostNames).map(([kind, some]) => `${some.length} ${kind}`);
    const others = kinds.slice(mostNames).reduce((sum, [, some]) => sum + some.length, 0);
    const list = [...named, ...(others > 0 ? [`${others} others`] : [])].join(", ");
    return `${verbs[change]} ${all.length} ${all.length === 1 ? "file" : "files"}: ${list}`;
  });
}

/** Folders that are made or go along with what is in them. */
function parentsOf(changed: readonly Changed[]): Set<string> {
  return new Set(changed.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
}

/** By extension and first folder: `.ts in src/`. */
function kindOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const folder = path.includes("/") ? ` in ${path.slice(0, path.indexOf("/") + 1)}` : "";
  return visibleLine(`${dot > 0 ? name.slice(dot) : name}${folder}`);
}

/** The model's own words in a question; the rest of them must not push out what it is about. */
const mostOwnWords = 300;

/** The reason with only the beginning of what the model said itself; `isCut`: not all of that is there. */
export function briefReason(ask: Pick<Ask, "reason" | "warnings" | "preview">): {
  text: string;
  isCut: boolean;
} {
  const own = ask.preview?.summary ?? "";
  if (own.length <= mostOwnWords || !ask.reason.startsWith(own))
    return { text: reasonBesides(ask), isCut: false };
  const brief = `${own.slice(0, mostOwnWords)}… (${own.length - mostOwnWords} more characters)`;
  return { text: reasonBesides({ ...ask, reason: brief + ask.reason.slice(own.length) }), isCut: true };
}

/** The reason without what the warnings say already, and without what its only file's diff shows. */
export function reasonBesides({
  reason,
  warnings,
  preview,
}: Pick<Ask, "reason" | "warnings" | "preview">): string {
  const isSaid = (part: string) =>
    warnings.some((warning) => part.endsWith(` ${warning.split(", which ").at(-1) ?? ""}`)) ||
    (part === "it runs a command outside the sandbox, which needs your approval" && warnings.length > 0) ||
    (preview?.files.length === 1 && /^it \w+ .+, which needs your approval$/.test(part));
  const [what = "", ...why] = reason.split(" — ");
  return [what, ...why.filter((part) => !isSaid(part))].join(" — ");
}
