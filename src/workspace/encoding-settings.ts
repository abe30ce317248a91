import { Failure } from "../failure/failure.ts";
import { encodingNamed } from "../text/encoding-names.ts";
import { globMatcher, isBoundedGlob } from "../text/glob.ts";
import { joinPath, nameOf, parentOf } from "./path.ts";
import type { Workspace } from "./workspace.ts";

const maxBytes = 100_000;

/** The encoding that `.gitattributes` (working-tree-encoding) or `.editorconfig` (charset) names for a path; the nearest file decides. */
export async function encodingSetting(
  workspace: Pick<Workspace, "read">,
  path: string,
): Promise<string | undefined> {
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    const inside = folder === "." ? path : path.slice(folder.length + 1);
    const attributes = await textAt(workspace, joinPath(folder, ".gitattributes"));
    const config = await textAt(workspace, joinPath(folder, ".editorconfig"));
    const named =
      (attributes && fromAttributes(attributes, inside)) || (config && fromConfig(config, inside));
    if (named) return encodingNamed(named);
    if (folder === "." || (config && /^\s*root\s*=\s*true\s*$/im.test(config))) return undefined;
  }
}

async function textAt(workspace: Pick<Workspace, "read">, path: string): Promise<string | undefined> {
  try {
    return (await workspace.read(path, { maxBytes })).bytes.toString();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The last line that fits holds. */
function fromAttributes(text: string, path: string): string | undefined {
  let named: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [pattern = "", ...attributes] = line.trim().split(/\s+/);
    if (pattern.startsWith("#") || !isMatch(pattern.replace(/^\//, "./"), path)) continue;
    for (const one of attributes) {
      if (/^[-!]working-tree-encoding$/.test(one)) named = undefined;
      named = /^working-tree-encoding=(.+)$/.exec(one)?.[1] ?? named;
    }
  }
  return named;
}

/** The last section that fits and names a charset holds. */
function fromConfig(text: string, path: string): string | undefined {
  let named: string | undefined;
  let fits = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) fits = isMatch(section.replace(/^\//, "./"), path);
    else if (fits) named = /^\s*charset\s*=\s*([\w:.-]+)/i.exec(line)?.[1] ?? named;
  }
  return named === "unset" ? undefined : named;
}

/** Without a slash a pattern is about the name, in every folder below. */
function isMatch(pattern: string, path: string): boolean {
  if (pattern === "" || !isBoundedGlob(pattern)) return false;
  if (pattern.includes("/")) return globMatcher(pattern.replace(/^\.\//, ""))(path);
  return globMatcher(pattern)(nameOf(path));
}
