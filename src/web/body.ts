import type { IncomingMessage } from "node:http";
import { type Duplex, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { Failure } from "../failure/failure.ts";

/** The whole body, decompressed. Never more than `maxBytes`: a larger one, declared or not, is `TOO_LARGE`. */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const declared = Number(response.headers["content-length"] ?? 0);
  if (declared > maxBytes) throw tooLarge(`is ${size(declared)}`, maxBytes);
  const chunks: Buffer[] = [];
  await pipeline(
    [
      response,
      limited(maxBytes, "is too long"),
      ...encodingsOf(response).map(unpacker),
      limited(maxBytes, "is too long once decompressed"),
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      }),
    ],
    { signal },
  );
  return Buffer.concat(chunks);
}

/** Passes bytes on up to the limit. */
function limited(maxBytes: number, complaint: string): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > maxBytes) done(tooLarge(complaint, maxBytes));
      else done(null, chunk);
    },
  });
}

function encodingsOf(response: IncomingMessage): string[] {
  const named = (response.headers["content-encoding"] ?? "").toLowerCase().split(",");
  const encodings = named.map((name) => name.trim()).filter((name) => name && name !== "identity");
  if (encodings.length > 2)
    throw new Failure(
      "NETWORK_ERROR",
      `The response is compressed ${encodings.length} times over; it was not decompressed.`,
    );
  return encodings.reverse();
}

function unpacker(encoding: string): Duplex {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  if (encoding === "br") return createBrotliDecompress();
  if (encoding === "zstd") return createZstdDecompress();
  throw new Failure(
    "NETWORK_ERROR",
    `The response uses the content encoding '${encoding}', which is not supported.`,
  );
}

function tooLarge(what: string, maxBytes: number): Failure {
  return new Failure(
    "TOO_LARGE",
    `The response ${what}; at most ${size(maxBytes)} is read. Ask for a smaller page, or for a part of it.`,
  );
}

function size(bytes: number): string {
  return bytes >= 1e6 ? `${Math.round(bytes / 1e5) / 10} MB` : `${Math.ceil(bytes / 1e3)} KB`;
}
