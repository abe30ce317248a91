/** What a path tells about how much its content matters to someone who asks about the code itself. */
export type PathKind = "source" | "test" | "example" | "docs" | "generated" | "vendored";

const rules: readonly (readonly [PathKind, RegExp])[] = [
  ["vendored", /(?:^|\/)(?:vendor|vendored|third_party|third-party|node_modules|external|extern|_vendor)\//i],
  [
    "generated",
    /(?:^|[/._-])(?:generated|autogen)[/._-]|\.pb\.|_pb2?\.|zz_generated|\.gen\.\w+$|\.min\.(?:js|css)$|\.g\.(?:dart|cs)$|\.lock$|-lock\.|\.d\.ts$|\.map$/i,
  ],
  [
    "test",
    /(?:^|\/)(?:tests?|__tests__|testing|spec|specs|testdata|test_data|fixtures?|mocks?|__mocks__|e2e)\/|(?:^|\/)(?:test_|conftest)[^/]*$|[._-](?:test|tests|spec|e2e)\.[^/]+$|Tests?\.\w+$/,
  ],
  [
    "example",
    /(?:^|\/)(?:examples?|samples?|demos?|benchmarks?|bench|asv_benchmarks|tutorials?|playground)\//i,
  ],
  // What builds, releases or shows a project is asked for less than the project itself.
  ["example", /^(?:scripts?|website|site|tools?\/ci|\.?ci|build_?tools|release)\//i],
  ["docs", /(?:^|\/)\.[^/]+(?:\/|$)/],
  [
    "docs",
    /(?:^|\/)(?:docs?|documentation|doc_src|website|changelogs?|release_?notes|whats_new|licenses?)\/|\.(?:md|mdx|rst|txt|adoc|html|po|pot|tex)$|(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|AUTHORS|LICENSE)/i,
  ],
];

export function pathKind(path: string): PathKind {
  return rules.find(([, pattern]) => pattern.test(path))?.[0] ?? "source";
}
