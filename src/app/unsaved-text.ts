import type { WholeWorkspace } from "../workspace/workspace.ts";

/**
 * A workspace whose files read as an editor has them. Only `read` differs: what is listed, compared before a change and kept
 * for undo is what is on disk. The file is read there first, so a path is judged as always before anybody is asked for it.
 */
export function withUnsavedText(
  workspace: WholeWorkspace,
  unsaved: (path: string, onDisk: string) => Promise<string | undefined>,
): WholeWorkspace {
  const read: WholeWorkspace["read"] = async (path, options) => {
    const content = await workspace.read(path, options);
    const { path: real } = await workspace.resolve(path);
    const text = await unsaved(real, content.bytes.toString());
    if (text === undefined) return content;
    const bytes = Buffer.from(text);
    return bytes.equals(content.bytes) ? content : { ...content, bytes, size: bytes.length };
  };
  return new Proxy(workspace, {
    get(target, name) {
      if (name === "read") return read;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
