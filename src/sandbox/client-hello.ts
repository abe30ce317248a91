/** The host name that a TLS client asks for in its first message; null when it names none; undefined while more is needed. */
export function serverName(bytes: Buffer): string | null | undefined {
  const hello = firstMessage(bytes);
  if (hello === undefined || hello === null) return hello;
  const reader = new Reader(hello);
  reader.skip(2 + 32);
  reader.skip(reader.number(1));
  reader.skip(reader.number(2));
  reader.skip(reader.number(1));
  const extensions = new Reader(reader.bytes(reader.number(2)));
  while (extensions.left >= 4) {
    const type = extensions.number(2);
    const content = new Reader(extensions.bytes(extensions.number(2)));
    if (type !== 0) continue;
    content.skip(2);
    return content.number(1) === 0 ? content.bytes(content.number(2)).toString("latin1").toLowerCase() : null;
  }
  return null;
}

/** The body of the handshake message, put together from its records; null when this is no such message. */
function firstMessage(bytes: Buffer): Buffer | null | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    if (bytes.length < at + 5) return undefined;
    if (bytes[at] !== 22) return null;
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (bytes.length < end) return undefined;
    parts.push(bytes.subarray(at + 5, end));
    at = end;
    const message = Buffer.concat(parts);
    if (message.length < 4) continue;
    if (message[0] !== 1) return null;
    const length = message.readUIntBE(1, 3);
    if (message.length >= 4 + length) return message.subarray(4, 4 + length);
  }
}

/** Reads big-endian numbers and pieces; what lies beyond the end is empty. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  skip(count: number): void {
    this.#at += count;
  }

  bytes(count: number): Buffer {
    const piece = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    return piece;
  }

  number(size: 1 | 2): number {
    return this.bytes(size).reduce((sum, byte) => sum * 256 + byte, 0);
  }
}
