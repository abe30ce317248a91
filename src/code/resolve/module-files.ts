import { posix } from "node:path";
import { type ImportStyle, unknownPath } from "../languages/language.ts";
import type { Project } from "../project/project.ts";
import { RustCrates } from "./rust-crates.ts";
import { ScriptModules } from "./script-modules.ts";

/**
 * From what an import says to the files it means, within the workspace. A module outside of it leads nowhere.
 * Made for one state of the files; a new one is made when they change.
 */
export class ModuleFiles {
  readonly #paths: ReadonlySet<string>;
  readonly #byName = new Map<string, string[]>();
  readonly #byFolder = new Map<string, string[]>();
  readonly #scripts: ScriptModules;
  readonly #texts: ReadonlyMap<string, string>;
  /** Folders by the last part of their path. */
  #folders?: ReadonlyMap<string, string[]>;
  readonly #crates: RustCrates;

  private constructor(paths: ReadonlySet<string>, texts: ReadonlyMap<string, string>) {
    this.#paths = paths;
    this.#texts = texts;
    this.#scripts = new ScriptModules(paths, texts);
    this.#crates = new RustCrates(paths, texts);
    for (const path of paths) {
      push(this.#byName, posix.basename(path), path);
      push(this.#byFolder, posix.dirname(path), path);
    }
  }

  /** Reads the few files that say how modules are named: tsconfig, package.json, go.mod, Cargo.toml and the main file of a crate. */
  static async of(project: Project): Promise<ModuleFiles> {
    const paths = new Set<string>();
    const texts = new Map<string, string>();
    for (const { path } of project.words.files()) paths.add(path);
    for (const path of paths) {
      const isNaming = /(?:^|\/)(?:[tj]sconfig[^/]*\.json|package\.json|go\.mod|Cargo\.toml)$/.test(path);
      const isOfCrate =
        /(?:^|\/)src\/lib\.rs$/.test(path) && paths.has(path.replace("src/lib.rs", "Cargo.toml"));
      if (!isNaming && !isOfCrate) continue;
      texts.set(path, await project.source(path).catch(() => ""));
    }
    return new ModuleFiles(paths, texts);
  }

  /** The files that `module`, as written in `from`, means; several where a package is a folder. */
  resolve(style: ImportStyle, from: string, module: string): string[] {
    switch (style) {
      case "path":
        return this.#scripts.resolve(posix.dirname(from), module);
      case "load path":
        return this.#onLoadPath(from, module);
      case "python":
        return this.#python(from, module);
      case "go":
        return this.#go(module);
      case "rust":
        return this.#rust(from, module);
      case "java":
        return this.#java(module);
      case "include":
        return this.#include(from, module);
      case "name":
        // What PHP includes is a file.
        if (/\/|\.(?:php|phtml|inc)$/.test(module)) return this.#include(from, module);
        return this.#byEnding(module.split(/[\\.]/), ["php", "cs", "swift"]);
    }
  }

  /** Names other than its path under which a file may be imported: its package's, and fixed aliases. */
  aliasesOf(path: string): string[] {
    return this.#scripts.aliasesOf(path);
  }

  /** Whether a module belongs to a package of this workspace, even if no file of it is found. */
  isOwn(style: ImportStyle, module: string): boolean {
    return style === "path" && this.#scripts.isOwn(module);
  }

  /** A word that an import of the file must write: of its name, its folder or a fixed alias. */
  wordsOf(path: string): string[] {
    const name = posix.basename(path).replace(/\.d\.\w+$|\.\w+$/, "");
    const folder = /^(?:index|__init__|mod|lib|main)$/.test(name)
      ? [posix.basename(posix.dirname(path))]
      : [];
    return [name, ...folder, ...this.aliasesOf(path)].flatMap(
      (part) => part.split(/[^\p{L}\p{N}_$]+/u).sort((a, b) => b.length - a.length)[0] || [],
    );
  }

  #onLoadPath(from: string, module: string): string[] {
    if (module.startsWith(unknownPath)) return this.#endingIn(module.slice(unknownPath.length));
    const folder = posix.dirname(from);
    const extensions = ["rb", "lua", "sh", "bash"];
    const paths = [
      posix.join(folder, module),
      module,
      `${posix.join(folder, module)}/init`,
      `${module}/init`,
    ];
    const near = paths.map((path) => this.#firstOf(path, extensions)).find((file) => file !== undefined);
    if (near) return [near];
    const below = this.#bySuffix(module, extensions);
    return below.length > 0 ? below : this.#bySuffix(`${module}/init`, extensions);
  }

  /** All files that a path may mean of which only the end is known. */
  #endingIn(path: string): string[] {
    const end = posix.normalize(path).replace(/^\/(?:\.\.\/)*/, "/");
    return (this.#byName.get(posix.basename(end)) ?? []).filter((file) => `/${file}`.endsWith(end));
  }

  #python(from: string, module: string): string[] {
    const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(module) ?? [];
    const tail = rest.replaceAll(".", "/");
    if (dots) {
      const base = posix.join(posix.dirname(from), "../".repeat(dots.length - 1));
      return this.#pythonModule(tail ? posix.join(base, tail) : base);
    }
    // From the root of the package the file is in, from the workspace's root, then from any source folder.
    let top = posix.dirname(from);
    while (this.#paths.has(posix.join(top, "__init__.py"))) top = posix.dirname(top);
    for (const base of new Set([top, ".", "src", "lib"])) {
      const found = this.#pythonModule(posix.join(base, tail));
      if (found.length > 0) return found;
    }
    // A plain name could be anything; a dotted one that fits the end of a path is that path.
    if (!tail.includes("/")) return [];
    const name = posix.basename(tail);
    const candidates = [
      ...(this.#byName.get(`${name}.py`) ?? []),
      ...(this.#byName.get("__init__.py") ?? []),
    ];
    return candidates
      .filter((path) => path.endsWith(`/${tail}.py`) || path.endsWith(`/${tail}/__init__.py`))
      .slice(0, 1);
  }

  #pythonModule(path: string): string[] {
    return [`${path}.py`, posix.join(path, "__init__.py"), `${path}.pyi`]
      .filter((file) => this.#paths.has(file))
      .slice(0, 1);
  }

  /** A name imported from a Python package may be a module of it. */
  pythonSubmodule(from: string, module: string, name: string): string[] {
    return this.#python(from, /^\.*$/.test(module) ? `${module}${name}` : `${module}.${name}`);
  }

  #go(module: string): string[] {
    for (const [path, text] of this.#texts) {
      const prefix = path.endsWith("go.mod") ? /^module\s+(\S+)/m.exec(text)?.[1] : undefined;
      if (prefix === undefined || (module !== prefix && !module.startsWith(`${prefix}/`))) continue;
      const folder = posix.join(posix.dirname(path), module.slice(prefix.length));
      const found = this.#goFiles(folder);
      if (found.length > 0) return found;
    }
    for (const base of ["vendor", "staging/src", "src"]) {
      const found = this.#goFiles(posix.join(base, module));
      if (found.length > 0) return found;
    }
    return [];
  }

  #goFiles(folder: string): string[] {
    return (this.#byFolder.get(folder) ?? []).filter(
      (file) => file.endsWith(".go") && !file.endsWith("_test.go"),
    );
  }

  /** The file of a module that is imported by its name: `use crate::{name, other::Type}`. */
  rustSubmodule(from: string, module: string, name: string): string[] {
    return this.#rust(from, module === "" ? name : `${module}::${name}`).filter((file) =>
      new RegExp(`(?:^|/)${RegExp.escape(name)}(?:\\.rs|/mod\\.rs)$`).test(file),
    );
  }

  /** `crate::a::b`, `self::a`, `super::a`, `a::b` of a crate in the workspace: the deepest part that is a file. */
  #rust(from: string, module: string): string[] {
    // `#[path = "other.rs"] mod name;`
    if (module.endsWith(".rs"))
      return [posix.join(posix.dirname(from), module)].filter((path) => this.#paths.has(path));
    const parts = module.split("::").filter(Boolean);
    let folder = moduleFolder(from);
    if (parts[0] === "crate") {
      folder = posix.dirname(this.#crateRoot(from) ?? from);
      parts.shift();
    } else if (parts[0] === "self" || parts[0] === "super") {
      while (parts[0] === "self" || parts[0] === "super") {
        if (parts.shift() === "super") folder = posix.dirname(folder);
      }
    } else {
      const root = this.#crates.named(parts[0] ?? "");
      // What is no crate may be a module of this one.
      const isModule = [`${parts[0]}.rs`, `${parts[0]}/mod.rs`].some((file) =>
        this.#paths.has(posix.join(folder, file)),
      );
      if (!root && !isModule) return [];
      if (root) {
        folder = posix.dirname(root);
        parts.shift();
      }
    }
    const passedOn = this.#crates.passedOn(`${folder}/lib.rs`, parts[0] ?? "");
    if (passedOn) {
      folder = posix.dirname(passedOn);
      parts.shift();
    }
    for (let length = parts.length; length > 0; length--) {
      const path = posix.join(folder, ...parts.slice(0, length));
      const file = [`${path}.rs`, `${path}/mod.rs`].find((candidate) => this.#paths.has(candidate));
      if (file) return [file];
    }
    const own = [`${folder}.rs`, `${folder}/mod.rs`, `${folder}/lib.rs`, `${folder}/main.rs`];
    return own.filter((file) => this.#paths.has(file)).slice(0, 1);
  }

  #crateRoot(from: string): string | undefined {
    for (let folder = posix.dirname(from); ; folder = posix.dirname(folder)) {
      const root = ["lib.rs", "main.rs"]
        .map((name) => posix.join(folder, name))
        .find((file) => this.#paths.has(file));
      if (root || folder === ".") return root;
    }
  }

  /** A class, a member of a class, or a package with everything in it. */
  #java(module: string): string[] {
    const path = module.replaceAll(".", "/");
    const extensions = ["java", "kt", "scala"];
    for (const name of [path, posix.dirname(path)]) {
      const found = this.#bySuffix(name, extensions);
      if (found.length > 0) return found;
    }
    const inPackage = this.#foldersNamed(posix.basename(path)).filter(
      (folder) => folder === path || folder.endsWith(`/${path}`),
    );
    return inPackage.flatMap((folder) =>
      (this.#byFolder.get(folder) ?? []).filter((file) => /\.(?:java|kts?|scala)$/.test(file)),
    );
  }

  #foldersNamed(name: string): string[] {
    this.#folders ??= Map.groupBy(this.#byFolder.keys(), (folder) => posix.basename(folder));
    return this.#folders.get(name) ?? [];
  }

  #include(from: string, module: string): string[] {
    const near = [posix.join(posix.dirname(from), module), posix.normalize(module)].find((path) =>
      this.#paths.has(path),
    );
    if (near) return [near];
    const named = this.#byName.get(posix.basename(module)) ?? [];
    // `<../lib/store.cc>` begins in some folder of headers that is not known.
    const ending = posix.normalize(module).replace(/^(?:\.\.\/)+/, "");
    return named.filter((path) => `/${path}`.endsWith(`/${ending}`)).slice(0, 1);
  }

  /** A namespace is mapped to folders by rules elsewhere: the file whose path ends most like it. */
  #byEnding(parts: readonly string[], extensions: readonly string[]): string[] {
    const named = extensions.flatMap((extension) => this.#byName.get(`${parts.at(-1)}.${extension}`) ?? []);
    const [best] = named
      .map((file) => ({ file, shared: sharedEnding(parts, file.replace(/\.\w+$/, "").split("/")) }))
      .sort((a, b) => b.shared - a.shared);
    return best && (best.shared > 1 || parts.length === 1) ? [best.file] : [];
  }

  #firstOf(path: string, extensions: readonly string[]): string | undefined {
    return [path, ...extensions.map((extension) => `${path}.${extension}`)].find((file) =>
      this.#paths.has(file),
    );
  }

  #bySuffix(path: string, extensions: readonly string[]): string[] {
    const found = extensions.flatMap(
      (extension) => this.#byName.get(`${posix.basename(path)}.${extension}`) ?? [],
    );
    return found
      .filter((file) => `/${file}`.replace(/\.\w+$/, "").endsWith(`/${path.replace(/^\/|\.\w+$/g, "")}`))
      .slice(0, 1);
  }
}

/** How many of the last parts are the same, in any case. */
function sharedEnding(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && a.at(-1 - shared)?.toLowerCase() === b.at(-1 - shared)?.toLowerCase()) shared++;
  return shared;
}

/** The folder that holds the modules declared in a file: `a/mod.rs` and `a/lib.rs` speak for `a`, `a/b.rs` for `a/b`. */
function moduleFolder(path: string): string {
  return /(?:^|\/)(?:mod|lib|main)\.rs$/.test(path) ? posix.dirname(path) : path.replace(/\.rs$/, "");
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
