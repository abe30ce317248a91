import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** The parts of a PATH that mean the same everywhere: an empty or relative one means whatever folder a program is started in. */
export function fixedPath(path: string): string {
  return path.split(":").filter(isAbsolute).join(":");
}

/** Where a program really lies, found in a list of directories such as PATH; undefined when it is nowhere. */
export function findProgram(name: string, path: string): string | undefined {
  const candidates = isAbsolute(name)
    ? [name]
    : fixedPath(path)
        .split(":")
        .filter(Boolean)
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
