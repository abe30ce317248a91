import { z } from "zod";
import { limited, type NetworkPolicy, policies } from "../../sandbox/policy.ts";
import type { Job } from "../../sandbox/sandbox.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { limitsFor } from "./asked-limits.ts";
import type { Execution } from "./execution.ts";
import { outputFile, outputFiles } from "./output-files.ts";
import { pipPackage } from "./packages.ts";
import { withPythonPackages } from "./python-packages.ts";
import { describeEnd, describeStreams, requireWithinLimits, runOutput, runOutputOf } from "./run-output.ts";
import { pythonTooling } from "./toolchain.ts";

export const executeCode = (execution: Execution) =>
  defineTool({
    name: "executeCode",
    title: "Execute code",
    description: `Execute Python code in a secure sandbox ${reach(execution.network)}. Files written to the current directory come back (documents, spreadsheets, PDF, data), plots shown with matplotlib come back as images. The workspace can be read at /ws. Packages can be installed first with pip; a person is asked then.`,
    category: "Code Execution",
    loading: "deferred",
    input: z.object({
      code: z.string().refine((code) => code.trim() !== "", "must hold some code"),
      installPackages: z.array(pipPackage).max(30).default([]).describe("pip packages to install first"),
    }),
    output: runOutput.extend({
      files: z.array(outputFile),
      images: z.array(outputFile),
      omitted: z.array(z.string()).describe("Files too large to hand over"),
    }),
    timeoutMs: 600_000,
    can: ["run"],
    approval: (_effects, { installPackages }) =>
      installPackages.length > 0 || execution.network.mode === "full" ? "ask" : "auto",
    effects: ({ code, installPackages }) => [
      ...(installPackages.length > 0
        ? [
            {
              kind: "run" as const,
              command: `pip install ${installPackages.join(" ")}`,
              network: "allowlist" as const,
            },
          ]
        : []),
      { kind: "run", command: code, network: execution.network.mode },
    ],
    execute: async ({ code, installPackages }, context) => {
      const { workspace, signal } = context;
      const { command } = await pythonTooling(workspace);
      const limits = limitsFor({ timeout: execution.limits.seconds ?? 60 }, execution.limits);
      const run = async (mounts: Job["mounts"] = []) =>
        execution.sandbox().run(
          {
            workspace: workspace.root,
            command: [...command, "-u", "/run/wield/start.py"],
            files: { "start.py": start, "code.py": code, "wield_charts.py": charts },
            mounts,
            env: {
              PYTHONPATH: "/run/wield:/opt/packages",
              MPLBACKEND: "module://wield_charts",
              MPLCONFIGDIR: "/tmp",
            },
            hidden: await context.hiddenPaths(),
            signal,
          },
          limited({ ...policies.charts, network: execution.network }, limits),
        );
      const result =
        installPackages.length > 0
          ? await withPythonPackages(installPackages, execution, context, (folder) =>
              run([{ from: folder, to: "/opt/packages" }]),
            )
          : await run();
      return requireWithinLimits({ ...runOutputOf(result, limits), ...outputFiles(result.outbox) });
    },
    render: (value) => {
      const end = describeEnd(value);
      const made = [
        ...value.images.map(({ name, mediaType }) => `image ${name} (${mediaType})`),
        ...value.files.map(({ name, mediaType }) => `file ${name} (${mediaType})`),
        ...value.omitted.map((name) => `too large to hand over: ${name}`),
        ...(value.files.some(({ mediaType }) => mediaType.startsWith("text/"))
          ? [
              "(The person has these files; they are not in the workspace. createDocument takes a text file by its name: file.)",
            ]
          : []),
      ];
      return [
        [end, ...describeStreams(value), ...made].join("\n"),
        (budget) =>
          [
            end,
            ...describeStreams(value, budget - 400),
            `${value.images.length + value.files.length} files`,
          ].join("\n"),
      ];
    },
    images: ({ images }) => images.map(({ mediaType, base64 }) => ({ mediaType, base64 })),
    files: ({ images, files }) => [...images, ...files],
    examples: [
      { title: "Calculate", input: { code: "print(2 + 2)" } },
      {
        title: "A chart",
        input: {
          code: "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()",
          installPackages: ["matplotlib"],
        },
      },
    ],
  });

function reach(network: NetworkPolicy): string {
  if (network.mode === "off") return "without network";
  return network.mode === "full"
    ? "with internet access, so a person is asked each time"
    : `that reaches ${network.hosts.join(", ")} only`;
}

/** Runs the code as a main program in the folder whose files are handed over. */
const start = `
import os, sys
os.chdir("/out")
sys.path[0] = "/out"
__file__ = "/run/wield/code.py"
sys.argv = [__file__]
exec(compile(open(__file__).read(), __file__, "exec"))
`;

/** A backend of matplotlib whose show() saves each open figure as a numbered picture. */
const charts = `
from matplotlib import _pylab_helpers
from matplotlib.backend_bases import FigureManagerBase as FigureManager
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

shown = 0

def show(*args, **kwargs):
    global shown
    for manager in _pylab_helpers.Gcf.get_all_fig_managers():
        shown += 1
        manager.canvas.figure.savefig("chart-%d.png" % shown)
    _pylab_helpers.Gcf.destroy_all()
`;
