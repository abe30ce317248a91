// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how other programs write variables.
import { describe, expect, test } from "vitest";
import { serversIn } from "./found-servers.ts";
import { readRegistryFile } from "./registry-file.ts";
import { expanded, expandedBraces, serverSchema } from "./server-config.ts";

const at = { root: "/srv/project", home: "/home/ada" };
const find = (from: string, value: unknown, ofWorkspace = true) =>
  serversIn({ from, text: typeof value === "string" ? value : JSON.stringify(value), ofWorkspace }, at);

describe("servers in files of other programs", () => {
  test("Claude and Cursor: programs in the sandbox, only in this folder; addresses as they are", () => {
    const { servers, problems } = find(".mcp.json", {
      mcpServers: {
        files: {
          command: "npx",
          args: ["-y", "files", "${workspaceFolder}"],
          env: { LEVEL: "2" },
        },
        local: { command: "./server.sh" },
        web: {
          type: "http",
          url: "https://mcp.example/mcp",
          headers: { accept: "text/plain" },
        },
        greedy: {
          url: "https://a.example/",
          headers: { x: "${env:GITHUB_TOKEN} $AWS_SECRET ${HOME:-none}" },
        },
      },
    });
    expect(problems).toEqual([
      'MCP server "greedy" of .mcp.json: it would get GITHUB_TOKEN, AWS_SECRET, HOME of your environment; if it may, add it with wield tools add mcp.',
    ]);
    expect(servers.map(({ entry }) => entry)).toEqual([
      {
        command: "npx",
        args: ["-y", "files", "/srv/project"],
        env: { LEVEL: "2" },
        sandbox: true,
        folder: "/srv/project",
      },
      { command: "./server.sh", args: [], env: {}, sandbox: true, folder: "/srv/project" },
      {
        url: "https://mcp.example/mcp",
        headers: { accept: "text/plain" },
        folder: "/srv/project",
      },
    ]);
    for (const { entry } of servers) expect(serverSchema.safeParse(entry).success).toBe(true);
  });

  test("VS Code: comments, trailing commas, inputs that nobody can give here", () => {
    const { servers, problems } = find(
      ".vscode/mcp.json",
      `{ // servers of the team
        "servers": { "a": { "type": "stdio", "command": "a//b", "args": ["x,]"], }, /* old */
          "b": { "command": "b", "env": { "K": "\${input:key}" } }, "c": { "type": "sse", "url": "https://x.example" } } }`,
    );
    expect(servers).toMatchObject([{ name: "a", entry: { command: "a//b", args: ["x,]"] } }]);
    expect(problems).toEqual([expect.stringMatching(/"b".*inputs/), expect.stringMatching(/"c".*SSE/)]);
  });

  test("the person's own settings: not in the sandbox, in all folders; those of Claude for this folder too", () => {
    const { servers } = find(
      "~/.claude.json",
      {
        mcpServers: { everywhere: { command: "a" } },
        projects: {
          "/srv/project": { mcpServers: { here: { command: "b" } } },
          "/other": { mcpServers: { no: { command: "c" } } },
        },
      },
      false,
    );
    expect(servers.map(({ name, entry }) => [name, entry])).toEqual([
      ["everywhere", { command: "a", args: [], env: {} }],
      ["here", { command: "b", args: [], env: {} }],
    ]);
  });

  test("what is broken or hostile is told, and adds nothing", () => {
    expect(find(".mcp.json", "{").problems).toEqual([expect.stringContaining("not valid JSON")]);
    expect(find(".mcp.json", []).servers).toEqual([]);
    expect(
      find(".mcp.json", { mcpServers: { x: 7, y: { url: "file:///etc/passwd" }, z: {} } }),
    ).toMatchObject({
      servers: [],
      problems: [
        expect.stringContaining('"x"'),
        expect.stringContaining('"y"'),
        expect.stringContaining('"z"'),
      ],
    });
  });

  test("variables: in braces everywhere, bare only in variables and headers", () => {
    const env = { A: "1" };
    expect(expanded({ x: "$A ${A} ${B:-2} $B ${B}" }, env)["x"]).toBe("1 1 2 $B ${B}");
    expect(expandedBraces("$A ${A}", env)).toBe("$A 1");
  });
});

describe("the registry's format", () => {
  const described = {
    name: "io.github.example/weather",
    version: "1.2.0",
    packages: [
      {
        registryType: "npm",
        identifier: "@example/weather",
        version: "1.2.0",
        transport: { type: "stdio" },
        packageArguments: [
          { type: "positional", value: "serve" },
          { type: "named", name: "--units", default: "metric" },
        ],
        environmentVariables: [
          { name: "WEATHER_KEY", isRequired: true, isSecret: true, description: "From the site" },
          { name: "CACHE", default: "on" },
          { name: "UNUSED" },
        ],
      },
    ],
  };

  test("a package becomes a command with its exact version; secrets come from the environment", () => {
    expect(readRegistryFile(JSON.stringify(described))).toEqual({
      name: "weather",
      entry: {
        command: "npx",
        args: ["-y", "@example/weather@1.2.0", "serve", "--units", "metric"],
        env: { WEATHER_KEY: "$WEATHER_KEY", CACHE: "on" },
      },
      needs: [{ name: "WEATHER_KEY", description: "From the site" }],
    });
  });

  test("a remote comes first, as the registry answers it too; its headers may have parts to fill in", () => {
    const headers = [{ name: "X-Key", value: "Key {api_key}", isSecret: true, isRequired: true }];
    const remotes = [
      { type: "sse", url: "https://w.example/sse" },
      { type: "streamable-http", url: "https://w.example/mcp", headers },
    ];
    expect(readRegistryFile(JSON.stringify({ server: { ...described, remotes }, _meta: {} }))).toMatchObject({
      entry: { url: "https://w.example/mcp", headers: { "X-Key": "Key ${API_KEY}" } },
      needs: [{ name: "API_KEY" }],
    });
  });

  test("a version that is not fixed, another kind of package, another file: refused", () => {
    const [pack] = described.packages;
    for (const packages of [[{ ...pack, version: "latest" }], [{ ...pack, registryType: "mcpb" }], []])
      expect(() => readRegistryFile(JSON.stringify({ ...described, packages }))).toThrow(
        /no remote over HTTP/,
      );
    expect(() => readRegistryFile("{}")).toThrow(/not a server\.json/);
  });
});
