import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { no, scriptedPerson, type TestWield, testWield } from "../testing/testing.ts";
import { readOpenApi } from "./openapi-file.ts";

let server: Server;
let base: string;
const seen: { method: string; url: string; token: string | undefined; body: string }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, token: headers.authorization, body });
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ method, url }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  seen.length = 0;
});

const description = `
openapi: 3.1.0
info: { title: Pets, version: "1" }
paths:
  /pets/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: getPet
      summary: Look up one pet
      parameters:
        - $ref: '#/components/parameters/Fields'
    delete:
      summary: Remove a pet
  /pets:
    post:
      operationId: addPet
      summary: Register a new pet
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Pet' }
components:
  parameters:
    Fields: { name: fields, in: query, description: Which fields, schema: { type: array, items: { type: string } } }
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: { type: string }
        parent: { $ref: '#/components/schemas/Pet' }
`;

const small = {
  openapi: "3.1.0",
  paths: { "/pets": { get: { operationId: "list", summary: "All\u202e pets" } } },
};

async function open(asker = scriptedPerson(no).asker): Promise<TestWield> {
  place = await testWield();
  const { writeFileSync } = await import("node:fs");
  const file = `${place.root}/../pets.yaml`;
  writeFileSync(file, description);
  const settings = {
    openapi: { pets: { file, baseUrl: base, headers: { authorization: "Bearer $PET_TOKEN" } } },
  };
  const wield = await place.reopen({ settings, asker, env: { ...place.env, PET_TOKEN: "woof" } });
  return { ...place, wield };
}

test("operations become tools, found by what they do; reading runs at once", async () => {
  const { wield } = await open();
  expect(wield.tools.problems()).toEqual([]);
  expect(wield.tools.discovery.search("register a new pet")[0]?.name).toBe("pets__addPet");
  const { result } = await wield.callAny("pets__getPet", { id: "a/b c", fields: ["x", "y"] });
  expect(result).toMatchObject({ ok: true, value: { status: 200 } });
  expect(seen).toEqual([
    { method: "GET", url: "/v1/pets/a%2Fb%20c?fields=x&fields=y", token: "Bearer woof", body: "" },
  ]);
});

test("everything else asks first, and a no is a no", async () => {
  const person = scriptedPerson(no, { approved: true });
  const { wield } = await open(person.asker);
  expect((await wield.callAny("pets__delete_pets_id", { id: "7" })).result).toMatchObject({
    error: { code: "APPROVAL_DENIED" },
  });
  expect(seen).toEqual([]);
  expect((await wield.callAny("pets__addPet", { body: { name: "Rex" } })).result.ok).toBe(true);
  expect(seen).toMatchObject([{ method: "POST", url: "/v1/pets", body: '{"name":"Rex"}' }]);
  expect(person.asked.flat()[0]?.effects).toEqual([
    { kind: "fetch", url: `${base}/pets/7`, method: "DELETE" },
  ]);
});

test("the file alone does not say who is asked without asking, nor who gets the headers", async () => {
  const person = scriptedPerson(no);
  place = await testWield({ "pets.json": JSON.stringify({ ...small, servers: [{ url: base }] }) });
  const file = `${place.root}/pets.json`;
  const silent = await place.reopen({ settings: { openapi: { pets: { file } } }, asker: person.asker });
  expect((await silent.callAny("pets__list", {})).result).toMatchObject({
    error: { code: "APPROVAL_DENIED" },
  });
  const headers = { authorization: "Bearer $PET_TOKEN" };
  const keyed = await place.reopen({ settings: { openapi: { pets: { file, headers } } } });
  expect(keyed.tools.problems().join()).toContain("set baseUrl");
  expect((await keyed.callAny("pets__list", {})).result).toMatchObject({ error: { code: "UNKNOWN_TOOL" } });
  expect(seen).toEqual([]);
});

test("a file or a folder that names a server of this machine opens nothing: only a person does, or a rule that names it", async () => {
  const file = JSON.stringify({ ...small, servers: [{ url: base }] });
  place = await testWield({
    "pets.json": file,
    "inside.json": JSON.stringify({ ...small, servers: [{ url: "http://169.254.169.254/latest" }] }),
    ".wield/settings.json": JSON.stringify({ openapi: { own: { file: "pets.json", baseUrl: base } } }),
  });
  await place.trust();
  const openapi = {
    pets: { file: `${place.root}/pets.json` },
    inside: { file: `${place.root}/inside.json` },
  };
  const rules = [{ decision: "allow" as const, tool: "*" }];
  const code = async (wield: TestWield["wield"], tool: string) => {
    const { result } = await wield.callAny(tool, {});
    return result.ok ? null : result.error.code;
  };
  const alone = await place.reopen({ settings: { openapi, rules }, mode: "auto" });
  for (const tool of ["pets__list", "own__list"]) expect(await code(alone, tool)).toBe("APPROVAL_REQUIRED");
  expect(await code(alone, "inside__list")).toBe("URL_NOT_ALLOWED");
  expect(seen).toEqual([]);
  const person = scriptedPerson({ approved: true });
  const asking = await place.reopen({ settings: { openapi }, asker: person.asker });
  expect(await code(asking, "pets__list")).toBe(null);
  expect(person.asked.flat()[0]?.effects).toMatchObject([{ kind: "fetch", local: new URL(base).origin }]);
  const naming = [{ decision: "allow" as const, url: new URL(base).origin }];
  expect(await code(await place.reopen({ settings: { openapi, rules: naming } }), "pets__list")).toBe(null);
  expect(seen).toHaveLength(2);
});

test.each(["@evil.invalid/", ".evil.invalid/", ":1/"])(
  "a path cannot go on with the host: %s",
  async (path) => {
    place = await testWield({
      "pets.json": JSON.stringify({ ...small, paths: { [path]: small.paths["/pets"] } }),
    });
    const settings = {
      openapi: { pets: { file: `${place.root}/pets.json`, baseUrl: "https://api.invalid" } },
    };
    const wield = await place.reopen({ settings });
    const { result } = await wield.callAny("pets__list", {});
    expect(result).toMatchObject({ error: { code: "URL_NOT_ALLOWED" } });
  },
);

test("a value cannot climb to another path", async () => {
  const { wield } = await open();
  for (const id of ["..", ".", ""])
    expect((await wield.callAny("pets__getPet", { id })).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  expect(seen).toEqual([]);
});

test("input is checked by the file's own schema", async () => {
  const { wield } = await open();
  expect((await wield.callAny("pets__addPet", { body: { name: 3 } })).result).toMatchObject({
    error: { code: "INVALID_INPUT" },
  });
});

test("a file that is no description is told, and nothing else suffers", async () => {
  place = await testWield({ "a.txt": "a" }, { settings: { openapi: { bad: { file: "/nowhere.yaml" } } } });
  expect(place.wield.tools.problems().join()).toContain("/nowhere.yaml");
  expect((await place.wield.call("read_file", { path: "a.txt" })).result.ok).toBe(true);
  expect(() => readOpenApi("swagger: '2.0'")).toThrow("OpenAPI 3");
  expect(() =>
    readOpenApi("openapi: 3.0.0\npaths: { /a: { get: { parameters: [ { $ref: 'other.yaml#/x' } ] } } }"),
  ).toThrow("points outside the file");
});
