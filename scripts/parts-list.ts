import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface PartsList {
  metadata: { component: Part };
  components: Part[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

interface Part {
  "bom-ref": string;
  name: string;
  version: string;
  properties?: { name: string; value: string }[];
}

/**
 * What a user gets, as CycloneDX: the packages that are installed with Wield, and those whose code is in dist/, which must
 * have been built. `--omit=dev` of npm would leave out the second kind.
 */
export function partsList(home: string): PartsList {
  const read = (file: string) => readFileSync(join(home, file), "utf8");
  const { name, dependencies } = JSON.parse(read("package.json"));
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const all: PartsList = JSON.parse(
    execFileSync("npm", args, {
      ...{ cwd: home, encoding: "utf8", maxBuffer: 64 << 20, stdio: ["ignore", "pipe", "inherit"] },
    }),
  );
  const shipped = new Set([
    ...installed(JSON.parse(read("package-lock.json"))),
    ...bundled(read("dist/THIRD-PARTY-LICENSES.txt")),
  ]);
  const components = all.components
    .filter((part) => shipped.has(`${part.name}@${part.version}`))
    .map((part) => ({ ...part, properties: (part.properties ?? []).filter(isOfUse) }));
  const missing = [...shipped].filter(
    (one) => !components.some((part) => `${part.name}@${part.version}` === one),
  );
  for (const wanted of Object.keys(dependencies))
    if (!components.some((part) => part.name === wanted)) missing.push(wanted);
  if (missing.length > 0) throw new Error(`The list of parts of ${name} lacks ${missing.join(", ")}.`);
  // npm gives the package the name of its folder.
  const component = { ...all.metadata.component, name };
  const known = new Set([component, ...components].map((part) => part["bom-ref"]));
  return {
    ...all,
    metadata: { ...all.metadata, component },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) })),
  };
}

/** Not true of a package whose code is in dist/. */
function isOfUse({ name }: { name: string }): boolean {
  return name !== "cdx:npm:package:development";
}

function installed(lock: {
  packages: Record<string, { version: string; dev?: boolean; link?: boolean }>;
}): string[] {
  return Object.entries(lock.packages).flatMap(([place, { version, dev, link }]) =>
    dev || link || place === "" ? [] : `${place.slice(place.lastIndexOf("node_modules/") + 13)}@${version}`,
  );
}

function bundled(notices: string): string[] {
  return [...notices.matchAll(/^(@?[\w./-]+) (\d\S*) \(.*\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}
