import { posix } from "node:path";
import type { Workspace } from "../../workspace/workspace.ts";
import { mavenOptions } from "./java-toolchain.ts";
import { exists, inside, namesIn } from "./project-files.ts";

interface Wanted {
  /** Below the directory of the project. */
  path: string | undefined;
  filter: string | undefined;
}

/** A build of several modules is run from its topmost one: modules need each other. */
export async function isMavenRoot(workspace: Workspace, directory: string): Promise<boolean> {
  const has = (folder: string) => exists(workspace, inside(folder, "pom.xml"));
  return (await has(directory)) && (directory === "." || !(await has(posix.dirname(directory))));
}

export async function isGradleRoot(workspace: Workspace, directory: string): Promise<boolean> {
  const has = async (folder: string, pattern: RegExp) =>
    (await namesIn(workspace, folder)).some((name) => pattern.test(name));
  if (await has(directory, /^settings\.gradle(?:\.kts)?$/)) return true;
  const build = /^build\.gradle(?:\.kts)?$/;
  return (
    (await has(directory, build)) &&
    (directory === "." || !(await has(posix.dirname(directory), /\.gradle(?:\.kts)?$/)))
  );
}

export function mavenArguments({ path, filter }: Wanted): string[] {
  const { module, className } = placeOf(path);
  const tests = testsNamed(className, filter, "#");
  return [
    ...mavenOptions,
    ...(module === undefined ? [] : ["--projects", module, "--also-make"]),
    ...(tests.length === 0 ? [] : [`-Dtest=${tests.join(",")}`]),
    // A filter leaves modules without a test; the older name is for older versions of the plugin.
    ...["-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false", "--fail-at-end", "test"],
  ];
}

export function gradleArguments({ path, filter }: Wanted): string[] {
  const { module, className } = placeOf(path);
  const task = module === undefined ? "test" : `:${module.replaceAll("/", ":")}:test`;
  const tests = testsNamed(className && `*${className}`, filter, ".");
  return [
    ...["--offline", "--no-daemon", "--console=plain", "--continue", task],
    ...tests.flatMap((name) => ["--tests", name]),
  ];
}

/** The module that a path is in, and the class of a test file: `core/src/test/java/shop/PriceTest.java`. */
function placeOf(path: string | undefined): { module?: string; className?: string } {
  if (path === undefined) return {};
  const source = /(?:^|\/)src(?:\/|$)/.exec(path);
  const module = source ? path.slice(0, source.index) : path;
  const className = /([^/]+)\.(?:java|kt|groovy|scala)$/.exec(path)?.[1];
  return { ...(module !== "" && { module }), ...(className !== undefined && { className }) };
}

/** Patterns for classes and methods; what has a meaning in them stands for any one character. */
function testsNamed(className: string | undefined, filter: string | undefined, before: "#" | "."): string[] {
  const wanted = filter?.replaceAll(/[^\w$]/g, before === "#" ? "?" : "*");
  if (wanted === undefined) return className === undefined ? [] : [className];
  if (className !== undefined) return [`${className}${before}*${wanted}*`];
  return before === "#" ? [`*${wanted}*`, `#*${wanted}*`] : [`*${wanted}*`];
}
