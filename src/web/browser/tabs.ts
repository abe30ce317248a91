import type { Browser, BrowserContext, Page, Response } from "playwright-core";
import { Activity } from "./activity.ts";

/** The windows of one browser context: which one is in front, and what happened in them. */
export class Tabs {
  readonly #context: BrowserContext;
  readonly #activity: Activity;
  #pages: Page[] = [];
  #notes: string[] = [];

  static async open(browser: Browser): Promise<Tabs> {
    const context = await browser.newContext({ acceptDownloads: false, serviceWorkers: "block" });
    context.setDefaultTimeout(actionMs);
    return new Tabs(context);
  }

  private constructor(context: BrowserContext) {
    this.#context = context;
    this.#activity = new Activity(context);
    context.on("page", (page) => this.#watch(page));
  }

  get front(): Page | undefined {
    return this.#pages.at(-1);
  }

  /** Events since the last call. */
  takeNotes(): string[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes.length > maxNotes
      ? [...notes.slice(0, maxNotes), `and ${notes.length - maxNotes} more such events`]
      : notes;
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  async goto(url: URL): Promise<{ page: Page; response: Response | null }> {
    const page = this.front ?? (await this.#context.newPage());
    const response = await page.goto(url.href, { waitUntil: "commit", timeout: openMs });
    await this.whenIdle();
    return { page: this.front ?? page, response };
  }

  /** Waits until the document is loaded and there are no more requests, or a time limit passes. */
  async whenIdle(): Promise<void> {
    const loaded = this.front?.waitForLoadState("domcontentloaded", { timeout: idleMs }).then(
      () => true,
      () => false,
    );
    const states = await Promise.all([loaded, this.#activity.whenIdle(idleMs)]);
    if (states.includes(false)) this.note("the page was still loading when this was taken");
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  #watch(page: Page): void {
    if (this.#pages.length > 0) this.note("a new window opened and is now in front");
    this.#pages.push(page);
    page.on("close", () => {
      this.#pages = this.#pages.filter((other) => other !== page);
    });
    page.on("dialog", (dialog) => {
      // Nobody can answer dialogs: alerts are acknowledged, questions declined.
      const accept = dialog.type() === "alert" || dialog.type() === "beforeunload";
      this.note(`${dialog.type()} dialog ${accept ? "accepted" : "dismissed"}: ${quote(dialog.message())}`);
      (accept ? dialog.accept() : dialog.dismiss()).catch(() => {});
    });
    page.on("download", (download) => {
      this.note(`download refused: ${quote(download.suggestedFilename())}`);
      download.cancel().catch(() => {});
    });
    page.on("pageerror", (error) => this.note(`script error: ${quote(error.message)}`));
    page.on("crash", () => this.note("the page crashed"));
  }
}

export const actionMs = 3_000;
const openMs = 15_000;
const idleMs = 4_000;
const maxNotes = 10;

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
