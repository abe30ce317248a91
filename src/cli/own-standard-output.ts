import { Writable } from "node:stream";

/** Standard output is reserved for the protocol: everything else in this process that writes there goes to standard error. */
export function ownStandardOutput(): Writable {
  // When the client closes its pipes, the transport ends the server; a write error must not crash it first.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({ write: (chunk, _encoding, done) => void write(chunk, done) });
}
