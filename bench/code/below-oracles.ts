// What stands below a type or method, told by compilers and language servers.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, delimiter, join, relative } from "node:path";
import { ts } from "@ts-morph/common";
import type { Definition } from "../../src/code/resolve/definitions.ts";
import { LanguageServer } from "./language-server.ts";

export interface BelowOracle {
  language: string;
  program: string;
  /** Places below as `file:line`; undefined where it cannot be had. */
  open(
    root: string,
    files: readonly string[],
  ): Promise<
    { below(definition: Definition): Promise<ReadonlySet<string> | undefined>; close(): void } | undefined
  >;
}

export const belowOracles: readonly BelowOracle[] = [
  { language: "Java", program: "java", open: async (root, files) => openPairs(javaPairs(root, files)) },
  {
    language: "TypeScript",
    program: "typescript",
    open: async (root, files) => openPairs(typescriptPairs(root, files)),
  },
  {
    language: "Python",
    program: "python3",
    open: async (root, files) => openPairs(pythonPairs(root, files)),
  },
  {
    language: "Go",
    program: "gopls",
    open: (root, files) => openServer(root, files, ["gopls", "serve"], "go"),
  },
  {
    language: "C++",
    program: "clangd",
    open: openClangd,
  },
];

type Pairs = Map<string, Set<string>>;

function openPairs(pairs: Pairs | undefined) {
  return (
    pairs && {
      below: async ({ file, declaration: { line } }: Definition) => pairs.get(`${file}:${line}`),
      close: () => {},
    }
  );
}

async function openServer(root: string, files: readonly string[], command: readonly string[], id: string) {
  if (!isInstalled(command[0] ?? "")) return undefined;
  const client = await LanguageServer.start(root, command);
  for (const file of files) await client.open(file, id);
  return {
    below: async ({ file, declaration: { name, nameStart } }: Definition) => {
      const at = client.text(file).indexOf(name, nameStart);
      const found = await client.implementations(file, at);
      return new Set(found.map((place) => `${place.file}:${lineAt(client.text(place.file), place.offset)}`));
    },
    close: () => client.close(),
  };
}

/** clangd tells types apart by their names: below one that a source file keeps to itself is nothing of other files. */
async function openClangd(root: string, files: readonly string[]) {
  const server = await openServer(root, files, ["clangd", "--background-index=false", "--log=error"], "cpp");
  if (!server) return undefined;
  const included = new Set(
    files
      .flatMap((file) => [
        ...readFileSync(join(root, file), "utf8").matchAll(/#\s*include\s*["<]([^">\n]+)/g),
      ])
      .map(([, path = ""]) => basename(path)),
  );
  const isKept = (file: string) => /\.(?:cc|cpp|cxx)$/.test(file) && !included.has(basename(file));
  return {
    ...server,
    below: async (definition: Definition) => {
      const found = await server.below(definition);
      const { file } = definition;
      return isKept(file) ? new Set([...found].filter((place) => place.startsWith(`${file}:`))) : found;
    },
  };
}

/** Lines of four columns: file and line above, file and line below. */
function readPairs(lines: string): Pairs {
  const pairs: Pairs = new Map();
  for (const line of lines.split("\n")) {
    const [file, at, below, belowAt] = line.split("\t");
    if (belowAt === undefined) continue;
    const key = `${file}:${at}`;
    pairs.set(key, (pairs.get(key) ?? new Set()).add(`${below}:${belowAt}`));
  }
  return pairs;
}

function javaPairs(root: string, files: readonly string[]): Pairs | undefined {
  if (!isInstalled("java")) return undefined;
  const program = join(import.meta.dirname, "JavaOverrides.java");
  const { stdout } = spawnSync("java", [program, root, ...files], { encoding: "utf8", maxBuffer: 1 << 28 });
  return readPairs(stdout);
}

/** The classes of every module that can be imported, as Python itself orders them. */
function pythonPairs(root: string, files: readonly string[]): Pairs | undefined {
  if (!isInstalled("python3")) return undefined;
  const program = join(import.meta.dirname, "overrides.py");
  const { stdout } = spawnSync("python3", [program, root, ...files], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return readPairs(stdout);
}

function typescriptPairs(root: string, files: readonly string[]): Pairs {
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    },
  );
  const checker = program.getTypeChecker();
  const pairs: Pairs = new Map();
  const placeOf = (node: ts.Node | undefined) => {
    const name = node && ts.getNameOfDeclaration(node as ts.Declaration);
    if (!name) return undefined;
    const source = name.getSourceFile();
    const { line } = source.getLineAndCharacterOfPosition(name.getStart());
    return `${relative(root, source.fileName)}:${line + 1}`;
  };
  const add = (above: ts.Node | undefined, below: ts.Node | undefined) => {
    const [from, to] = [placeOf(above), placeOf(below)];
    if (from && to && from !== to) pairs.set(from, (pairs.get(from) ?? new Set()).add(to));
  };
  const parents = (type: ts.ClassLikeDeclaration | ts.InterfaceDeclaration) =>
    (type.heritageClauses ?? [])
      .flatMap((clause) => clause.types)
      .flatMap((one) => checker.getTypeAtLocation(one).getSymbol()?.declarations ?? [])
      .filter((one) => ts.isClassLike(one) || ts.isInterfaceDeclaration(one));
  const above = (
    type: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
    seen = new Set<ts.Node>(),
  ): Set<ts.Node> => {
    for (const parent of parents(type)) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      above(parent as ts.ClassLikeDeclaration, seen);
    }
    return seen;
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) && node.name) {
      for (const parent of above(node)) {
        add(parent, node);
        const theirs = (parent as ts.ClassLikeDeclaration).members;
        for (const member of node.members) {
          const isMethod = ts.isMethodDeclaration(member) && member.body;
          if (!isMethod) continue;
          for (const other of theirs)
            if (
              (ts.isMethodDeclaration(other) || ts.isMethodSignature(other)) &&
              other.name.getText() === member.name.getText()
            )
              add(other, member);
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const source of program.getSourceFiles()) if (!source.fileName.includes("node_modules")) visit(source);
  return pairs;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((part) => existsSync(join(part, program)));
}
