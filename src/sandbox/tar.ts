import { isUtf8 } from "node:buffer";
import { escapedName } from "../workspace/non-utf8-names.ts";

/** One member of a tar stream, with its content. */
export interface TarMember {
  path: string;
  /** The type flag: `0` file, `2` link, `3` character device, `5` directory, … */
  type: string;
  mode: number;
  target: string;
  device: string;
  /** Extended attributes by name. */
  attributes: ReadonlyMap<string, string>;
  bytes: Buffer;
  /** Its name, or where it leads, is not UTF-8: both are escaped here, and nothing may be done with them. */
  notText: boolean;
}

const block = 512;

/** Reads a pax tar as it streams in; throws on anything that is not one. `ended` once its closing blocks were seen. */
export class TarReader {
  ended = false;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #wanted = block;
  #header: Header | undefined;
  #extended = new Map<string, Buffer>();
  readonly #onMember: (member: TarMember) => void;

  constructor(onMember: (member: TarMember) => void) {
    this.#onMember = onMember;
  }

  write(chunk: Buffer): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    while (this.#pendingBytes >= this.#wanted && !this.ended) {
      const all = this.#pending.length === 1 ? (this.#pending[0] ?? chunk) : Buffer.concat(this.#pending);
      const piece = all.subarray(0, this.#wanted);
      this.#pending = [all.subarray(this.#wanted)];
      this.#pendingBytes -= this.#wanted;
      this.#take(piece);
    }
  }

  /** A header, or the content that the last header announced. */
  #take(piece: Buffer): void {
    if (!this.#header) {
      if (piece.every((byte) => byte === 0)) {
        this.ended = true;
        return;
      }
      const header = readHeader(piece);
      const announced = this.#extended.get("size");
      if (announced && !isExtension(header)) header.size = Number(announced.toString());
      if (!Number.isSafeInteger(header.size) || header.size < 0)
        throw new Error("a member has no proper size");
      this.#header = header;
      this.#wanted = Math.ceil(header.size / block) * block;
      if (this.#wanted === 0) this.#finish(Buffer.alloc(0));
      return;
    }
    this.#finish(Buffer.from(piece.subarray(0, this.#header.size)));
  }

  #finish(bytes: Buffer): void {
    const header = this.#header;
    this.#header = undefined;
    this.#wanted = block;
    if (!header) return;
    if (isExtension(header)) {
      if (header.type === "x") this.#extended = readRecords(bytes);
      return;
    }
    const extended = this.#extended;
    this.#extended = new Map();
    const [path, target] = [extended.get("path") ?? header.path, extended.get("linkpath") ?? header.target];
    const prefix = "SCHILY.xattr.";
    this.#onMember({
      path: escapedName(path),
      type: header.type,
      mode: header.mode,
      target: escapedName(target),
      notText: ![path, target].every(isUtf8),
      device: header.device,
      attributes: new Map(
        [...extended]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, value]) => [key.slice(prefix.length), value.toString("latin1")]),
      ),
      bytes,
    });
  }
}

interface Header {
  path: Buffer;
  type: string;
  mode: number;
  size: number;
  target: Buffer;
  device: string;
}

function isExtension({ type }: Header): boolean {
  return type === "x" || type === "g";
}

function readHeader(bytes: Buffer): Header {
  const sum = bytes.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== octal(bytes, 148, 8)) throw new Error("a header does not add up");
  const [name, prefix] = [field(bytes, 0, 100), field(bytes, 345, 155)];
  return {
    path: prefix.length > 0 ? Buffer.concat([prefix, Buffer.from("/"), name]) : name,
    mode: octal(bytes, 100, 8),
    size: octal(bytes, 124, 12),
    type: String.fromCharCode(bytes[156] ?? 0),
    target: field(bytes, 157, 100),
    device: `${octal(bytes, 329, 8)},${octal(bytes, 337, 8)}`,
  };
}

function field(bytes: Buffer, at: number, length: number): Buffer {
  const part = bytes.subarray(at, at + length);
  const end = part.indexOf(0);
  return end === -1 ? part : part.subarray(0, end);
}

function octal(bytes: Buffer, at: number, length: number): number {
  const text = field(bytes, at, length).toString("latin1").trim();
  return text === "" ? 0 : Number.parseInt(text, 8);
}

/** `<length> <key>=<value>\n`, where the length counts the whole record in bytes. */
function readRecords(bytes: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.subarray(at, space).toString("latin1"));
    const equals = bytes.indexOf(0x3d, space);
    if (!(length > 0) || at + length > bytes.length || equals === -1) throw new Error("a record is broken");
    records.set(
      bytes.subarray(space + 1, equals).toString("latin1"),
      bytes.subarray(equals + 1, at + length - 1),
    );
    at += length;
  }
  return records;
}
