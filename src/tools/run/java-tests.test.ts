import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";
import { gradleArguments, isGradleRoot, isMavenRoot, mavenArguments } from "./java-tests.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

test("a path is a module and a class, a filter names of classes and methods", () => {
  const maven = (path?: string, filter?: string) =>
    mavenArguments({ path, filter }).filter((word) => /^-Dtest=|^core/.test(word));
  expect(maven()).toEqual([]);
  expect(maven("core")).toEqual(["core"]);
  expect(maven("core/src/test/java/shop/PriceTest.java")).toEqual(["core", "-Dtest=PriceTest"]);
  expect(maven("src/test/java/shop/PriceTest.java", "is wrong")).toEqual(["-Dtest=PriceTest#*is?wrong*"]);
  expect(maven(undefined, "a,!b")).toEqual(["-Dtest=*a??b*,#*a??b*"]);
  const gradle = (path?: string, filter?: string) => gradleArguments({ path, filter }).slice(4);
  expect(gradle()).toEqual(["test"]);
  expect(gradle("libs/core/src/test/java/PriceTest.java", "x y")).toEqual([
    ...[":libs:core:test", "--tests", "*PriceTest.*x*y*"],
  ]);
});

test("a build of several modules is run from the topmost one", async () => {
  place = await testWield({
    "pom.xml": "",
    "core/pom.xml": "",
    "app/settings.gradle.kts": "",
    "app/lib/build.gradle": "",
    "alone/build.gradle": "",
  });
  const { workspace } = place.wield;
  const which = async (isRoot: typeof isMavenRoot, ...folders: string[]) =>
    Promise.all(folders.map((folder) => isRoot(workspace, folder)));
  expect(await which(isMavenRoot, ".", "core", "app")).toEqual([true, false, false]);
  expect(await which(isGradleRoot, ".", "app", "app/lib", "alone")).toEqual([false, true, false, true]);
});

const own = join(homedir(), ".m2/repository");
const plugin = "org/apache/maven/plugins/maven-surefire-plugin/3.2.5/maven-surefire-plugin-3.2.5.jar";
const provider = "org/apache/maven/surefire/surefire-junit-platform/3.2.5/surefire-junit-platform-3.2.5.jar";
const engine = "org/junit/jupiter/junit-jupiter-engine/5.11.4/junit-jupiter-engine-5.11.4.jar";
/** The packages of the project below: nothing is downloaded for a test. */
const hasMaven =
  ["/usr/bin/bwrap", "/usr/bin/mvn"].every((file) => existsSync(file)) &&
  [plugin, provider, engine].every((file) => existsSync(join(own, file)));

const project = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>';
const files = {
  "pom.xml": `${project}<groupId>shop</groupId><artifactId>parent</artifactId><version>1</version>
<packaging>pom</packaging><modules><module>core</module></modules>
<properties><maven.compiler.release>17</maven.compiler.release></properties>
<build><pluginManagement><plugins>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.4.0</version></plugin>
</plugins></pluginManagement></build></project>\n`,
  "core/pom.xml": `${project}<parent><groupId>shop</groupId><artifactId>parent</artifactId><version>1</version></parent>
<artifactId>core</artifactId><dependencies><dependency><groupId>org.junit.jupiter</groupId>
<artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency></dependencies></project>\n`,
  "core/src/test/java/shop/PriceTest.java": `package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class PriceTest {
  @Test void doubles() { assertEquals(4, 2 * 2); }
  @Test void isWrong() { assertEquals(5, 2 * 2); }
  @Test @Disabled void later() {}
}\n`,
  // Of an earlier build: it is no result of this one.
  "core/target/surefire-reports/TEST-shop.OldTest.xml": '<testsuite><testcase name="old"/></testsuite>',
};

describe.skipIf(!hasMaven)("a Maven project", { timeout: 300_000 }, () => {
  test("is tested offline with the packages that are there; failures have their file and no frames of the runner", async () => {
    place = await testWield(files);
    mkdirSync(join(place.env["HOME"] ?? "", ".m2"));
    symlinkSync(own, join(place.env["HOME"] ?? "", ".m2/repository"));
    const { result, text } = await place.wield.call("run_tests", {});
    expect(text).toMatch(/^maven: 1 passed, 1 failed, 1 skipped\n✗ isWrong \(shop\/PriceTest\.java\)\n/);
    expect(text).toContain("expected: <5> but was: <4>\n    \tat shop.PriceTest.isWrong(PriceTest.java:6)");
    expect(text).not.toMatch(/org\.junit\.jupiter|java\.base/);
    expect(result).toMatchObject({ ok: true, value: { runner: "maven" } });
    expect(existsSync(join(place.root, "core/target/classes"))).toBe(false);
  });
});
