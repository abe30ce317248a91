// What every name in a Rust crate means to the compiler: rustdoc writes the sources as pages in which names lead to their
// declarations. Crates that need others cannot be compiled here and tell nothing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";

export interface RustUse {
  name: string;
  file: string;
  offset: number;
  /** Where it is declared: a file and its lines. */
  home: string;
  start: number;
  end: number;
}

/** The uses in all crates of a repository whose root is a library without dependencies. */
export function rustUses(root: string, manifests: readonly string[]): RustUse[] {
  return manifests.flatMap((manifest) => {
    const folder = dirname(manifest);
    const text = readFileSync(join(root, manifest), "utf8");
    const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1]?.replaceAll("-", "_");
    return name && existsSync(join(root, folder, "src/lib.rs")) ? usesOfCrate(root, folder, name, text) : [];
  });
}

function usesOfCrate(root: string, folder: string, name: string, manifest: string): RustUse[] {
  const out = mkdtempSync(join(tmpdir(), "wield-rustdoc-"));
  const features = /^\[features\]\n((?:(?!^\[).*\n?)*)/m.exec(manifest)?.[1] ?? "";
  const dependencies = /^\[dependencies\]/m.test(manifest);
  const named = dependencies
    ? ["std"]
    : [...features.matchAll(/^([\w-]+)\s*=/gm)].map(([, one]) => one ?? "");
  try {
    const edition = /^edition\s*=\s*"(\d+)"/m.exec(manifest)?.[1] ?? "2021";
    const { status, stderr } = spawnSync(
      "rustdoc",
      [
        ...["-Z", "unstable-options", "--generate-link-to-definition", "--document-private-items"],
        ...["--edition", edition, "--crate-name", name, "--cap-lints", "allow", "-o", out],
        ...named.flatMap((one) => ["--cfg", `feature="${one}"`]),
        join(root, folder, "src/lib.rs"),
      ],
      { encoding: "utf8", env: { ...process.env, RUSTC_BOOTSTRAP: "1" } },
    );
    if (status !== 0) {
      console.log(`  rustdoc cannot read ${folder}: ${/^error.*/m.exec(stderr)?.[0]}`);
      return [];
    }
    const pages = join(out, "src", name);
    return (readdirSync(pages, { recursive: true }) as string[])
      .filter((page) => page.endsWith(".rs.html"))
      .flatMap((page) =>
        usesOnPage(root, posix.join(folder, "src"), page, readFileSync(join(pages, page), "utf8")),
      );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function usesOnPage(root: string, folder: string, page: string, html: string): RustUse[] {
  const file = posix.join(folder, page.replace(/\.html$/, ""));
  const source = readFileSync(join(root, file), "utf8");
  const code = html
    .slice(html.indexOf('<pre class="rust">'), html.lastIndexOf("</pre>"))
    .replace(/<a href=#\d+ id=\d+ data-nosnippet>\d+<\/a>/g, "");
  const found: RustUse[] = [];
  let text = "";
  let link: { href: string; from: number } | undefined;
  for (const [part, tag] of code.matchAll(/<([^>]*)>|[^<]+/g)) {
    if (tag === undefined) text += unescaped(part);
    else if (/^a\b/.test(tag)) link = { href: /href="([^"]*)"/.exec(tag)?.[1] ?? "", from: text.length };
    else if (tag === "/a" && link) {
      const to = /^([^#]*?)(?:\.html)?#(\d+)(?:-(\d+))?$/.exec(link.href);
      const name = /\w+$/.exec(text.slice(link.from))?.[0];
      if (to && name && !link.href.includes("://")) {
        const home = to[1] ? posix.join(folder, posix.dirname(page), to[1]) : file;
        const start = Number(to[2]);
        found.push({
          name,
          file,
          offset: text.length - name.length,
          home,
          start,
          end: Number(to[3] ?? start),
        });
      }
      link = undefined;
    }
  }
  // Offsets are those of the file only when the page shows all of it.
  return text.trimEnd() === source.trimEnd() ? found : [];
}

const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name] ?? "");
