import type { Locator, Page } from "playwright-core";
import { Failure } from "../../events/failure.ts";
import { partOf } from "./refs.ts";
import type { Running } from "./running.ts";

/** What a page looks like to somebody who cannot see it. */
export interface View {
  url: string;
  title: string;
  /** Accessibility tree, one element a line, named `@e1` and so on. */
  snapshot: string;
  /** What happened meanwhile: dialogs, downloads, new windows, refused requests, script errors. */
  notes: string[];
}

/** A page of a hundred thousand elements takes five seconds. */
const snapshotMs = 20_000;

export const extractTypes = ["text", "html", "value", "snapshot"] as const;
export type ExtractType = (typeof extractTypes)[number];

export async function view(running: Running): Promise<View> {
  const page = frontPage(running);
  const tree = await page.ariaSnapshot({ mode: "ai", timeout: snapshotMs }).catch((thrown) => {
    throw new Failure(
      "TIMEOUT",
      `There is no snapshot of the page (${firstLines(thrown)}). Read it with agentBrowserExtract({"extractType":"text"}).`,
    );
  });
  const snapshot = running.refs.rename(tree, page);
  const refused = [...running.failed.values()].filter(({ code }) => code === "URL_NOT_ALLOWED");
  const notes = [
    ...running.tabs.takeNotes(),
    ...refused.slice(0, 3).map(({ message }) => `request refused: ${message}`),
  ];
  return { url: page.url(), title: await page.title(), snapshot, notes };
}

export async function extract(
  running: Running,
  ref: string | undefined,
  type: ExtractType,
): Promise<{ url: string; content: string }> {
  const page = frontPage(running);
  if (type === "snapshot") {
    const { snapshot, url } = await view(running);
    if (ref === undefined) return { url, content: snapshot };
    await locate(running, ref);
    return { url, content: partOf(snapshot, ref) ?? "" };
  }
  if (ref === undefined) {
    if (type === "value") throw new Failure("INVALID_INPUT", "To extract a value, name the field with ref.");
    if (type === "html") return { url: page.url(), content: await page.content() };
    const texts = page.frames().map((frame) => property(frame.locator("body"), "innerText").catch(() => ""));
    return { url: page.url(), content: (await Promise.all(texts)).filter(Boolean).join("\n\n") };
  }
  const target = await locate(running, ref);
  try {
    const name = { text: "innerText", html: "outerHTML", value: "value" }[type];
    const content = await property(target, name);
    return { url: page.url(), content };
  } catch (thrown) {
    throw new Failure("EXECUTION_ERROR", `${ref} has no ${type} to extract: ${firstLines(thrown)}.`);
  }
}

export async function locate({ refs }: Running, ref: string): Promise<Locator> {
  const { page, ref: inner } = refs.find(ref);
  const target = page.getByRef(inner);
  // Acting on a vanished element would wait out the whole time limit; counting answers at once, or throws if its frame is gone.
  if ((await target.count().catch(() => 0)) === 0)
    throw new Failure(
      "INVALID_INPUT",
      `${ref} is stale: the page has changed since that snapshot. Take a new one with agentBrowserExtract({"extractType":"snapshot"}).`,
    );
  return target;
}

function frontPage({ tabs }: Running): Page {
  const page = tabs.front;
  if (!page) throw new Failure("INVALID_INPUT", "No page is open. Open one with agentBrowserNavigate first.");
  return page;
}

/** What went wrong, without the log that Playwright adds. */
export function firstLines(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return (message.split(/\n|Call log:/)[0] ?? "").replace(/^[\w.]+: /, "").slice(0, 300);
}

/** Read in the page; the element's type is the page's affair. */
export async function property(target: Locator, name: string): Promise<string> {
  const value: unknown = await target.evaluate((element: object, key) => Reflect.get(element, key), name);
  if (typeof value !== "string") throw new Error(`the element has no ${name}`);
  return value;
}
