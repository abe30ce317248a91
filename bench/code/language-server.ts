// A language server over standard input and output, asked for the references of a symbol and for what stands at a place.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";

interface Position {
  line: number;
  character: number;
}
interface Range {
  start: Position;
}
interface Initialized {
  capabilities: { semanticTokensProvider?: { legend: { tokenTypes: string[] } } };
}
export interface Place {
  file: string;
  offset: number;
}

export class LanguageServer {
  readonly #root: string;
  readonly #process: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #texts = new Map<string, string>();
  readonly #tokens = new Map<string, Promise<Map<number, string>>>();
  readonly #tokenTypes: readonly string[];

  private constructor(
    root: string,
    child: ChildProcess,
    connection: MessageConnection,
    tokenTypes: readonly string[],
  ) {
    this.#root = root;
    this.#tokenTypes = tokenTypes;
    this.#process = child;
    this.#connection = connection;
  }

  static async start(root: string, command: readonly string[]): Promise<LanguageServer> {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { cwd: root, stdio: ["pipe", "pipe", "pipe"] });
    let lastWords = "";
    child.stderr.on("data", (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk}`.slice(-2_000);
    });
    child.once("exit", (code) => {
      if (code !== null) throw new Error(`${program} ended with ${code}: ${lastWords}`);
    });
    await new Promise((resolve, reject) =>
      child.once("spawn", () => resolve(undefined)).once("error", reject),
    );
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.onRequest("workspace/configuration", ({ items }: { items: unknown[] }) =>
      items.map(() => null),
    );
    connection.onRequest("client/registerCapability", () => null);
    connection.onRequest("window/workDoneProgress/create", () => null);
    connection.onUnhandledNotification(() => {});
    connection.listen();
    const rootUri = pathToFileURL(root).href;
    const { capabilities } = await connection.sendRequest<Initialized>("initialize", {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "root" }],
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: {
          references: {},
          definition: {},
          synchronization: {},
          semanticTokens: {
            requests: { full: true },
            tokenTypes: [],
            tokenModifiers: [],
            formats: ["relative"],
          },
        },
      },
    });
    await connection.sendNotification("initialized", {});
    // Only clangd leaves out what it does not understand.
    const types = program === "clangd" ? capabilities.semanticTokensProvider?.legend.tokenTypes : [];
    return new LanguageServer(root, child, connection, types ?? []);
  }

  async open(file: string, languageId: string): Promise<void> {
    await this.#connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: this.#uri(file), languageId, version: 1, text: this.text(file) },
    });
  }

  /** What the server takes the word at a place for; "none" when it says nothing of it, undefined when it never says. */
  async tokenAt(file: string, offset: number): Promise<string | undefined> {
    if (this.#tokenTypes.length === 0) return undefined;
    let tokens = this.#tokens.get(file);
    if (!tokens) {
      tokens = this.#readTokens(file);
      this.#tokens.set(file, tokens);
    }
    return (await tokens).get(offset) ?? "none";
  }

  async #readTokens(file: string): Promise<Map<number, string>> {
    const answer = await this.#connection.sendRequest<{ data: number[] } | null>(
      "textDocument/semanticTokens/full",
      { textDocument: { uri: this.#uri(file) } },
    );
    const starts = [0];
    for (const { index } of this.text(file).matchAll(/\n/g)) starts.push(index + 1);
    const found = new Map<number, string>();
    const data = answer?.data ?? [];
    let line = 0;
    let character = 0;
    for (let i = 0; i + 4 < data.length; i += 5) {
      const [lines = 0, characters = 0, , type = 0] = data.slice(i, i + 4);
      character = lines > 0 ? characters : character + characters;
      line += lines;
      const name = this.#tokenTypes[type] ?? "";
      if (name !== "unknown" && name !== "comment") found.set((starts[line] ?? 0) + character, name);
    }
    return found;
  }

  /** Where the symbol at a place is used, its declaration included; none when the server knows no such symbol. */
  async references(file: string, offset: number): Promise<Place[]> {
    const found = await this.#request<{ uri: string; range: Range }[]>(
      "textDocument/references",
      file,
      offset,
      { context: { includeDeclaration: true } },
    );
    return (found ?? []).flatMap(({ uri, range }) => this.#placeAt(uri, range));
  }

  /** Where what stands at a place is declared. */
  async definitions(file: string, offset: number): Promise<Place[]> {
    type Link = { uri: string; range: Range } | { targetUri: string; targetSelectionRange: Range };
    const found = await this.#request<Link | Link[]>("textDocument/definition", file, offset);
    return [found ?? []].flat().flatMap((link) => {
      const [uri, range] =
        "uri" in link ? [link.uri, link.range] : [link.targetUri, link.targetSelectionRange];
      return this.#placeAt(uri, range);
    });
  }

  /** What implements or overrides what stands at a place. */
  async implementations(file: string, offset: number): Promise<Place[]> {
    const found = await this.#request<{ uri: string; range: Range }[]>(
      "textDocument/implementation",
      file,
      offset,
    );
    return (found ?? []).flatMap(({ uri, range }) => this.#placeAt(uri, range));
  }

  text(file: string): string {
    let text = this.#texts.get(file);
    if (text === undefined) {
      text = readFileSync(join(this.#root, file), "utf8");
      this.#texts.set(file, text);
    }
    return text;
  }

  async #request<T>(method: string, file: string, offset: number, more = {}): Promise<T | null> {
    return this.#connection
      .sendRequest<T | null>(method, {
        textDocument: { uri: this.#uri(file) },
        position: positionAt(this.text(file), offset),
        ...more,
      })
      .catch((error: unknown) => {
        if (error instanceof ResponseError) return null;
        throw error;
      });
  }

  /** None outside the repository. */
  #placeAt(uri: string, { start }: Range): Place[] {
    const path = fileURLToPath(uri);
    if (!path.startsWith(`${this.#root}/`)) return [];
    const file = path.slice(this.#root.length + 1);
    return [{ file, offset: offsetAt(this.text(file), start) }];
  }

  close(): void {
    this.#connection.dispose();
    this.#process.kill("SIGKILL");
  }

  #uri(file: string): string {
    return pathToFileURL(join(this.#root, file)).href;
  }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - (before.lastIndexOf("\n") + 1) };
}

function offsetAt(text: string, { line, character }: Position): number {
  let start = 0;
  for (let i = 0; i < line; i++) start = text.indexOf("\n", start) + 1;
  return start + character;
}
