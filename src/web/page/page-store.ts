import { Failure } from "../../failure/failure.ts";
import type { Page } from "./fetch-page.ts";

/**
 * Recently read pages, so that later parts need no new request: the page may have changed, and a POST must not be
 * repeated.
 */
export class PageStore {
  readonly #pages = new Map<string, Page>();
  #characters = 0;
  #count = 0;

  keep(page: Page): string {
    const id = `p${++this.#count}`;
    this.#pages.set(id, page);
    this.#characters += size(page);
    for (const [old, oldest] of this.#pages) {
      if (this.#characters <= maxCharacters || old === id) break;
      this.#pages.delete(old);
      this.#characters -= size(oldest);
    }
    return id;
  }

  /** The page and the place in its text that a cursor (`id:offset`) names. */
  at(cursor: string): { id: string; page: Page; start: number } {
    const [, id = "", offset = ""] = /^(p\d+):(\d+)$/.exec(cursor) ?? [];
    const page = this.#pages.get(id);
    const start = Number(offset);
    if (!page || start > page.text.length)
      throw new Failure(
        "INVALID_INPUT",
        `The cursor '${cursor}' is no longer valid. Fetch the page again without it.`,
      );
    return { id, page, start };
  }
}

const maxCharacters = 40_000_000;

function size(page: Page): number {
  return page.body.length + page.text.length;
}
