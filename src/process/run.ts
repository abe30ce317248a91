import type { RunCommand } from "./process.ts";
import { supervise } from "./supervise.ts";

export const runCommand: RunCommand = (command) => supervise(command);
