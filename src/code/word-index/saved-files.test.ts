import { hash } from "node:crypto";
import { expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import type { SurveyedFolder } from "../../workspace/workspace.ts";
import { pack, unpack } from "./packed.ts";
import { packFiles, SavedFiles } from "./saved-files.ts";
import { type IndexedFile, ReadFiles } from "./segment.ts";

const name = fc
  .string({ unit: "binary", minLength: 1, maxLength: 8 })
  .map((text) => text.replace(/[/\0]/g, "_"));
const names = fc.uniqueArray(name, { maxLength: 5 });
const number = fc.oneof(fc.double(), fc.constant(Number.NaN));
const folder = fc
  .record({
    path: name,
    time: number,
    rules: names,
    rulesState: number,
    folders: names,
    files: names,
    others: names,
  })
  .chain((given) => {
    const numbers = fc.array(number, { minLength: given.files.length, maxLength: given.files.length });
    return fc.record({ sizes: numbers, times: numbers, modified: numbers }).map(
      (more): SurveyedFolder => ({
        ...given,
        first: 0,
        ...more,
      }),
    );
  });
const content = fc.constantFrom("", "a", "b", "c").map((text) => text && hash("sha1", text, "base64url"));

test("what is saved of folders and files is what is read back, one by one and by content", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(folder, { selector: ({ path }) => path, maxLength: 6 }),
      fc.infiniteStream(content),
      fc.infiniteStream(fc.constantFrom("", "go", "typescript")),
      fc.nat(),
      (folders, contents, languages, cut) => {
        const all = folders.flatMap(({ path, files, sizes }) =>
          files.map(
            (file, i): IndexedFile => ({
              path: `${path}/${file}`,
              size: sizes[i] as number,
              hash: contents.next().value ?? "",
              language: languages.next().value ?? "",
            }),
          ),
        );
        const at = cut % (all.length + 1);
        const parts = [all.slice(0, at), all.slice(at)];
        const packed = packFiles(
          new Map(folders.map((one) => [one.path, one])),
          parts.map((files) => ({ files })),
        );
        const saved = new SavedFiles(unpack(Buffer.concat(packed)));
        const back = [...saved.folders().values()].map(({ first, sizes, times, modified, ...rest }) => {
          const own = (numbers: ArrayLike<number>) =>
            Array.from(numbers).slice(first, first + rest.files.length);
          return { ...rest, first: 0, sizes: own(sizes), times: own(times), modified: own(modified) };
        });
        expect(back).toEqual(folders);
        saved.segments().forEach((list, i) => {
          const expected = new ReadFiles(parts[i] ?? []);
          expect([...list]).toEqual([...expected]);
          expect([list.length, list.codeFiles]).toEqual([expected.length, expected.codeFiles]);
          expect(list.at(list.length)).toBeUndefined();
          for (const one of ["a", "b", "absent"].map((text) => hash("sha1", text, "base64url")))
            expect(list.withHash(one)).toEqual(expected.withHash(one));
          for (const { path } of all) expect(list.numberOf(path)).toBe(expected.numberOf(path));
          expect([list.numberOf("absent"), list.numberOf("a/b")]).toEqual([-1, -1]);
          if (list.length > 0) expect(list.at(list.length - 1)).toBe([...list].at(-1));
        });
      },
    ),
  );
});

test("a part too few is damage", () => {
  expect(() => new SavedFiles(unpack(Buffer.concat(pack([new Uint8Array(3)]))))).toThrow(/damaged/);
});
