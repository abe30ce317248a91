import { randomBytes } from "node:crypto";
import { extname, join } from "node:path";
import { Hono } from "hono";
import { isThere, readIfThere } from "../workspace/state-files.ts";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The folder of the built page: beside the bundle, or in dist/ when sources are run. */
export function builtPage(): string | undefined {
  const here = import.meta.dirname;
  return ["ui", "../ui", "../../dist/ui"]
    .map((place) => join(here, place))
    .find((folder) => isThere(join(folder, "index.html")));
}

/** The page and its assets contain no data and need no token. Exact paths only: any other spelling requires the token. */
export function isPublic(path: string): boolean {
  return path === "/" || /^\/assets\/[\w.-]+$/.test(path);
}

export function pageRoutes(folder: string | undefined): Hono {
  const app = new Hono();
  app.get("/assets/:name", (c) => {
    const name = c.req.param("name");
    const type = types[extname(name)];
    // Assets have flat names; nothing else can be requested.
    const body =
      folder && type && /^[\w.-]+$/.test(name) ? readIfThere(join(folder, "assets", name)) : undefined;
    if (!body || type === undefined) return c.text("File not found.", 404);
    return c.body(new Uint8Array(body), 200, {
      "content-type": type,
      "cache-control": "max-age=31536000, immutable",
    });
  });
  app.get("/", (c) => {
    const nonce = randomBytes(16).toString("base64url");
    c.header("content-security-policy", contentPolicy(nonce));
    c.header("cache-control", "no-store");
    const html = folder && readIfThere(join(folder, "index.html"))?.toString();
    if (!html) return c.text("The page is not built. Run: npm run build", 503);
    return c.html(html.replaceAll("{{nonce}}", nonce));
  });
  return app;
}

/** Scripts and data only from this server; styles of the editor carry the nonce. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
