import { z } from "zod";

/** One web API in the settings, described by an OpenAPI 3 file. */
export const apiSchema = z.lazy(() =>
  z.strictObject({
    file: z
      .string()
      .min(1)
      .describe("OpenAPI 3 in JSON or YAML; relative to the settings file's folder or the workspace"),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("Default: the first server of the file; then every call asks, and no headers are sent"),
    headers: z
      .record(z.string(), z.string())
      .default({})
      .describe("Sent with every request; values may be $NAME, taken from your environment"),
  }),
);
export type ApiConfig = z.output<typeof apiSchema>;
