import { useSyncExternalStore } from "react";

const names = [
  "chat",
  "documents",
  "changes",
  "tools",
  "skills",
  "activity",
  "settings",
  "team",
  "account",
] as const;
export type PageName = (typeof names)[number];
const pages: ReadonlySet<string> = new Set(names);

export interface Route {
  page: PageName;
  /** The session, document, tool or skill that the page shows. */
  item: string | undefined;
}

export function hrefOf(page: PageName, item?: string): string {
  return item === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(item)}`;
}

export function goTo(page: PageName, item?: string): void {
  location.hash = hrefOf(page, item);
}

/** A page of another folder: `address` opens that folder. */
export function addressOf(address: string, page: PageName, item?: string): string {
  return `${address}&to=${encodeURIComponent(hrefOf(page, item).slice(1))}`;
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(
    (changed) => {
      addEventListener("hashchange", changed);
      return () => removeEventListener("hashchange", changed);
    },
    () => location.hash,
  );
  const [, page = "", item] = /^#\/(\w+)(?:\/(.+))?$/.exec(hash) ?? [];
  return {
    page: pages.has(page) ? (page as PageName) : "chat",
    item: item === undefined ? undefined : decodeURIComponent(item),
  };
}
