import type { Socket } from "node:net";
import type { z } from "zod";
import { decide, type Policy } from "../approval/decide.ts";
import { rememberSuccess } from "../failure/remember-success.ts";
import type { AnyTool } from "../tool/tool.ts";
import type { Web } from "../web/web.ts";
import { webParts, type webSettings } from "../web/web-settings.ts";

/** The web and the research tool on it, made when first wanted: most commands never leave the machine. */
export interface WebServices {
  open(): Promise<Web>;
  /** Bytes of pages that came in so far. */
  received(): number;
  /** Whether the user set up a search provider. */
  hasSearchProvider(): boolean;
  /** Only where the user named a repository. */
  researchTool(): Promise<AnyTool | undefined>;
  close(): void;
}

export function composeWeb(
  settings: () => z.output<typeof webSettings>,
  env: () => Readonly<Record<string, string | undefined>>,
  policy: () => Policy,
  /** A connection to a server in the sandbox; undefined where none listens on this port. */
  connectInside: (port: number) => Socket | undefined,
): WebServices {
  // What the rules say of an address holds for redirects and for what a page loads, too.
  const judge = (url: URL, method: string) => {
    const effect = { kind: "fetch" as const, url: url.href, method };
    return decide({ tool: "web_fetch", byDefault: "ask", effects: [effect] }, policy()).decision;
  };
  const isLocalOpen = (origin: string) => {
    const effect = { kind: "fetch" as const, url: `${origin}/`, method: "GET", local: origin };
    return decide({ tool: "web_fetch", byDefault: "ask", effects: [effect] }, policy()).decision === "allow";
  };
  let opened: Promise<Web> | undefined;
  let web: Web | undefined;
  const load = async () => {
    const [{ createWeb }, { systemDial, systemResolve }] = await Promise.all([
      import("../web/web.ts"),
      import("../web/guard.ts"),
    ]);
    const { research: _, ...parts } = webParts(settings(), env());
    web = createWeb({
      ...parts,
      weather: {},
      resolve: systemResolve,
      // A local address leads to a server that the agent started, if one has the port; else to the machine's own.
      dial: (host, addresses, port) =>
        (addresses.every(({ address }) => isLoopback(address)) ? connectInside(port) : undefined) ??
        systemDial(host, addresses, port),
      policy: judge,
      isLocalOpen,
    });
    return web;
  };
  return {
    open: rememberSuccess(() => {
      opened = load();
      return opened;
    }),
    hasSearchProvider: () => {
      const { search } = webParts(settings(), env());
      return Object.values(search).some((provider) => provider !== undefined);
    },
    received: () => web?.received() ?? 0,
    researchTool: async () => {
      const { research } = webParts(settings(), env());
      if (!research) return undefined;
      const { createGitHub } = await import("../web/research/github.ts");
      const { createToolExecutor } = await import("../web/research/tool-executor.ts");
      const { readResearch } = await import("../tools/web/read-research.ts");
      // The runtime records every call; standard output belongs to protocols and the screen to the chat.
      return readResearch(createToolExecutor(createGitHub(research), () => undefined));
    },
    close: () => {
      opened?.then((web) => web.close()).catch(() => undefined);
    },
  };
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}
