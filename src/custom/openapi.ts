import type { Tool } from "../tool/tool.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { ApiConfig } from "./openapi-config.ts";
import { readOpenApi } from "./openapi-file.ts";
import { type ApiTarget, operationTool } from "./openapi-tool.ts";

export interface ConfiguredApi {
  name: string;
  config: ApiConfig;
  /** Of the person's own settings, not of a folder's. */
  isOwn: boolean;
  /** Reads the text of the description. */
  read(): Promise<string>;
}

/** Tools from OpenAPI files, one per operation; the files are read once. */
export function openApiTools(
  apis: readonly ConfiguredApi[],
  common: Pick<ApiTarget, "web"> & {
    expand(values: Readonly<Record<string, string>>): Record<string, string>;
  },
): ToolSource {
  const tools: Tool[] = [];
  const problems: string[] = [];
  let reading: Promise<void> | undefined;

  async function readOne({ name, config, isOwn, read }: ConfiguredApi): Promise<void> {
    try {
      const { baseUrl, operations } = readOpenApi(await read());
      const base = config.baseUrl ?? baseUrl;
      if (base === undefined || !/^https?:\/\//.test(base))
        throw new Error("it names no server address; set baseUrl in the settings");
      // The file is easier to change than the settings, so it must not decide who receives the person's keys.
      if (config.baseUrl === undefined && Object.keys(config.headers).length > 0)
        throw new Error(
          `headers are sent only to an address in the settings; set baseUrl, for example ${base}`,
        );
      const target = {
        api: name,
        baseUrl: base,
        isChosen: config.baseUrl !== undefined,
        isOwn: isOwn && config.baseUrl !== undefined,
        headers: common.expand(config.headers),
        web: common.web,
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
