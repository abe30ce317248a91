// Bundles the sources into dist/: one file per door plus shared chunks, so that a command loads only what it needs.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { pageInto } from "./build-page.ts";

const home = resolve(import.meta.dirname, "..");
const quiet = process.argv.includes("--quiet");
const { version, dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
// Small pure libraries are bundled for start-up time; the rest stay packages, found at run time.
const bundled = new Set(["zod", "picomatch", "ignore", "diff", "@clack/prompts"]);
const external = Object.keys(dependencies).filter((name) => !bundled.has(name));

// An ESM import of a built-in evaluates every lazy export it has (node:fs pulls in all streams); asked for by name it does
// not. Some are slow to load as a whole and used as functions only: they wait for the first call.
const lateBuiltins = new Set(["node:crypto", "node:v8"]);
const builtinsByName = {
  name: "builtins-by-name",
  transform(code: string) {
    return code.replaceAll(
      /^import \{([^}]*)\} from "(node:[\w/]+)";$/gm,
      (_line, list: string, builtin: string) => {
        const names = list
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "" && !name.startsWith("type "));
        const module = `process.getBuiltinModule("${builtin}")`;
        if (!lateBuiltins.has(builtin))
          return `const { ${names.map((name) => name.replace(" as ", ": ")).join(", ")} } = ${module};`;
        return names.map((name) => `const ${name} = (...given) => ${module}.${name}(...given);`).join("\n");
      },
    );
  },
};

// What every command loads, in one file: finding a module costs more than reading it. The rest is split by import().
// The index of the code is one more file: a question about it needs nearly all.
// app/places.ts stays apart: the entry needs it to find the code cache, before anything large is compiled.
const core =
  /src\/(failure|api|events|text|tool(?!\/from-json-schema)|workspace|approval|runtime|registry|store|toolsets|discovery)\/|src\/tools\/(files\/files|explore\/explore|git\/git|run\/run|web\/web|studio\/studio|agent\/agent)\.ts|src\/app\/(wield|require-outside|preferences|local-rules|notes|settings|trust|web|tool-collection|tool-sources|extra-tools)\.ts|src\/cli\/(main|call|open|outcome|command|commands|terminal|run-options|waiting-line)\.ts|src\/code\/(word-index\/last-survey|files\/workspace-files)\.ts|node_modules\/(picomatch|ignore|diff)\//;

const staging = join(home, `dist.${process.pid}`);
const bundle = await rolldown({
  input: {
    cli: join(home, "src/cli/wield.ts"),
    wield: join(home, "src/app/library.ts"),
    research: join(home, "src/app/research-library.ts"),
    testing: join(home, "src/testing/testing.ts"),
    author: join(home, "src/custom/author.ts"),
    "tool-thread": join(home, "src/custom/tool-thread.ts"),
    // Started as threads of their own, by name.
    "parse-worker": join(home, "src/code/syntax/parse-worker.ts"),
    "words-worker": join(home, "src/code/word-index/words-worker.ts"),
    // A thread, so it must be a file of its own.
    "page-worker": join(home, "src/web/page/page-worker.ts"),
  },
  platform: "node",
  plugins: [builtinsByName],
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  transform: { define: { "process.env.WIELD_VERSION": JSON.stringify(version) } },
});
await bundle.write({
  dir: staging,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: true,
  codeSplitting: {
    groups: [
      { name: "places", test: /src\/app\/places\.ts/, priority: 2 },
      { name: "zod", test: /node_modules\/zod\/(?!.*(from-json-schema|locales\/(?!en\.)))/, priority: 1 },
      { name: "core", test: core },
      {
        name: "code",
        test: /src\/code\/(?!syntax\/parse-worker|word-index\/words-worker)|src\/tools\/explore\/code-answers\.ts/,
      },
    ],
  },
});
await pageInto(join(staging, "ui"));
if (!quiet) {
  const { status } = spawnSync(
    "tsc",
    [
      "--noEmit",
      "false",
      "--declaration",
      "--emitDeclarationOnly",
      "--rewriteRelativeImportExtensions",
      "--rootDir",
      "src",
      "--outDir",
      join(staging, "types"),
      "-p",
      "tsconfig.build.json",
    ],
    { stdio: "inherit", cwd: home },
  );
  if (status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    process.exit(1);
  }
}
cpSync(join(home, "src/discovery/word-table.bin"), join(staging, "word-table.bin"));
cpSync(join(home, "src/discovery/skills"), join(staging, "skills"), { recursive: true });
writeFileSync(join(staging, ".built"), `${version}\n`);
const dist = join(home, "dist");
// Two processes may build at once: the last one wins, and each leaves a whole dist/.
if (existsSync(dist)) renameSync(dist, `${staging}.old`);
try {
  renameSync(staging, dist);
} catch {
  rmSync(staging, { recursive: true, force: true });
}
rmSync(`${staging}.old`, { recursive: true, force: true });
if (!quiet) console.log(`built dist/ (${version})`);
