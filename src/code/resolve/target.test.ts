import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../folder.suite.ts";
import { type Definition, targetOf } from "./definitions.ts";
import { chooseTarget } from "./target.ts";

/** Real sources: packages that are installed for other reasons. */
const packages = ["vscode-jsonrpc", "yaml"];

test.each(packages)(
  "%s: every target that answers print is accepted and means what it was printed for",
  async (name) => {
    const place = openProject();
    try {
      const folder = join(import.meta.dirname, "../../../node_modules", name);
      cpSync(folder, place.root, {
        recursive: true,
        filter: (path) => !path.slice(folder.length).includes("node_modules") && !path.endsWith(".map"),
      });
      const { project } = place;
      await project.index.refresh();
      await project.fill({ threads: 1 });
      const all: Definition[] = [];
      for (const file of project.words.files()) {
        const syntax = file.language ? await project.syntax(file) : undefined;
        for (const declaration of syntax?.declarations ?? [])
          if (syntax) all.push({ file: file.path, declaration, syntax, distance: 0 });
      }
      expect(all.length).toBeGreaterThan(200);
      const step = Math.ceil(all.length / 300);
      const refused: string[] = [];
      for (const definition of all.filter((_, i) => i % step === 0)) {
        const { kind } = definition.declaration;
        const chosen = await chooseTarget(
          project,
          targetOf(definition),
          { operation: "usages", kind },
          () => true,
        );
        const isSame =
          chosen !== undefined &&
          "target" in chosen &&
          chosen.all.some(
            (d) => d.file === definition.file && d.declaration.name === definition.declaration.name,
          );
        if (!isSame) refused.push(`${targetOf(definition)} ${kind}`);
      }
      expect(refused).toEqual([]);
    } finally {
      place.close();
    }
  },
);
