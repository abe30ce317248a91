import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "../testing/properties.ts";
import { plant } from "./workspace.suite.ts";

const names = [
  "a",
  "b",
  "c.txt",
  "out",
  "up",
  "self",
  "root",
  "outside",
  "secret.txt",
  "ws",
  "workspace",
  "ws-evil",
];
const odd = ["\\", "C:", "~", "%2e%2e", "..%2f", "\0", "\u202e", "．．", "...", " "];

/** Paths that try to leave a workspace that is in `folder`, beside `outside` and `ws-evil`. */
export function hostilePath(folder: string): fc.Arbitrary<string> {
  return fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom("..", ".", "", ...names) },
        fc.constantFrom(...odd, folder),
        fc.string(),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join("/"));
}

/** Files and links of such a workspace, by path; the value of a link begins with `->`. */
export function hostileTree(folder: string): fc.Arbitrary<[path: string, content: string][]> {
  const place = fc
    .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/"));
  const target = fc.oneof(
    fc.constantFrom(
      "..",
      "../..",
      ".",
      "a",
      "a/../..",
      "out",
      "self/out",
      "/",
      "/proc/self/cwd",
      "/proc/self/root",
    ),
    fc
      .constantFrom("ws", "ws/a", "ws-evil", "outside", "outside/secret.txt")
      .map((name) => `${folder}/${name}`),
    fc.constantFrom("outside", "outside/secret.txt", "ws-evil", "ws/a").map((name) => `../${name}`),
    hostilePath(folder).map((path) => path.replaceAll("\0", "") || "."),
  );
  return fc.array(
    fc.tuple(
      place,
      fc.oneof(
        fc.constant("inside"),
        target.map((to) => `->${to}`),
      ),
    ),
    { maxLength: 10 },
  );
}

/** Files first; a link stands only where no other link leads to its place. */
export function plantTree(root: string, tree: readonly [path: string, content: string][]): void {
  const realRoot = realpathSync(root);
  const isLink = ([, content]: readonly [string, string]) => content.startsWith("->");
  for (const [path, content] of tree.toSorted((one, other) => Number(isLink(one)) - Number(isLink(other)))) {
    try {
      const folder = dirname(path);
      if (isLink([path, content]) && realpathSync(join(root, folder)) !== join(realRoot, folder)) continue;
      plant(root, { [path]: content });
    } catch {
      // Something else stands there or on the way, or the system knows no such name.
    }
  }
}
