import type { Tool } from "../tool/tool.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { ApiConfig } from "./openapi-config.ts";
import { readOpenApi } from "./openapi-file.ts";
import { type ApiTarget, operationTool } from "./openapi-tool.ts";

export interface ConfiguredApi {
  name: string;
  config: ApiConfig;
  /** The description's text. */
  read(): Promise<string>;
}

/** Tools from OpenAPI files, one an operation; read once. */
export function openApiTools(
  apis: readonly ConfiguredApi[],
  common: Pick<ApiTarget, "fetch"> & {
    expand(values: Readonly<Record<string, string>>): Record<string, string>;
  },
): ToolSource {
  const tools: Tool[] = [];
  const problems: string[] = [];
  let reading: Promise<void> | undefined;

  async function readOne({ name, config, read }: ConfiguredApi): Promise<void> {
    try {
      const { baseUrl, operations } = readOpenApi(await read());
      const base = config.baseUrl ?? baseUrl;
      if (base === undefined || !/^https?:\/\//.test(base))
        throw new Error("it names no server address; set baseUrl in the settings");
      // A file is changed more easily than the settings: it does not say who gets the person's keys.
      if (config.baseUrl === undefined && Object.keys(config.headers).length > 0)
        throw new Error(
          `its headers go only to an address that the settings name; set baseUrl, such as ${base}`,
        );
      const target = {
        api: name,
        baseUrl: base,
        isChosen: config.baseUrl !== undefined,
        headers: common.expand(config.headers),
        fetch: common.fetch,
      };
      tools.push(...operations.map((operation) => operationTool(operation, target)));
    } catch (error) {
      problems.push(`OpenAPI file ${config.file} of ${name} cannot be used: ${(error as Error).message}.`);
    }
  }

  return {
    refresh: () => {
      reading ??= Promise.all(apis.map(readOne)).then(() => undefined);
      return reading;
    },
    tools: () => tools,
    problems: () => problems,
    pending: () => [],
    check: async () => [],
    withheld: () => undefined,
    close: () => undefined,
  };
}
