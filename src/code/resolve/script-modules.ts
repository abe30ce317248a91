import { posix } from "node:path";

const extensions = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
/** What a compiled name was written as. */
const sourceOf: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.jsx?$/, [".ts", ".tsx", ".d.ts"]],
  [/\.mjs$/, [".mts", ".d.mts"]],
  [/\.cjs$/, [".cts", ".d.cts"]],
];

interface PathRules {
  folder: string;
  base: string | undefined;
  paths: [pattern: string, targets: string[]][];
}

/** Module names of JavaScript and TypeScript: relative, tsconfig `paths`, package `imports` and `exports`, workspaces. */
export class ScriptModules {
  readonly #paths: ReadonlySet<string>;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #rules = new Map<string, PathRules | undefined>();
  readonly #packages = new Map<string, { folder: string; manifest: Record<string, unknown> }>();

  constructor(paths: ReadonlySet<string>, texts: ReadonlyMap<string, string>) {
    this.#paths = paths;
    this.#texts = texts;
    for (const [path, text] of texts) {
      if (posix.basename(path) !== "package.json") continue;
      const manifest = parseLoosely(text);
      const name = manifest["name"];
      if (typeof name === "string") this.#packages.set(name, { folder: posix.dirname(path), manifest });
    }
  }

  resolve(folder: string, module: string): string[] {
    const found =
      /^\.{0,2}\//.test(module) || module === "." || module === ".."
        ? this.#file(posix.join(folder, module))
        : this.#named(folder, module);
    return found ? [found] : [];
  }

  /** The names of the packages around a file, and what tsconfigs and packages call by a fixed name of their own. */
  aliasesOf(path: string): string[] {
    const packages = [...this.#packages].filter(
      ([, { folder }]) => folder === "." || path.startsWith(`${folder}/`),
    );
    const fixed = packages.flatMap(([, { manifest }]) => Object.keys((manifest["imports"] ?? {}) as object));
    const configured = [...this.#texts.keys()]
      .filter((file) => /[tj]sconfig[^/]*\.json$/.test(file))
      .flatMap((file) => this.#readRules(file, 0)?.paths.map(([pattern]) => pattern) ?? []);
    return [
      ...packages.map(([name]) => name),
      ...[...fixed, ...configured].filter((name) => !name.includes("*")),
    ];
  }

  /** Whether a module is, or is in, a package of this workspace. */
  isOwn(module: string): boolean {
    return this.#packages.has(packageName(module));
  }

  /** A file by its path with or without extension, by its compiled name, or a folder by its main file or index. */
  #file(path: string): string | undefined {
    if (this.#paths.has(path)) return path;
    for (const [compiled, written] of sourceOf) {
      if (!compiled.test(path)) continue;
      const source = written
        .map((extension) => path.replace(compiled, extension))
        .find((file) => this.#paths.has(file));
      if (source) return source;
    }
    const file = extensions.map((extension) => path + extension).find((one) => this.#paths.has(one));
    return file ?? this.#mainFile(path) ?? this.#indexFile(path);
  }

  /** What the manifest of a folder names as its main file. */
  #mainFile(folder: string): string | undefined {
    const manifest = this.#texts.get(posix.join(folder, "package.json"));
    const main = manifest === undefined ? undefined : parseLoosely(manifest)["main"];
    if (typeof main !== "string") return undefined;
    const path = posix.join(folder, main);
    return path === folder ? undefined : (this.#file(path) ?? this.#indexFile(path));
  }

  #indexFile(folder: string): string | undefined {
    return extensions
      .map((extension) => posix.join(folder, `index${extension}`))
      .find((file) => this.#paths.has(file));
  }

  #named(folder: string, module: string): string | undefined {
    const rules = this.#rulesFor(folder);
    for (const [pattern, targets] of rules?.paths ?? []) {
      const star = matchStar(pattern, module);
      if (star === undefined) continue;
      for (const target of targets) {
        const file = this.#file(posix.join(rules?.base ?? rules?.folder ?? ".", target.replace("*", star)));
        if (file) return file;
      }
    }
    if (rules?.base !== undefined) {
      const file = this.#file(posix.join(rules.base, module));
      if (file) return file;
    }
    return module.startsWith("#") ? this.#imports(folder, module) : this.#package(module);
  }

  /** The path rules of the nearest tsconfig or jsconfig, with what it extends. */
  #rulesFor(folder: string): PathRules | undefined {
    if (this.#rules.has(folder)) return this.#rules.get(folder);
    const config = ["tsconfig.json", "jsconfig.json"]
      .map((name) => posix.join(folder, name))
      .find((path) => this.#texts.has(path));
    const own = config ? this.#readRules(config, 0) : undefined;
    const rules = own ?? (folder === "." ? undefined : this.#rulesFor(posix.dirname(folder)));
    this.#rules.set(folder, rules);
    return rules;
  }

  #readRules(path: string, depth: number): PathRules | undefined {
    const text = this.#texts.get(path);
    if (text === undefined || depth > 5) return undefined;
    const config = parseLoosely(text);
    const folder = posix.dirname(path);
    const options = (config["compilerOptions"] ?? {}) as { baseUrl?: unknown; paths?: unknown };
    const parents = [config["extends"]]
      .flat()
      .filter((parent): parent is string => typeof parent === "string" && parent.startsWith("."));
    const inherited = parents
      .map((parent) =>
        this.#readRules(posix.join(folder, parent.endsWith(".json") ? parent : `${parent}.json`), depth + 1),
      )
      .find(Boolean);
    if (options.baseUrl === undefined && options.paths === undefined) return inherited;
    return {
      folder,
      base: typeof options.baseUrl === "string" ? posix.join(folder, options.baseUrl) : undefined,
      paths: Object.entries((options.paths ?? {}) as Record<string, string[]>),
    };
  }

  #imports(folder: string, module: string): string | undefined {
    for (let at = folder; ; at = posix.dirname(at)) {
      const text = this.#texts.get(posix.join(at, "package.json"));
      if (text !== undefined)
        return this.#mapped(at, (parseLoosely(text)["imports"] ?? {}) as Record<string, unknown>, module);
      if (at === ".") return undefined;
    }
  }

  /** A package of this workspace, by name. */
  #package(module: string): string | undefined {
    const name = packageName(module);
    const found = this.#packages.get(name);
    if (!found) return undefined;
    const { folder, manifest } = found;
    const inside = `.${module.slice(name.length)}`;
    const exports = manifest["exports"];
    const table =
      typeof exports === "string" || (exports && !Object.keys(exports).some((key) => key.startsWith(".")))
        ? { ".": exports }
        : exports;
    const mapped = table ? this.#mapped(folder, table as Record<string, unknown>, inside) : undefined;
    if (mapped) return mapped;
    if (inside === ".") return this.#mainSource(folder, manifest);
    return this.#file(posix.join(folder, inside)) ?? this.#file(posix.join(folder, "src", inside));
  }

  /** The source of what a package is as a whole. */
  #mainSource(folder: string, manifest: Record<string, unknown>): string | undefined {
    const named = ["source", "types", "module", "main"].map((field) => manifest[field]);
    const mains = [...named.filter((value) => typeof value === "string"), "index.js", "src/index.js"];
    for (const main of mains) {
      const file = this.#sourceFor(folder, main);
      if (file) return file;
    }
    return undefined;
  }

  #mapped(folder: string, table: Record<string, unknown>, module: string): string | undefined {
    for (const [pattern, target] of Object.entries(table)) {
      const star = matchStar(pattern, module);
      if (star === undefined) continue;
      for (const path of targetsOf(target)) {
        const file = this.#sourceFor(folder, path.replace("*", star));
        if (file) return file;
      }
    }
    return undefined;
  }

