import { randomBytes } from "node:crypto";
import { extname, join } from "node:path";
import { Hono } from "hono";
import { isThere, readIfThere } from "../workspace/state-files.ts";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

export const notBuilt = "The page is not built. Run npm run build in the folder of Wield, then reload.";

/** The folder of the built page: beside the bundle, or in dist/ when sources are run. */
export function builtPage(): string | undefined {
  const here = import.meta.dirname;
  return ["ui", "../ui", "../../dist/ui"]
    .map((place) => join(here, place))
    .find((folder) => isThere(join(folder, "index.html")));
}

/** Files beside the page that an installed page needs. */
const besidePage: ReadonlySet<string> = new Set([
  "/manifest.webmanifest",
  "/icon.svg",
  "/icon-192.png",
  "/icon-512.png",
]);

/** The page and its assets contain no data and need no token. Exact paths only: any other spelling requires the token. */
export function isPublic(path: string): boolean {
  return path === "/" || besidePage.has(path) || /^\/assets\/[\w.-]+$/.test(path);
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
  for (const path of besidePage)
    app.get(path, (c) => {
      const body = folder ? readIfThere(join(folder, path)) : undefined;
      if (!body) return c.text("File not found.", 404);
      return c.body(new Uint8Array(body), 200, { "content-type": types[extname(path)] ?? "" });
    });
  app.get("/", (c) => {
    const nonce = randomBytes(16).toString("base64url");
    c.header("content-security-policy", contentPolicy(nonce));
    c.header("cache-control", "no-store");
    const html = folder && readIfThere(join(folder, "index.html"))?.toString();
    if (!html) return c.text(`${notBuilt}\n`, 503);
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
    "manifest-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
