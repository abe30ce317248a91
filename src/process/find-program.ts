import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Where a program really lies, found in a list of directories such as PATH; undefined when it is nowhere. */
export function findProgram(name: string, path: string): string | undefined {
  const candidates = isAbsolute(name)
    ? [name]
    : path
        .split(":")
        .filter(isAbsolute)
        .map((dir) => join(dir, name));
  return candidates.map(executable).find((file) => file !== undefined);
}

function executable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? realpathSync(file) : undefined;
  } catch {
    return undefined;
  }
}
