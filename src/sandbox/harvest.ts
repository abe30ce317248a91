import type { Harvest, HarvestedEntry } from "./sandbox.ts";
import { type TarMember, TarReader } from "./tar.ts";

/**
 * Turns what the stage sends after a run into a list of changes. The stream comes from a tree that hostile code has
 * made: it is read as data, never unpacked, and one doubt makes the whole list unusable.
 */
export class Harvester {
  readonly #entries: HarvestedEntry[] = [];
  readonly #reader = new TarReader((member) => this.#entries.push(...entriesOf(member)));
  readonly #maxBytes: number;
  #bytes = 0;
  #problem: string | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  write(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#problem !== null) return;
    if (this.#bytes > this.#maxBytes) {
      this.#problem = `the files it wrote are larger than ${Math.round(this.#maxBytes / 1024 / 1024)} MiB`;
      return;
    }
    try {
      this.#reader.write(chunk);
    } catch (error) {
      this.#problem = `the list of changes cannot be read: ${error instanceof Error ? error.message : error}`;
    }
  }

  /** `delivered`: the sender ended as it should. Without a single byte it then had nothing to send. */
  result(delivered: boolean): Harvest {
    const whole = this.#bytes === 0 || this.#reader.ended;
    const incomplete = this.#problem ?? (delivered && whole ? null : "the list of changes was cut off");
    return { entries: incomplete === null ? this.#entries : [], incomplete };
  }
}

function entriesOf(member: TarMember): HarvestedEntry[] {
  // Only the stage itself adds a member outside `./`: the names that a copied workspace has lost.
  if (member.path === "deleted" && member.type === "0") {
    return member.bytes
      .toString("utf8")
      .split("\0")
      .filter(Boolean)
      .map((name) => ({ kind: "deleted", path: pathOf(name) }));
  }
  const path = pathOf(member.path);
  if (path === "") return [];
  switch (member.type) {
    case "0":
    case "\0":
      return [{ kind: "file", path, mode: member.mode & 0o777, bytes: member.bytes }];
    case "2":
      return [{ kind: "link", path, target: member.target }];
    case "3":
      return [{ kind: member.device === "0,0" ? "deleted" : "special", path }];
    case "5":
      return [
        {
          kind: "directory",
          path,
          replaced: member.attributes.get("user.overlay.opaque")?.startsWith("y") ?? false,
        },
      ];
    case "4":
    case "6":
      return [{ kind: "special", path }];
    default:
      throw new Error(`a member of type ${JSON.stringify(member.type)}`);
  }
}

function pathOf(name: string): string {
  if (name === "." || name === "./") return "";
  const path = name.replace(/^\.\//, "").replace(/\/$/, "");
  const parts = path.split("/");
  if (!name.startsWith("./") || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new Error(`a member named ${JSON.stringify(name)}`);
  }
  return path;
}
