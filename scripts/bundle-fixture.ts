// A few files of a program that tests start many times: they load in a third of the time of its sources.
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
  const packages = Object.keys(dependencies).filter((name) => !["ai", "zod"].includes(name));
  // Below node_modules, so that packages are found from there.
  const cache = join(home, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fixture-"));
  const bundle = await rolldown({
    input: source,
    platform: "node",
    // One chunk has all of Wield, so what is imported late is there early: nothing to warn about.
    checks: { eval: false, ineffectiveDynamicImport: false },
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    minify: true,
    // Finding a module costs more than reading it. Fixtures await at their top level, which what they import must not wait for.
    codeSplitting: {
      groups: [
        { name: "code", test: /\/src\/code\//, priority: 1 },
        { name: "wield", test: /\/src\/(?!.*\/fixtures\/)/ },
        { name: "zod", test: /\/node_modules\/zod\// },
        { name: "ai", test: /\/node_modules\/(ai|@ai-sdk)\// },
      ],
    },
  });
  await bundle.close();
  return {
    file: join(folder, `${basename(source, ".ts")}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
