import { join } from "node:path";
import type { Browser } from "playwright-core";
import { Failure } from "../../failure/failure.ts";
import { realHostProgram } from "../../process/host-programs.ts";
import { Scratch } from "../../process/scratch.ts";

export interface BrowserSettings {
  /** Programs to try, in order: absolute paths of Chromium or Chrome. */
  executables: readonly string[];
  /** An unused browser is closed after this. */
  idleMs: number;
  /** The longest that one step may take before the page counts as hung. */
  stepMs: number;
}

/** Where Chromium and related browsers are usually installed. */
export const knownBrowsers: readonly string[] = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Chromium's sandbox refuses to run as root, and without it a page that exploits Chromium would be root. So Chromium
 * runs as the user nobody, who owns only its profile folder.
 */
const asNobody = (program: string) => `#!/bin/sh
for word; do case $word in --user-data-dir=*) chown -R 65534:65534 "\${word#*=}" ;; esac; done
exec /usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs -- \\
  '${program.replaceAll("'", "'\\''")}' "$@"
`;

export async function launchBrowser(settings: BrowserSettings, proxyServer: string): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  const isRoot = process.getuid?.() === 0;
  let problem = "";
  for (const program of settings.executables) {
    if (realHostProgram(program, "") === undefined) continue;
    try {
      using scratch = new Scratch(isRoot ? { browser: asNobody(program) } : {}, 0o700);
      return await chromium.launch({
        executablePath: isRoot ? join(scratch.path, "browser") : program,
        headless: true,
        chromiumSandbox: true,
        // `<-loopback>`: not even this machine is reached without the proxy.
        proxy: { server: proxyServer, bypass: "<-loopback>" },
        env: { PATH: "/usr/bin:/bin" },
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        timeout: 20_000,
        args: switches,
      });
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      if (!/doesn't exist|ENOENT/i.test(message)) problem ||= message.split("\n")[0] ?? "";
    }
  }
  if (problem && isRoot)
    throw new Failure(
      "UNAVAILABLE",
      `Wield runs as root, and the browser does not start as another user, which its sandbox needs: ${problem} Start Wield as an ordinary user.`,
    );
  if (problem) throw new Failure("UNAVAILABLE", `The browser does not start: ${problem}`);
  throw new Failure(
    "UNAVAILABLE",
    "No Chromium is installed. Install it with: sudo apt-get install chromium (macOS: brew install --cask chromium), " +
      "or set the path of a Chrome or Chromium in the settings. For static pages web_fetch works without one.",
  );
}

const switches = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-pings",
  "--disable-domain-reliability",
  // Chromium sends sign-in requests there; the proxy refuses such names.
  "--gaia-url=https://accounts.invalid/",
  "--disable-breakpad",
  // Only the proxy resolves names, and peer-to-peer connections cannot bypass it.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--dns-prefetch-disable",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
];
