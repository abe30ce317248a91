import type { Locator, Page } from "playwright-core";
import { Failure } from "../../failure/failure.ts";
import { checkPlace, firstLines, frontPage, locate, property, type View, view } from "./look.ts";
import type { Running } from "./running.ts";
import { actionMs, Tabs } from "./tabs.ts";

export const browserActions = ["click", "fill", "type", "hover", "check", "uncheck"] as const;
export type BrowserAction = (typeof browserActions)[number];

export async function navigate(running: Running, url: URL): Promise<View> {
  running.approved = url;
  await open(running, running.tabs, url);
  return view(running);
}

async function open(
  { guard, failed }: Running,
  tabs: Tabs,
  url: URL,
): Promise<{ page: Page; status: number }> {
  const { page, response } = await tabs.goto(url).catch((thrown) => {
    throw whyNotOpened(thrown, url, failed);
  });
  checkPlace(guard, url, page, failed);
  return { page, status: response?.status() ?? 0 };
}

export async function interact(
  running: Running,
  { action, ref, value }: { action: BrowserAction; ref: string; value: string | undefined },
): Promise<View> {
  const { tabs } = running;
  const before = frontPage(running);
  await act(await locate(running, ref), action, value);
  await tabs.whenIdle();
  try {
    return await view(running);
  } catch (thrown) {
    // Back to where it may be looked at.
    if (tabs.front !== before) await tabs.front?.close();
    else if (thrown instanceof Failure && thrown.code === "URL_NOT_ALLOWED")
      await before.goBack({ waitUntil: "commit" }).catch(() => {});
    throw thrown;
  }
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
  running: Running,
  url: URL,
): Promise<{ url: string; status: number; html: string }> {
  const tabs = await Tabs.open(running.browser);
  try {
    const { page, status } = await open(running, tabs, url);
    return { url: page.url(), status, html: await page.content() };
  } finally {
    await tabs.close();
  }
}

function whyNotOpened(thrown: unknown, url: URL, failed: Running["failed"]): Failure {
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
      `The certificate of ${url.host} is not valid. The page was not opened, and no option overrides this.`,
    );
  const last = [...failed.values()].at(-1);
  if (last && message.includes("ERR_TUNNEL_CONNECTION_FAILED")) return last;
  return new Failure("NETWORK_ERROR", `${url.host} could not be opened: ${firstLines(thrown)}.`);
}
