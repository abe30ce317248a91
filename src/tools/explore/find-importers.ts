import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { type Code, codeOptions, firstOf, notice } from "./code-answers.ts";
import { excludeInput, excludes } from "./excluded-files.ts";
import { checkedText, importerList, importersHead } from "./importer-lines.ts";
import { countCursor } from "./match-cursor.ts";

export const findImporters = (code: Code) =>
  defineTool({
    name: "find_importers",
    title: "Find importers",
    description:
      "Find all files that import a module, with the import statement. Give the file's path, with or without extension, or the module as an import writes it (../services/DatabaseService, @/lib/db, app.models). Use it before changing what a file exports.",
    category: "Search",
    input: z.object({
      modulePath: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .describe("For example src/services/DatabaseService.ts or ../services/DatabaseService"),
      exclude: excludeInput,
      cursor: countCursor,
    }),
    output: z.object({
      modules: z.array(z.string()).describe("The files that modulePath means"),
      importers: z.array(
        z.object({
          file: z.string(),
          line: z.number(),
          statement: z.string(),
          inline: z.array(z.number()).optional().describe("Lines that name it by a path, without import"),
          isPossible: z.boolean().optional().describe("What is written fits several files"),
        }),
      ),
      looked: z.number().optional().describe("Files that write some part of the path"),
      unread: z.array(z.string()).optional().describe("Of those, the ones that are not parsed yet"),
      notice: z.string().optional(),
    }),
    can: ["read"],
    idempotent: true,
    effects: () => [{ kind: "read", path: "." }],
    execute: async ({ modulePath, exclude }, context) => {
      const { files, importers, looked, unread, gap, coverage } = await (await code()).importers(
        modulePath,
        codeOptions(context),
      );
      if (files.length === 0) {
        throw new Failure(
          "FILE_NOT_FOUND",
          `No module ${JSON.stringify(modulePath)} in this workspace. Give the path of a file here, or use grep to find imports of an outside package.`,
        );
      }
      const isExcluded = excludes(exclude);
      const shown = importers.filter(({ file }) => !isExcluded(file));
      const leftOut = importers.length - shown.length;
      const excluded = leftOut > 0 ? `Left out by exclude: ${leftOut}.` : undefined;
      const note = [excluded, unread.length > 0 ? notice(coverage) : undefined, gap]
        .filter(Boolean)
        .join("\n");
      return {
        modules: files,
        importers: shown.map(({ within: _, ...importer }) => importer),
        looked,
        ...(unread.length > 0 && { unread }),
        ...(note && { notice: note }),
      };
    },
    render: ({ modules, importers, looked, unread, notice: note }, { cursor }) => {
      const notes = [
        ...(unread
          ? [`Not parsed yet, and may import it (${unread.length} of ${looked}): ${firstOf(unread, 5)}`]
          : []),
        ...(note ? [note] : []),
      ];
      const isOpen = unread !== undefined || note !== undefined;
      const of =
        modules.length === 1
          ? modules[0]
          : `${modules.slice(0, 3).join(", ")}${modules.length > 3 ? ", …" : ""}`;
      if (importers.length === 0)
        return [`Nothing imports ${of}${isOpen ? "" : `: ${checkedText(looked ?? 0)}`}.`, ...notes].join(
          "\n",
        );
      const head = importersHead(importers, of, isOpen ? undefined : looked);
      return importerList(importers, head, notes, cursor);
    },
    examples: [
      { title: "Impact of changing a service", input: { modulePath: "../services/DatabaseService" } },
    ],
  });
