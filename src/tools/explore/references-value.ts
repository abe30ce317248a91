import { z } from "zod";
import { definitionOutput } from "./code-answers.ts";
import { sortedOutput } from "./sorted-answer.ts";

export const referencesOutput = z.object({
  definitions: z.array(definitionOutput),
  references: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      text: z.string(),
      statement: z.string().optional().describe("Of an import of several lines: what matters of them"),
      kind: z.enum(["call", "import", "use"]),
      within: z.string().optional().describe("The function or type around it"),
      byName: z.boolean().optional().describe("Possible: nothing proves or excludes it"),
      why: z.string().optional().describe("Why it is only possible"),
      binding: z
        .object({ line: z.number(), text: z.string() })
        .optional()
        .describe("Of a possible one: what binds the variable before the dot"),
      reexport: z
        .object({ users: z.number().optional() })
        .optional()
        .describe("Passed on to others; users: files that use it through this import"),
    }),
  ),
  sorted: sortedOutput.optional(),
  caveat: z.string().optional().describe("What cannot be found by the name"),
  notParsed: z.string().optional().describe("The file that the symbol names, if it could not be parsed"),
  holders: z.number().optional().describe("Of a name that is declared nowhere: files of code that hold it"),
  notice: z.string().optional(),
});
export type ReferencesValue = z.infer<typeof referencesOutput>;
