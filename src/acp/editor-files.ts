import { join } from "node:path";
import {
  type AgentContext,
  type FileSystemCapabilities,
  methods,
  type ReadTextFileResponse,
} from "@agentclientprotocol/sdk";

/** The client's view of files: what is typed and not saved is what the person sees, so it is what tools read. */
export class EditorFiles {
  readonly #client: AgentContext;
  readonly #session: string;
  readonly #root: string;
  readonly #can: FileSystemCapabilities;
  /** Texts that were not saved when they were last read. */
  readonly #unsaved = new Set<string>();
  /** Changed on disk by a tool, but the editor has not been notified yet: until then its text is older. */
  readonly #behind = new Set<string>();

  constructor(client: AgentContext, session: string, root: string, can: FileSystemCapabilities | undefined) {
    this.#client = client;
    this.#session = session;
    this.#root = root;
    this.#can = can ?? {};
  }

  /** The editor's unsaved text; undefined if it has none. */
  async textOf(path: string, onDisk: string): Promise<string | undefined> {
    if (!this.#can.readTextFile || this.#behind.has(path)) return undefined;
    try {
      const asked = { sessionId: this.#session, path: join(this.#root, path) };
      const { content } = await this.#client.request<ReadTextFileResponse>(
        methods.client.fs.readTextFile,
        asked,
      );
      if (content === onDisk) this.#unsaved.delete(path);
      else this.#unsaved.add(path);
      return content;
    } catch {
      // The client refuses, or is gone: the file on disk is as good as anything.
      return undefined;
    }
  }

  /** A tool changes this file on disk; from here on that text counts, until the editor has it. */
  changing(path: string): void {
    this.#behind.add(path);
  }

  /** Where the editor held text that was not saved, it is given the new one, so that saving does not bring the old one back. */
  async changed(path: string, text: string | undefined): Promise<void> {
    if (this.#can.writeTextFile && text !== undefined && this.#unsaved.delete(path)) {
      const asked = { sessionId: this.#session, path: join(this.#root, path), content: text };
      await this.#client.request(methods.client.fs.writeTextFile, asked).catch(() => undefined);
    }
    this.#behind.delete(path);
  }
}
