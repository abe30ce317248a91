// Bundles the sources into dist/: one file per entry point plus shared chunks, so that a command loads only what it needs.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, zstdCompressSync } from "node:zlib";
import { type OutputAsset, type OutputChunk, rolldown } from "rolldown";
import { languages } from "../src/code/languages/languages.ts";
import { grammarFile, parserFile } from "../src/code/syntax/grammar.ts";
import { pageInto } from "./build-page.ts";
import { typesInto } from "./build-types.ts";
import { noticesOf } from "./notices.ts";
import { coreFiles } from "./static-imports.ts";

const home = resolve(import.meta.dirname, "..");
const quiet = process.argv.includes("--quiet");
const { version, dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
// Development dependencies are bundled: that is faster to load and a third of the size. What a user's own types refer to, or
// what brings a program, stays a package. zod is both: its types are the user's, and bundled it loads faster.
const external = Object.keys(dependencies).filter((name) => name !== "zod");

// An ESM import of a built-in evaluates every lazy export it has (node:fs pulls in all streams); asked for by name it does
// not. Some are slow to load as a whole and used as functions and with `new` only: they wait for the first call.
const lateBuiltins = new Set(["node:crypto", "node:v8", "node:zlib"]);
const builtinsByName = {
  name: "builtins-by-name",
  transform(code: string, id: string) {
    if (!id.startsWith(join(home, "src"))) return null;
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
        return names.map((name) => late(name, module)).join("\n");
      },
    );
  },
};

/** A function that waits for its first call, or a class for its first `new`. */
function late(name: string, module: string): string {
  return /^[A-Z]/.test(name)
    ? `const ${name} = function (...given) { return new (${module}.${name})(...given); };`
    : `const ${name} = (...given) => ${module}.${name}(...given);`;
}

// Node keeps a source with any character beyond ASCII as two bytes each, which takes three times as long to load. Escapes
// mean the same in strings, templates and patterns.
const inAscii = {
  name: "in-ascii",
  generateBundle(_options: unknown, bundle: Record<string, OutputChunk | OutputAsset>) {
    for (const file of Object.values(bundle))
      if (file.type === "chunk" && ["core", "zod"].includes(file.name))
        file.code = file.code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${hex(unit.charCodeAt(0))}`);
  },
};

// What every command that opens Wield loads, in one file: finding a module costs more than reading it. The rest is split by
// import(). The code index is one more file: a question about it needs nearly all of it.
const core = coreFiles();
// Small modules that nearly every tool uses belong to it, too: elsewhere they would bring what they are put together with.
const shared =
  /src\/(?:api|events|text(?!\/(?:legacy|detect)-encoding)|tool(?!\/from-json-schema))\/|src\/tools\/files\/read-lines\.ts|node_modules\/(?:picomatch|ignore|diff)\//;
const isCore = (id: string) => core.has(id) || shared.test(id);
// What turns on the compile cache: whatever is loaded with it or before it is compiled anew by every command, so it is small.
const beforeCache =
  /src\/(cli\/compile-cache|app\/places|workspace\/(state-files|file-bytes|os-failure)|failure\/failure)\.ts/;
// Enough to read a command line and to print help.
const commandLine = /src\/(cli\/(main|command|commands|terminal)|text\/(nearest|visible|wrap))\.ts/;

const staging = join(home, `dist.${process.pid}`);
const bundle = await rolldown({
  input: {
    cli: join(home, "src/cli/wield.ts"),
    wield: join(home, "src/app/library.ts"),
    research: join(home, "src/app/research-library.ts"),
    team: join(home, "src/app/team-client.ts"),
    testing: join(home, "src/testing/testing.ts"),
    author: join(home, "src/custom/author.ts"),
    "tool-thread": join(home, "src/custom/tool-thread.ts"),
    // Started as separate threads, by file name.
    "parse-worker": join(home, "src/code/syntax/parse-worker.ts"),
    "words-worker": join(home, "src/code/word-index/words-worker.ts"),
    // A thread, so it must be a separate file.
    "page-worker": join(home, "src/web/page/page-worker.ts"),
  },
  platform: "node",
  plugins: [builtinsByName, inAscii],
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  // The parser's own code has one, in a branch that is not used.
  checks: { eval: false },
  transform: {
    define: { "process.env.WIELD_VERSION": JSON.stringify(version) },
    // Older Nodes must be able to parse it: then node-version.ts can tell them what is missing.
    target: "node20",
  },
});
const { output } = await bundle.write({
  dir: staging,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: true,
  codeSplitting: {
    groups: [
      { name: "node-version", test: /src\/app\/node-version\.ts/, priority: 3 },
      { name: "require-node", test: /src\/app\/require-node\.ts/, priority: 3 },
      { name: "before-cache", test: beforeCache, priority: 2 },
      { name: "command-line", test: commandLine, priority: 2 },
      { name: "zod", test: /node_modules\/zod\/(?!.*(from-json-schema|locales\/(?!en\.)))/, priority: 1 },
      { name: "core", test: isCore },
      {
        name: "code",
        test: /src\/code\/(?!syntax\/parse-worker|word-index\/words-worker)|src\/tools\/explore\/code-answers\.ts/,
      },
    ],
  },
});
const inPage = await pageInto(join(staging, "ui"));
if (!quiet && !typesInto(join(staging, "types"))) {
  rmSync(staging, { recursive: true, force: true });
  process.exit(1);
}
// The WebAssembly file of the parser, and the grammars in use, compressed to a thirteenth.
const [parser, ...grammars] = [parserFile, ...languages.map(grammarFile)].map((file) =>
  fileURLToPath(import.meta.resolve(file)),
) as [string, ...string[]];
cpSync(parser, join(staging, "grammars", basename(parser)));
const params = { [constants.ZSTD_c_compressionLevel]: 9 };
for (const file of grammars)
  writeFileSync(
    join(staging, "grammars", `${basename(file)}.zst`),
    zstdCompressSync(readFileSync(file), { params }),
  );
cpSync(join(home, "src/discovery/word-table.bin"), join(staging, "word-table.bin"));
cpSync(join(home, "src/discovery/skills"), join(staging, "skills"), { recursive: true });
writeFileSync(
  join(staging, "THIRD-PARTY-LICENSES.txt"),
  noticesOf([...output.flatMap(modulesOf), ...inPage, parser, ...grammars]),
);
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

function hex(unit: number): string {
  return unit.toString(16).padStart(4, "0");
}

function modulesOf(file: OutputChunk | OutputAsset): string[] {
  return file.type === "chunk" ? Object.keys(file.modules) : [];
}
