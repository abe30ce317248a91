// One file of a program that tests start many times: it loads in half the time of its sources.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { rolldown } from "rolldown";

const home = resolve(import.meta.dirname, "..");

export interface BundledFixture {
  file: string;
  remove(): void;
}

export async function bundleFixture(source: string): Promise<BundledFixture> {
  const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const packages = Object.keys(dependencies);
  // Below node_modules, so that packages are found from there.
  const cache = join(home, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fixture-"));
  const bundle = await rolldown({
    input: source,
    platform: "node",
    checks: { eval: false },
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  return {
    file: join(folder, `${basename(source, ".ts")}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
