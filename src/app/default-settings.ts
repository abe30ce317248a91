const megabyte = 1024 * 1024;

/**
 * The default settings. Plain values, so a command in a folder without settings needs no schema; frozen, because all
 * callers share them.
 */
export const defaultSettings = frozen({
  rules: [],
  modes: {},
  tools: { off: [], on: [], favourites: [] },
  mcp: {},
  openapi: {},
  limits: { readLines: 2000 },
  execution: {
    toolsInCode: false,
    shell: "sandbox" as const,
    network: "off" as const,
    limits: {},
    limitsByFolder: {},
    packageBytes: 2048 * megabyte,
  },
  agent: { testDriven: false, diagnostics: true, diagnosticsSeconds: 30, contextTokens: 100_000 },
  prices: {},
  hooks: { beforeCall: [], afterCall: [], endOfRun: [] },
  approvals: { days: 7 },
  web: { search: {}, browser: {} },
  research: { sites: 30, megabytes: 50 },
  flow: { control: true, public: [] },
  telemetry: { headers: {}, content: false },
  keep: {
    sessionDays: 180,
    callDays: 365,
    documentDays: 0,
    planDays: 180,
    journalDays: 365,
    cacheDays: 60,
    storeMegabytes: 2048,
  },
  journal: { bytesPerChange: 512 * megabyte, bytesInAll: 2048 * megabyte },
});

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part !== null && typeof part === "object") frozen(part);
  return Object.freeze(value);
}
