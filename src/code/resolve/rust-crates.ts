import { posix } from "node:path";

/** The crates of a workspace, by the names under which its code reaches them. */
export class RustCrates {
  /** The main file of each, by its own name and by those that others give it: `db = { package = "store" }`. */
  readonly #roots = new Map<string, string>();
  /** What a main file passes on as a part of its crate, `pub use store as db;`: names of crates by the name there. */
  readonly #passedOn = new Map<string, Map<string, string>>();

  /** `texts`: the files `Cargo.toml`, and the main files of crates. */
  constructor(paths: ReadonlySet<string>, texts: ReadonlyMap<string, string>) {
    const manifests = [...texts].filter(([path]) => posix.basename(path) === "Cargo.toml");
    for (const [path, text] of manifests) {
      const name = /^\[package\](?:(?!^\[)[\s\S])*?^name\s*=\s*"([^"]+)"/m.exec(text)?.[1];
      const root = posix.join(posix.dirname(path), "src/lib.rs");
      if (name && paths.has(root)) this.#add(name, root);
    }
    for (const [, text] of manifests)
      for (const [, name = "", crate = ""] of text.matchAll(
        /^([\w-]+)\s*=\s*\{[^}\n]*\bpackage\s*=\s*"([^"]+)"/gm,
      )) {
        const root = this.named(crate.replaceAll("-", "_"));
        if (root) this.#add(name, root);
      }
    for (const root of new Set(this.#roots.values())) {
      const uses = (texts.get(root) ?? "").matchAll(/^\s*pub\s+use\s+(?:::)?(\w+)(?:\s+as\s+(\w+))?\s*;/gm);
      this.#passedOn.set(root, new Map(Array.from(uses, ([, crate = "", alias = crate]) => [alias, crate])));
    }
  }

  #add(name: string, root: string): void {
    const written = name.replaceAll("-", "_");
    if (!this.#roots.has(written)) this.#roots.set(written, root);
  }

  /** The main file of a crate. */
  named(name: string): string | undefined {
    return this.#roots.get(name);
  }

  /** The main file of the crate that another one's main file passes on under this name. */
  passedOn(root: string, name: string): string | undefined {
    const crate = this.#passedOn.get(root)?.get(name);
    return crate === undefined ? undefined : this.named(crate);
  }
}
