/**
 * The paths that git tracks, from the bytes of `.git/index` (gitformat-index, versions 2 to 4), and of each what is
 * staged: mode, hash and flags. Undefined if they cannot be parsed: the file belongs to the workspace, so its content
 * is untrusted.
 */
export function trackedPaths(index: Buffer): Map<string, string> | undefined {
  return entriesWith(index, 20) ?? entriesWith(index, 32);
}

/** Whether the same is staged: git also writes the index to note times and sizes of files. */
export function sameIndex(one: Buffer, other: Buffer): boolean {
  const [before, after] = [trackedPaths(one), trackedPaths(other)];
  if (!before || !after || before.size !== after.size) return false;
  return [...after].every(([path, staged]) => before.get(path) === staged);
}

const signature = "DIRC";
/** Times, device, inode, mode, owner and size: what comes before the hash. */
const statBytes = 40;
const modeAt = 24;
const extendedFlag = 0x4000;

function entriesWith(index: Buffer, hashBytes: number): Map<string, string> | undefined {
  if (index.length < 12 + hashBytes || index.toString("latin1", 0, 4) !== signature) return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const count = index.readUInt32BE(8);
  const end = index.length - hashBytes;
  const entries = new Map<string, string>();
  let at = 12;
  let last = Buffer.alloc(0);
  for (let n = 0; n < count; n++) {
    const start = at;
    at += statBytes + hashBytes;
    if (at + 2 > end) return undefined;
    at += index.readUInt16BE(at) & extendedFlag ? 4 : 2;
    const staged = `${index.readUInt32BE(start + modeAt)} ${index.toString("hex", start + statBytes, at)}`;
    let kept = 0;
    if (version === 4) {
      const removed = variableInteger(index, at);
      if (removed === undefined || removed.value > last.length) return undefined;
      kept = last.length - removed.value;
      at = removed.next;
    }
    const stop = index.indexOf(0, at);
    if (stop < 0 || stop >= end) return undefined;
    last = Buffer.concat([last.subarray(0, kept), index.subarray(at, stop)]);
    if (last.length === 0) return undefined;
    const path = last.toString();
    // A file with conflicts has several stages.
    entries.set(path, `${entries.get(path) ?? ""}${staged};`);
    // Before version 4, entries are padded with one to eight NUL bytes to a multiple of eight.
    at = version === 4 ? stop + 1 : start + Math.floor((stop - start) / 8 + 1) * 8;
    if (at > end) return undefined;
  }
  return entries;
}

/** Git's offset encoding: seven bits a byte, most significant first, each continuation adds one. */
function variableInteger(bytes: Buffer, start: number): { value: number; next: number } | undefined {
  let at = start;
  let byte = bytes[at++];
  if (byte === undefined) return undefined;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++];
    if (byte === undefined || value > 0xffffff) return undefined;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next: at };
}
