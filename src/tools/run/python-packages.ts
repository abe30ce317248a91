import { sha256 } from "../../text/digest.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Execution } from "./execution.ts";
import { packageEnvironment, packagePolicy, pipArguments, requireInstalled } from "./packages.ts";
import { systemPython } from "./project-python.ts";
import { pythonTooling } from "./toolchain.ts";

/**
 * Works with a folder that has the given packages, fetched once: for a workspace, an interpreter and a list of
 * requirements.
 */
export async function withPythonPackages<T>(
  packages: readonly string[],
  execution: Execution,
  { workspace, run, signal, progress }: ToolContext,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { command } = await pythonTooling(workspace);
  const asked = await run({ file: systemPython.file, args: ["-VV"], cwd: "/", env: execution.env });
  const key = [workspace.root, asked.stdout.text, process.arch, ...packages.toSorted()].join("\n");
  const install = async (folder: string) => {
    progress(`installing ${packages.join(", ")}`);
    const registry = await execution.registry("pip");
    const result = await execution.sandbox().run(
      {
        workspace: folder,
        command: [...command, ...pipArguments, "--target", "/ws", "--", ...packages],
        env: packageEnvironment("pip", registry),
        signal,
      },
      packagePolicy(registry, "direct"),
    );
    requireInstalled(result, registry);
  };
  return execution.packages.use(sha256(key).slice(0, 32), install, work);
}
