import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const whole = "/usr/bin/chromium";
export const hasChromium = existsSync(whole);
/** The same engine without the browser around it: a tab costs less than half. */
const shell = "/usr/bin/chromium-headless-shell";

/** A real browser for what Wield serves. What Wield opens in a browser of its own is tested with that one. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: existsSync(shell) ? shell : whole,
    headless: true,
    // Without a locale, Chromium saves no file under a name beyond ASCII.
    env: { ...process.env, LC_ALL: "C.UTF-8" } as Record<string, string>,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