  /** What a package points to is often built and not here: then the source it was built from. */
  #sourceFor(folder: string, target: string): string | undefined {
    const built = posix.join(folder, target);
    const source = built.replace(
      /(^|\/)(?:dist|lib|build|out|es|es6|esm|cjs|types)\/(?:(?:esm|cjs|types)\/)?/,
      "$1src/",
    );
    return this.#file(built) ?? this.#file(source) ?? this.#file(source.replace(/(?:\.d)?\.[cm]?[jt]s$/, ""));
  }
}

/** `@scope/name` of `@scope/name/part`. */
function packageName(module: string): string {
  const parts = module.split("/");
  return parts.slice(0, module.startsWith("@") ? 2 : 1).join("/");
}

/** What the star stands for; "" for a pattern without one that is equal. */
function matchStar(pattern: string, module: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === module ? "" : undefined;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits = module.length >= head.length + tail.length && module.startsWith(head) && module.endsWith(tail);
  return fits ? module.slice(head.length, module.length - tail.length) : undefined;
}

function targetsOf(target: unknown): string[] {
  if (typeof target === "string") return [target];
  return target && typeof target === "object" ? Object.values(target).flatMap(targetsOf) : [];
}

/** JSON as configuration files write it: with comments and trailing commas. */
function parseLoosely(text: string): Record<string, unknown> {
  const plain = text
    .replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith('"') ? part : ""))
    .replace(/,(?=\s*[}\]])/g, "");
  try {
    const value: unknown = JSON.parse(plain);
    return value && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
