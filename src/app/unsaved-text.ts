import { isPlainText } from "../text/encoding.ts";
import { spliced, splicesBetween } from "../workspace/splice.ts";
import { textOfFile } from "../workspace/text-file.ts";
import type { FileContent, WholeWorkspace } from "../workspace/workspace.ts";

type Unsaved = (path: string, onDisk: string) => Promise<string | undefined>;

/**
 * A workspace whose files read as an editor has them. Only `read` differs: what is listed, compared before a change and kept
 * for undo is what is on disk. The file is read there first, so a path is judged as always before anybody is asked for it.
 */
export function withUnsavedText(workspace: WholeWorkspace, unsaved: Unsaved): WholeWorkspace {
  const read: WholeWorkspace["read"] = async (path, options) => {
    const content = await workspace.read(path, options);
    const { path: real } = await workspace.resolve(path);
    const bytes = await bytesInEditor(workspace, real, content, unsaved);
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

/** In the encoding of the file, as the editor will save it. */
async function bytesInEditor(
  workspace: WholeWorkspace,
  path: string,
  { bytes }: FileContent,
  unsaved: Unsaved,
): Promise<Buffer> {
  const file = isPlainText(bytes)
    ? undefined
    : await textOfFile(workspace, path, bytes).catch(() => undefined);
  const text = await unsaved(path, file?.text ?? bytes.toString());
  if (text === undefined) return bytes;
  if (!file) return Buffer.from(text);
  // What the encoding lacks, no editor could save either.
  const made = await spliced(file, splicesBetween(file.text, text)).catch(() => undefined);
  return made?.bytes ?? Buffer.from(text);
}
