import type { Locator, Page } from "playwright-core";
import { Failure } from "../../failure/failure.ts";
import type { Guard } from "../guard.ts";
import { partOf } from "./refs.ts";
import type { Running } from "./running.ts";

/** A text view of a page. */
export interface View {
  url: string;
  title: string;
  /** The accessibility tree, one element per line, named `@e1` and so on. */
  snapshot: string;
  /** Events since the last view: dialogs, downloads, new windows, refused requests, script errors. */
  notes: string[];
}

/** A page of a hundred thousand elements takes five seconds. */
const snapshotMs = 20_000;

export const extractTypes = ["text", "html", "value", "snapshot"] as const;
export type ExtractType = (typeof extractTypes)[number];

export async function view(running: Running): Promise<View> {
  const page = frontPage(running);
  const snapshot = await snapshotOf(running, page);
  const title = await page.title();
  const refused = [...running.failed.values()].filter(({ code }) => code === "URL_NOT_ALLOWED");
  const notes = [
    ...running.tabs.takeNotes(),
    ...refused.slice(0, 3).map(({ message }) => `request refused: ${message}`),
  ];
  // Checked before and after, because a page may navigate while it is read.
  return { url: frontPage(running).url(), title, snapshot, notes };
}

export async function extract(
  running: Running,
  ref: string | undefined,
  type: ExtractType,
): Promise<{ url: string; content: string }> {
  const page = frontPage(running);
  const content = ref === undefined ? await ofPage(running, page, type) : await ofElement(running, ref, type);
  return { url: frontPage(running).url(), content };
}

async function ofPage(running: Running, page: Page, type: ExtractType): Promise<string> {
  if (type === "snapshot") return snapshotOf(running, page);
  if (type === "html") return page.content();
  if (type === "value") throw new Failure("INVALID_INPUT", "To extract a value, name the field with ref.");
  const texts = page.frames().map((frame) => property(frame.locator("body"), "innerText").catch(() => ""));
  return (await Promise.all(texts)).filter(Boolean).join("\n\n");
}

async function ofElement(running: Running, ref: string, type: ExtractType): Promise<string> {
  const target = await locate(running, ref);
  if (type === "snapshot") return partOf(await snapshotOf(running, target.page()), ref);
  try {
    return await property(target, { text: "innerText", html: "outerHTML", value: "value" }[type]);
  } catch (thrown) {
    throw new Failure("EXECUTION_ERROR", `${ref} has no ${type} to extract: ${firstLines(thrown)}.`);
  }
}

async function snapshotOf({ refs }: Running, page: Page): Promise<string> {
  try {
    return refs.rename(await page.ariaSnapshot({ mode: "ai", timeout: snapshotMs }), page);
  } catch (thrown) {
    throw new Failure(
      "TIMEOUT",
      `There is no snapshot of the page (${firstLines(thrown)}). Read it with agentBrowserExtract({"extractType":"text"}).`,
    );
  }
}

export async function locate({ refs }: Running, ref: string): Promise<Locator> {
  const { page, ref: inner } = refs.find(ref);
  const target = page.getByRef(inner);
  // Acting on a missing element would wait for the whole time limit; counting returns at once, or throws if its frame
  // is gone.
  if ((await target.count().catch(() => 0)) === 0)
    throw new Failure(
      "INVALID_INPUT",
      `${ref} is stale: the page has changed since that snapshot. Take a new one with agentBrowserExtract({"extractType":"snapshot"}).`,
    );
  return target;
}

/** The current page, if it may be read. */
export function frontPage({ guard, tabs, approved, failed }: Running): Page {
  const page = tabs.front;
  if (!page || !approved)
    throw new Failure("INVALID_INPUT", "No page is open. Open one with agentBrowserNavigate first.");
  checkPlace(guard, approved, page, failed);
  return page;
}

/** The approval was for one site: if the page has navigated to another one, it is not shown. */
export function checkPlace(guard: Guard, approved: URL, page: Page, failed: Running["failed"]): void {
  const here = page.url();
  const failure =
    failed.get(here) ?? (here.startsWith("chrome-error:") ? [...failed.values()].at(-1) : undefined);
  if (failure) throw failure;
  if (here.startsWith("chrome-error:")) throw new Failure("NETWORK_ERROR", "The page could not be opened.");
  if (!here.startsWith("about:")) guard.judgeRedirect(approved, here);
}

/** What went wrong, without the log that Playwright adds. */
export function firstLines(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return (message.split(/\n|Call log:/)[0] ?? "").replace(/^[\w.]+: /, "").slice(0, 300);
}

/** Runs inside the page; the element may be of any type. */
export async function property(target: Locator, name: string): Promise<string> {
  const value: unknown = await target.evaluate((element: object, key) => Reflect.get(element, key), name);
  if (typeof value !== "string") throw new Error(`the element has no ${name}`);
  return value;
}
