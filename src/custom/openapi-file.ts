import { parse } from "yaml";

/** One operation of an API, with its references resolved. */
export interface Operation {
  id: string;
  method: ApiMethod;
  path: string;
  description: string;
  parameters: readonly Parameter[];
  /** The schema of the JSON body, if there is one. */
  body?: { schema: Json; required: boolean };
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Json;
}

export type Json = Record<string, unknown>;

const methods = ["get", "put", "post", "delete", "patch", "head"] as const;
export type ApiMethod = Uppercase<(typeof methods)[number]>;
const maxReferences = 6;

/** Throws an error with a message for the person if the text is not an OpenAPI 3 description. */
export function readOpenApi(text: string): { baseUrl: string | undefined; operations: Operation[] } {
  const root = asObject(parse(text));
  if (!/^3\./.test(String(root["openapi"] ?? ""))) throw new Error("it is not an OpenAPI 3 description");
  const resolve = (value: unknown) => asObject(resolved(value, root));
  const servers = Array.isArray(root["servers"]) ? root["servers"].map(asObject) : [];
  const operations = Object.entries(asObject(root["paths"])).flatMap(([path, item]) => {
    const { parameters: shared, ...rest } = asObject(item);
    return methods.flatMap((method) => {
      if (rest[method] === undefined) return [];
      const operation = asObject(rest[method]);
      const parameters = [...asArray(shared), ...asArray(operation["parameters"])]
        .map(resolve)
        .filter((p) => ["path", "query", "header"].includes(String(p["in"])))
        .map((p): Parameter => {
          const schema = asObject(p["schema"]);
          const description = p["description"] ?? schema["description"];
          return {
            name: String(p["name"]),
            in: p["in"] as Parameter["in"],
            required: p["required"] === true || p["in"] === "path",
            schema: { ...schema, ...(description !== undefined && { description }) },
          };
        });
      const request = resolve(operation["requestBody"]);
      const schema = asObject(asObject(asObject(request["content"])["application/json"])["schema"]);
      const words = [operation["summary"], operation["description"]].filter(
        (word) => typeof word === "string",
      );
      return [
        {
          id: String(operation["operationId"] ?? `${method}${path}`),
          method: method.toUpperCase() as ApiMethod,
          path,
          description: words.join(". ") || `${method.toUpperCase()} ${path}`,
          parameters,
          ...(Object.keys(schema).length > 0 && { body: { schema, required: request["required"] === true } }),
        },
      ];
    });
  });
  return { baseUrl: servers[0]?.["url"] as string | undefined, operations };
}

/** Replaces each `$ref` by its target in the file; a recursive or too deep reference becomes a schema that accepts anything. */
function resolved(value: unknown, root: Json, within: readonly string[] = []): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, root, within));
  const { $ref } = value as Json;
  if (typeof $ref === "string") {
    if (within.includes($ref) || within.length === maxReferences) return {};
    return resolved(target($ref, root), root, [...within, $ref]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, resolved(member, root, within)]),
  );
}

function target(ref: string, root: Json): unknown {
  if (!ref.startsWith("#/")) throw new Error(`the reference ${ref} points outside the file`);
  return ref
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, part) => (Object.hasOwn(asObject(value), part) ? asObject(value)[part] : undefined),
      root,
    );
}

function asObject(value: unknown): Json {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : {};
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
