import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { installPolicy, type SandboxPolicy } from "../../sandbox/policy.ts";
import type { JobResult } from "../../sandbox/sandbox.ts";

export type PackageManager = "npm" | "pip";

/** Where packages come from, and every host that takes: an index may keep its files elsewhere. */
export interface Registry {
  url: string;
  hosts: readonly string[];
}

/** Names with a version at most: no paths, addresses or options, which could fetch and run anything. */
export const npmPackage = z
  .string()
  .regex(
    /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(@[\w.^~<>=*+-]+)?$/i,
    "a package name such as zod or zod@4.1.0",
  );
export const pipPackage = z
  .string()
  .regex(
    /^[a-z0-9][\w.-]*(\[[\w,-]+\])?((===?|>=|<=|~=|!=|<|>)[\w.*+!]+(,(==|>=|<=|~=|!=|<|>)[\w.*+!]+)*)?$/i,
    "a package name such as pandas or pandas==2.2.0",
  );

/** How npm and pip are kept from running what they fetch, and from asking. */
export const npmArguments = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
export const pipArguments = [
  ...["-m", "pip", "install", "--only-binary", ":all:", "--no-cache-dir", "--no-input"],
  ...["--disable-pip-version-check", "--no-warn-script-location", "--progress-bar", "off"],
];

export function packageEnvironment(manager: PackageManager, { url }: Registry): Record<string, string> {
  if (manager === "npm") {
    return { npm_config_registry: url, npm_config_cache: "/tmp/npm", npm_config_update_notifier: "false" };
  }
  return {
    PIP_INDEX_URL: url,
    PIP_CONFIG_FILE: "/dev/null",
    // A mirror without TLS is the person's own choice in the settings.
    ...(url.startsWith("http:") && { PIP_TRUSTED_HOST: new URL(url).hostname }),
  };
}

export function packagePolicy({ hosts }: Registry, changes: SandboxPolicy["changes"]): SandboxPolicy {
  return { ...installPolicy(hosts), changes };
}

/** A failed installation as a failure that says what to try. */
export function requireInstalled(
  { exitCode, stderr, stdout, connections, limit }: JobResult,
  { url }: Registry,
): void {
  if (exitCode === 0) return;
  if (/No module named pip/.test(stderr.text)) {
    throw new Failure(
      "UNAVAILABLE",
      "pip is not installed. Install it, for example with: sudo apt-get install python3-pip",
    );
  }
  const refused = connections.filter(({ allowed }) => !allowed);
  if (refused.length > 0) {
    const reasons = [...new Set(refused.map(({ reason }) => reason))].slice(0, 3).join("; ");
    throw new Failure(
      "NETWORK_ERROR",
      `The packages could not be fetched from ${url}: ${reasons.replace(/\.+$/, "")}. Ask the person to install them, or to name a registry that this machine reaches in npm's or pip's own settings; until then work with what is there.`,
    );
  }
  const said = (stderr.text.trim() || stdout.text.trim()).split("\n").slice(-15).join("\n");
  const why = limit === null ? "" : ` (limit: ${limit})`;
  throw new Failure("EXECUTION_ERROR", `The installation failed${why}; nothing was changed:\n${said}`);
}

/** pip's last line names everything it installed: `Successfully installed a-1.0 b-2.0`. */
export function pipInstalled(stdout: string): { name: string; version: string }[] {
  const line = /^Successfully installed (.*)$/m.exec(stdout)?.[1] ?? "";
  return line
    .split(" ")
    .map((word) => /^(.+)-([^-]+)$/.exec(word))
    .flatMap((found) => (found ? [{ name: found[1] ?? "", version: found[2] ?? "" }] : []));
}
