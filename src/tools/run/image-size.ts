/** How many pixels a PNG, GIF, JPEG or WebP says it has; infinitely many when it does not say. */
export function imagePixels(bytes: Buffer): number {
  try {
    const [width, height] = sizeOf(bytes);
    return width * height;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function sizeOf(bytes: Buffer): [number, number] {
  if (bytes[0] === 0x89) return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (bytes[0] === 0x47) return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  if (bytes[0] === 0xff) return jpegSize(bytes);
  return webpSize(bytes);
}

/** Walks the segments to the frame header, which lies before the picture's data. */
function jpegSize(bytes: Buffer): [number, number] {
  for (let at = 2; ; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
}

function webpSize(bytes: Buffer): [number, number] {
  const kind = bytes.subarray(12, 16).toString("latin1");
  if (kind === "VP8X") return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
  if (kind === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
  }
  return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
}
