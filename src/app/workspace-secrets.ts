import { isSecretPath, type Secret, secretsIn, secretsOfEnvironment } from "../approval/secrets.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Deeper than this, secrets are found when a call reads them. */
const deepest = 4;
const mostFolders = 300;
const mostBytes = 256 * 1024;
/** What is installed or built holds no secrets of the person. */
const skipped =
  /^(?:node_modules|\.git|vendor|dist|build|target|\.venv|venv|site-packages|__pycache__|\.next|\.cache)$/;

/** The values of files that hold secrets, of the variables that Wield was started with, and of stored keys. Read again when a file changes. */
export function workspaceSecrets(
  workspace: Workspace,
  env: () => Readonly<Record<string, string | undefined>>,
): () => Promise<readonly Secret[]> {
  let variables = "";
  let ofEnvironment: readonly Secret[] = [];
  const known = new Map<string, { state: string; secrets: readonly Secret[] }>();

  async function read(path: string, state: string): Promise<readonly Secret[]> {
    const before = known.get(path);
    if (before?.state === state) return before.secrets;
    const file = await workspace.read(path, { maxBytes: mostBytes }).catch(() => undefined);
    const secrets = file ? secretsOfFile(path, file.bytes.toString("utf8")) : [];
    known.set(path, { state, secrets });
    return secrets;
  }

  return async () => {
    const now = JSON.stringify(env());
    if (now !== variables) {
      variables = now;
      ofEnvironment = secretsOfEnvironment(env());
    }
    const found: Secret[] = [...ofEnvironment];
    const folders = [{ path: ".", depth: 0 }];
    for (let at = 0; at < folders.length && at < mostFolders; at++) {
      const { path: folder, depth } = folders[at] as { path: string; depth: number };
      for (const { path, type, size, modified } of await workspace.list(folder).catch(() => [])) {
        const name = path.slice(path.lastIndexOf("/") + 1);
        if (type === "directory" && depth < deepest && !skipped.test(name))
          folders.push({ path, depth: depth + 1 });
        else if (type === "file" && isSecretPath(path))
          found.push(...(await read(path, `${size} ${modified}`)));
      }
    }
    return found;
  };
}

function secretsOfFile(path: string, text: string): Secret[] {
  const lines = text.split("\n");
  return secretsIn(text, true).map((secret) => {
    const { name, value } = secret;
    const named = lines.findIndex((line) => line.includes(name) && line.includes(value));
    const at = named < 0 ? lines.findIndex((line) => line.includes(value)) : named;
    return { ...secret, place: path, ...(at >= 0 && { line: at + 1 }) };
  });
}
