/** What the graph can be asked. In a file of its own: whoever names them need not load what answers them. */
export const operations = [
  "callers",
  "callees",
  "implementations",
  "methods",
  "usages",
  "inheritors",
  "importers",
  "imports",
] as const;
export type Operation = (typeof operations)[number];
