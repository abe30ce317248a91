import { createTwoFilesPatch } from "diff";
import fc from "../../testing/properties.ts";

export const line = fc.constantFrom("a", "  b", "\tc", "{", "}", "", "-- x", "++ y", "*** z");
export const contents = fc.array(line, { maxLength: 30 });

/** Texts that are nearly patches of a file, of both forms. */
export function brokenPatch(file: string, path: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const named = (prefix: string) => path.map((name) => `${prefix}${name}`);
  const patchLine = fc.oneof(
    fc.constantFrom(
      " a",
      "-a",
      "+a",
      " ",
      "",
      "+",
      "-",
      "@@",
      "@@ a",
      "@@ a @@",
      "-  b",
      "+\tc",
      "*** End of File",
    ),
    fc.constantFrom(
      "*** Begin Patch",
      "*** End Patch",
      `*** Update File: ${file}`,
      `--- a/${file}`,
      `+++ b/${file}`,
    ),
    fc.constantFrom(
      "@@ -1,2 +1,2 @@",
      "@@ -0,0 +1 @@",
      "@@ -99999999999999999999,9 +1 @@",
      "@@ -1,1000000000 +1 @@",
    ),
    fc.constantFrom(
      "--- /dev/null",
      "+++ /dev/null",
      "new file mode 120000",
      "deleted file mode 100644",
      "\\ No newline",
    ),
    fc.constantFrom(
      "rename to ../x",
      "GIT binary patch",
      "\r",
      "\0",
      "\ud800",
      `diff --git a/${file} b/${file}`,
    ),
    ...["*** Add File: ", "*** Delete File: ", "*** Move to: ", "*** Update File: ", "--- ", "+++ "].map(
      named,
    ),
    line.map((text) => ` ${text}`),
    fc.string(),
  );
  const lines = fc.array(patchLine, { maxLength: 30 });
  const true_ = fc
    .tuple(contents, contents)
    .map(([old, now]) =>
      createTwoFilesPatch(`a/${file}`, `b/${file}`, old.join("\n"), now.join("\n")).split("\n"),
    );
  const spoilt = fc
    .tuple(true_, fc.array(fc.tuple(fc.nat(40), fc.nat(3), patchLine), { maxLength: 4 }))
    .map(([patch, cuts]) => cuts.reduce((rest, [at, gone, put]) => rest.toSpliced(at, gone, put), patch));
  const long = fc
    .tuple(lines, patchLine, fc.nat(3_000))
    .map(([head, one, times]) => [...head, ...Array(times).fill(one)]);
  return fc
    .oneof({ weight: 6, arbitrary: lines }, { weight: 6, arbitrary: spoilt }, long)
    .map((all) => all.join("\n"));
}
