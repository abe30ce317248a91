import { Failure } from "../failure/failure.ts";
import { runCommand } from "../process/run.ts";
import type { PackageManager, Registry } from "../tools/run/packages.ts";

/** Python's package index keeps its files on another host; pip knows both. */
const askPip =
  "from pip._internal.models.index import PyPI; print(PyPI.simple_url); print(PyPI.file_storage_domain)";

/**
 * Where packages come from: the mirror that the settings name, else what npm or pip on this machine say. They are asked in a
 * folder of Wield's own, where no file of the workspace can answer for them.
 */
export async function registryOf(
  manager: PackageManager,
  mirror: string | undefined,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Registry> {
  if (mirror !== undefined) return { url: mirror, hosts: [new URL(mirror).hostname] };
  const question =
    manager === "npm"
      ? { file: "npm", args: ["config", "get", "registry"] }
      : { file: "/usr/bin/python3", args: ["-c", askPip] };
  const given = Object.fromEntries(
    ["PATH", "HOME"].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const { stdout, exitCode } = await runCommand({ ...question, cwd: folder, env: given, timeoutMs: 20_000 });
  const [url = "", files] = stdout.text.trim().split("\n");
  const host = URL.parse(url)?.hostname;
  if (exitCode !== 0 || host === undefined) {
    throw new Failure(
      "UNAVAILABLE",
      `${manager} did not say where packages come from. Is it installed? A registry can be named in the settings under "execution".`,
    );
  }
  return { url, hosts: [host, ...(files ? [files] : [])] };
}
