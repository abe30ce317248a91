import { createRequire } from "node:module";
import { Transform } from "node:stream";
import { Ajv2020 } from "ajv/dist/2020.js";

const schemaFile = "@agentclientprotocol/sdk/schema/v1/schema.json";

/** Passes lines on and shows each as a message. */
export function tap(see: (message: Message) => void): Transform {
  let rest = "";
  return new Transform({
    transform(chunk, _encoding, done) {
      rest += chunk;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") see(JSON.parse(line));
      done(null, chunk);
    },
  });
}

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** Judges every message by the definition that the schema has for its method, answers by that of their question. */
export function schemaCheck() {
  const schema = createRequire(import.meta.url)(schemaFile) as {
    $defs: Record<string, Record<string, unknown>>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false });
  ajv.addSchema(schema, "acp");
  const definitions = new Map<string, string>(
    Object.entries(schema.$defs).flatMap(([name, definition]) =>
      definition["x-method"] === undefined
        ? []
        : [[`${definition["x-method"]} ${/Response$/.test(name) ? "response" : "request"}`, name] as const],
    ),
  );
  const asked = new Map<string, string>();
  const problems: string[] = [];
  /** Which definitions were used to validate messages, so that a check that sees nothing is noticed. */
  const seen = new Set<string>();
  const hold = (what: string, value: unknown) => {
    const name = definitions.get(what);
    const validate = name === undefined ? undefined : ajv.getSchema(`acp#/$defs/${name}`);
    if (!validate) problems.push(`${what}: not in the schema`);
    else if (validate(value)) seen.add(name as string);
    else problems.push(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
  };
  const see = (to: "agent" | "client", message: Message) => {
    const other = to === "agent" ? "client" : "agent";
    if (message.method !== undefined) {
      if (message.id !== undefined) asked.set(`${to} ${message.id}`, message.method);
      hold(`${message.method} request`, message.params);
    } else if (message.error === undefined) {
      hold(`${asked.get(`${other} ${message.id}`)} response`, message.result);
    }
  };
  return Object.assign(see, { problems, seen });
}
