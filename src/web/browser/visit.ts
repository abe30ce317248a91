import type { Locator } from "playwright-core";
import { Failure } from "../../events/failure.ts";
import type { Guard } from "../guard.ts";
import { firstLines, locate, property, type View, view } from "./look.ts";
import type { Running } from "./running.ts";
import { actionMs, Tabs } from "./tabs.ts";

export const browserActions = ["click", "fill", "type", "hover", "check", "uncheck"] as const;
export type BrowserAction = (typeof browserActions)[number];

export async function navigate(guard: Guard, running: Running, url: URL): Promise<View> {
  await open(guard, running, running.tabs, url);
  return view(running);
}

/** Opens a page and makes sure that it is the one that was asked for, or at least one that may be shown. */
async function open(guard: Guard, running: Running, tabs: Tabs, url: URL): Promise<number> {
  const response = await tabs.goto(url).catch((thrown) => {
    throw whyNotOpened(thrown, url, running);
  });
  checkArrival(guard, running, tabs, url);
  return response?.status() ?? 0;
}

export async function interact(
  guard: Guard,
  running: Running,
  { action, ref, value }: { action: BrowserAction; ref: string; value: string | undefined },
): Promise<View> {
  const { tabs } = running;
  const target = await locate(running, ref);
  const before = tabs.front;
  const from = before?.url() ?? "";
  await act(target, action, value);
  await tabs.settle();
  try {
    checkArrival(guard, running, tabs, new URL(from));
  } catch (thrown) {
    if (tabs.front !== before) await tabs.front?.close();
    else await tabs.front?.goBack({ waitUntil: "commit" }).catch(() => {});
    throw thrown;
  }
  return view(running);
}

/** An approval was given for one site: a page that led somewhere else is not shown. */
function checkArrival(guard: Guard, { failed }: Running, tabs: Tabs, from: URL): void {
  const here = tabs.front?.url() ?? "";
  const failure = failed.get(here);
  if (failure) throw failure;
  if (here.startsWith("chrome-error:"))
    throw lastOf(failed) ?? new Failure("NETWORK_ERROR", "The page could not be opened.");
  if (here !== "" && !here.startsWith("about:")) guard.judgeRedirect(from, here);
}

async function act(target: Locator, action: BrowserAction, value: string | undefined): Promise<void> {
  if ((action === "fill" || action === "type") && value === undefined)
    throw new Failure("INVALID_INPUT", `The action '${action}' needs a value: the text to enter.`);
  try {
    if (action === "click") await target.click();
    else if (action === "hover") await target.hover();
    else if (action === "check") await target.check();
    else if (action === "uncheck") await target.uncheck();
    else if (action === "type") await target.pressSequentially(value ?? "");
    else if ((await property(target, "localName")) === "select") await target.selectOption(value ?? "");
    else await target.fill(value ?? "");
  } catch (thrown) {
    // A button that closes its own window has worked.
    if (target.page().isClosed()) return;
    throw new Failure(
      "EXECUTION_ERROR",
      `The action '${action}' did not work within ${actionMs / 1000} s: ${firstLines(thrown)}. Look at a new snapshot: the element may be covered, disabled or of another kind.`,
    );
  }
}

export async function render(
  guard: Guard,
  running: Running,
  url: URL,
): Promise<{ url: string; status: number; html: string }> {
  const tabs = await Tabs.open(running.browser);
  try {
    const status = await open(guard, running, tabs, url);
    const page = tabs.front;
    return { url: page?.url() ?? url.href, status, html: (await page?.content()) ?? "" };
  } finally {
    await tabs.close();
  }
}

function whyNotOpened(thrown: unknown, url: URL, { failed }: Running): unknown {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const known = failed.get(url.href) ?? failed.get(`${url.origin}/`);
  if (known) return known;
  if (message.includes("Download is starting"))
    return new Failure("NOT_TEXT", `${url.href} is a download, not a page. Downloads are not saved.`);
  if (/Timeout .* exceeded/.test(message))
    return new Failure("TIMEOUT", `${url.host} sent nothing to show in time. Try again later.`);
  if (message.includes("ERR_CERT_"))
    return new Failure(
      "NETWORK_ERROR",
      `The certificate of ${url.host} is not valid. It is not trusted, and there is no way round that.`,
    );
  if (message.includes("ERR_TUNNEL_CONNECTION_FAILED") && failed.size > 0) return lastOf(failed);
  return new Failure("NETWORK_ERROR", `${url.host} could not be opened: ${firstLines(thrown)}.`);
}

function lastOf(failed: Map<string, Failure>): Failure | undefined {
  return [...failed.values()].at(-1);
}
