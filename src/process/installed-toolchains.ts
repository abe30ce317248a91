import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { realHostProgram } from "./host-programs.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A Python of a version manager: the folder of this version holds nothing else. */
export interface ManagedPython {
  /** `3.12.1` */
  version: string;
  file: string;
  prefix: string;
}

/** Every Python 3 that a version manager of this person has installed. */
export function managedPythons(env: Variables): ManagedPython[] {
  const home = (name: string) => (env["HOME"] ? join(env["HOME"], name) : "/nowhere");
  const data = env["XDG_DATA_HOME"] ?? home(".local/share");
  const folders = [
    join(env["PYENV_ROOT"] ?? home(".pyenv"), "versions"),
    join(env["MISE_DATA_DIR"] ?? join(data, "mise"), "installs/python"),
    join(env["ASDF_DATA_DIR"] ?? home(".asdf"), "installs/python"),
    join(data, "uv/python"),
  ];
  return folders.flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      // `3.12.1`, or uv's `cpython-3.12.1-linux-x86_64-gnu`.
      const version = /^(?:cpython-)?(3\.\d+\.\d+)(?:-linux\S*)?$/.exec(name)?.[1];
      const prefix = join(folder, name);
      const file = realHostProgram(join(prefix, "bin/python3"), "");
      return version && file ? [{ version, file, prefix: realpathSync(prefix) }] : [];
    }),
  );
}

/** The Python 3 that `python3` starts in the person's terminal: a program, or the launcher of a version manager. */
export function pythonOnPath(env: Variables): { file: string; isLauncher: boolean } | undefined {
  const file = realHostProgram("python3", env["PATH"] ?? "");
  return file === undefined
    ? undefined
    : { file, isLauncher: !/\/python3(?:\.\d+)?$/.test(file) || /\/shims\//.test(file) };
}

/** The program that a Gradle wrapper has unpacked: `wrapper/dists/gradle-8.5-bin/<hash>/gradle-8.5/bin/gradle`. */
export function unpackedGradle(home: string, name: string, version: string): string | undefined {
  const folder = join(home, "wrapper/dists", name);
  return namesIn(folder)
    .map((hash) => realHostProgram(join(folder, hash, `gradle-${version}/bin/gradle`), ""))
    .find((file) => file !== undefined);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
