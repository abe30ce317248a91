import type { Execution } from "./execution.ts";

export interface RunServices {
  /** Opened when a tool runs code: nothing else loads the sandbox. */
  execution(): Promise<Execution>;
}

/** Tools that run code in the sandbox. Each is loaded when it is wanted: a command needs one. */
export const runTools = {
  run_code: async ({ execution }: RunServices) => (await import("./run-code.ts")).runCode(await execution()),
  background_processes: async ({ execution }: RunServices) =>
    (await import("./background-processes.ts")).backgroundProcesses((await execution()).background),
  apply_held_changes: async ({ execution }: RunServices) =>
    (await import("./apply-held-changes.ts")).applyHeldChanges((await execution()).held),
  run_tests: async ({ execution }: RunServices) =>
    (await import("./run-tests.ts")).runTests(await execution()),
  format_code: async ({ execution }: RunServices) =>
    (await import("./format-code.ts")).formatCode(await execution()),
  install_package: async ({ execution }: RunServices) =>
    (await import("./install-package.ts")).installPackage(await execution()),
  executeCode: async ({ execution }: RunServices) =>
    (await import("./execute-code.ts")).executeCode(await execution()),
};
