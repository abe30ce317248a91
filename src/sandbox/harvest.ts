import { isText } from "../workspace/non-utf8-names.ts";
import type { Harvest, HarvestedEntry } from "./sandbox.ts";
import { type TarMember, TarReader } from "./tar.ts";

/**
 * Parses the stream that the stage sends after a run into a list of changes. It comes from a tree that hostile code
 * created: it is read as data, never unpacked, and a single inconsistency makes the whole list unusable.
 */
export class Harvester {
  readonly #entries: HarvestedEntry[] = [];
  readonly #outbox: HarvestedEntry[] = [];
  readonly #reader = new TarReader((member) => this.#sort(member));
  readonly #maxBytes: number;
  readonly #giveUp: () => void;
  #bytes = 0;
  #problem: string | null = null;

  /** `giveUp` is called as soon as the list is known to be unusable, to stop the stream. */
  constructor(maxBytes: number, giveUp: () => void) {
    this.#maxBytes = maxBytes;
    this.#giveUp = giveUp;
  }

  write(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#problem !== null) return;
    try {
      if (this.#bytes <= this.#maxBytes) {
        this.#reader.write(chunk);
        return;
      }
      this.#problem = `the files it wrote are larger than ${Math.round(this.#maxBytes / 1024 / 1024)} MiB`;
    } catch (error) {
      this.#problem = `the list of changes cannot be read: ${error instanceof Error ? error.message : error}`;
    }
    this.#giveUp();
  }

  /** `delivered`: the sender ended as it should. Without a single byte it then had nothing to send. */
  result(delivered: boolean): { changes: Harvest; outbox: HarvestedEntry[] } {
    const whole = this.#bytes === 0 || this.#reader.ended;
    const incomplete = this.#problem ?? (delivered && whole ? null : "the list of changes was cut off");
    if (incomplete !== null) return { changes: { entries: [], incomplete }, outbox: [] };
    return { changes: { entries: this.#entries, incomplete }, outbox: this.#outbox };
  }

  /** Workspace paths start with `./`; other paths were added by the stage, and no command can fake them. */
  #sort(member: TarMember): void {
    if (member.path === "deleted") {
      const names = member.bytes.toString("utf8").split("\0").filter(Boolean).filter(isText);
      this.#entries.push(...names.map((name) => ({ kind: "deleted" as const, path: pathOf(name, "./") })));
    } else if (member.path.startsWith("out/")) {
      this.#outbox.push(...entriesOf(member, "out/"));
    } else {
      this.#entries.push(...entriesOf(member, "./"));
    }
  }
}

function entriesOf(member: TarMember, under: string): HarvestedEntry[] {
  const path = pathOf(member.path, under);
  if (path === "") return [];
  if (member.notText) return [{ kind: "special", path, notText: true }];
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

function pathOf(name: string, under: string): string {
  const path = name.slice(under.length).replace(/\/$/, "");
  if (name === under || name === ".") return "";
  if (
    !name.startsWith(under) ||
    path.split("/").some((part) => part === "" || part === "." || part === "..")
  ) {
    throw new Error(`a member named ${JSON.stringify(name)}`);
  }
  return path;
}
