import { Failure } from "../../failure/failure.ts";

/** The type of a response without its parameters, in lower case; empty when none was sent. */
export function mediaType(headers: Readonly<Record<string, string>>): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export function isHtml(type: string): boolean {
  return type === "text/html" || type === "application/xhtml+xml";
}

/** Refuses a response with a binary type before reading its body. */
export function refuseBinaryType(type: string): void {
  if (type !== "" && type !== "application/octet-stream" && !textTypes.test(type))
    throw new Failure("NOT_TEXT", `The response is ${type}, not text. ${onlyText}`, { type });
}

/** Refuses a body that is binary, whatever its declared type. UTF-16 is recognised by its byte order mark. */
export function refuseBinaryBody(bytes: Buffer, type: string): void {
  const start = bytes.subarray(0, 4096);
  const marked = /^(?:\xff\xfe|\xfe\xff)/.test(start.subarray(0, 2).toString("latin1"));
  if (marked || !start.includes(0)) return;
  const said = type === "" ? "without a type" : `sent as ${type}`;
  throw new Failure(
    "NOT_TEXT",
    `The response, ${said}, holds binary data (${bytes.length} bytes). ${onlyText}`,
    { type },
  );
}

const textTypes =
  /^text\/|^message\/|[+/](?:json|xml|yaml)$|^application\/(?:x-)?(?:javascript|ecmascript|typescript|ndjson|jsonlines|json5|toml|yaml|sh|httpd-php|sql|graphql|tex|latex|rtf|www-form-urlencoded|mpegurl|pem-file|subrip)$/;

const onlyText = "Only text is read: HTML, Markdown, JSON, XML, CSV, source code and the like.";
