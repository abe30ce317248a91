import { dirname } from "node:path";
import { unpackedGradle } from "../../process/installed-toolchains.ts";
import { filesInside } from "../../sandbox/confine.ts";
import type { Mount } from "../../sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Host, locate } from "./host.ts";
import { inside, textOf } from "./project-files.ts";
import type { Tooling } from "./toolchain.ts";

const collector = "collect-reports.sh";

/**
 * Starts a build and puts the JUnit reports that it wrote, whichever module they belong to, into the outbox as one text.
 * Reports of earlier builds are removed first, from the run's own copy of the workspace.
 */
export const collectReports = {
  [collector]: `
reports() { find . \\( -path '*/target/surefire-reports/TEST-*.xml' -o -path '*/build/test-results/*/TEST-*.xml' \\) "$@"; }
reports -delete
"$@"
code=$?
reports -exec cat {} + > /out/report.xml
exit $code
`,
};

const collecting = ["/bin/bash", `${filesInside}/${collector}`] as const;

/** A Java outside `/usr` is shown whole: it consists of many files. */
function javaParts(host: Host): Pick<Tooling, "mounts" | "env"> {
  const java = locate("java", host, "Install a JDK.");
  // Distributions put a program of the run-time environment on the PATH that lies below the kit.
  const home = dirname(dirname(java)).replace(/\/jre$/, "");
  if (home.startsWith("/usr/")) return { mounts: [], env: { JAVA_HOME: home } };
  return { mounts: [{ from: home, to: "/opt/java" }], env: { JAVA_HOME: "/opt/java" } };
}

/** A program with a folder of its own, such as Maven's or Gradle's; its path inside. */
function shownWhole(file: string, to: string): { program: string; mounts: Mount[] } {
  if (file.startsWith("/usr/")) return { program: file, mounts: [] };
  return { program: `${to}/bin/${file.split("/").at(-1)}`, mounts: [{ from: dirname(dirname(file)), to }] };
}

const repository = "/opt/m2/repository";

/** What only says where packages are; the person's settings, which may hold passwords, are not visible. */
export const mavenOptions = [
  ...["--batch-mode", "--offline", "--no-transfer-progress", `-Dmaven.repo.local=${repository}`],
  // Which mirror a package came from is known to those settings alone.
  "-Dmaven.legacyLocalRepo=true",
];

/** Maven, with the packages that were downloaded before. */
export function mavenTooling(host: Host): Tooling {
  const java = javaParts(host);
  const maven = shownWhole(locate("mvn", host, "Install Maven."), "/opt/maven");
  const packages = { from: `${host.env["HOME"]}/.m2/repository`, to: repository };
  return {
    command: [...collecting, maven.program],
    mounts: [...java.mounts, ...maven.mounts, packages],
    env: java.env,
  };
}

/** Gradle in the version of the project's wrapper where that was downloaded, else the machine's. */
export async function gradleTooling(workspace: Workspace, directory: string, host: Host): Promise<Tooling> {
  const java = javaParts(host);
  const home = host.env["GRADLE_USER_HOME"] ?? `${host.env["HOME"]}/.gradle`;
  const wanted = await textOf(workspace, inside(directory, "gradle/wrapper/gradle-wrapper.properties"));
  const gradle = shownWhole(
    wrapped(wanted, home) ?? locate("gradle", host, "Install Gradle, or run ./gradlew once."),
    "/opt/gradle",
  );
  return {
    command: [...collecting, gradle.program],
    mounts: [...java.mounts, ...gradle.mounts, { from: `${home}/caches`, to: "/opt/gradle-caches" }],
    env: { ...java.env, GRADLE_USER_HOME: "/tmp/gradle", GRADLE_RO_DEP_CACHE: "/opt/gradle-caches" },
  };
}

/** What the wrapper of a project asks for, where it was downloaded. */
function wrapped(properties: string, home: string): string | undefined {
  const [, name, version] =
    /^distributionUrl=.*\/(gradle-([\w.-]+?)-(?:bin|all))\.zip\s*$/m.exec(properties) ?? [];
  return name === undefined || version === undefined ? undefined : unpackedGradle(home, name, version);
}
