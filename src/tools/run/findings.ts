/** What a type checker or linter says about one line. */
export interface Finding {
  file: string;
  line: number;
  /** The rule or error number; may be empty. */
  code: string;
  message: string;
}

/** Findings in what a checker printed; undefined when it printed something else. */
export type ReadFindings = (streams: { stdout: string; stderr: string }) => Finding[] | undefined;

/** One finding a line; named groups `file`, `line`, `code`, `message`. Other lines do not count. */
export function lineFindings(pattern: RegExp): ReadFindings {
  return ({ stdout, stderr }) =>
    `${stdout}\n${stderr}`.split(/\r?\n/).flatMap((line) => {
      const { file = "", line: at = "1", code = "", message = "" } = pattern.exec(line)?.groups ?? {};
      return file === "" ? [] : [{ file, line: Number(at), code, message }];
    });
}

export function jsonFindings<T>(read: (printed: T) => Finding[]): ReadFindings {
  return ({ stdout }) => {
    try {
      return read(JSON.parse(stdout) as T);
    } catch {
      return undefined;
    }
  };
}

/** Those that were not there before. Lines move with every edit, so a finding is known by its file and its words. */
export function newFindings(now: readonly Finding[], before: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  for (const finding of before) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return now.filter((finding) => {
    const left = counts.get(keyOf(finding)) ?? 0;
    counts.set(keyOf(finding), left - 1);
    return left <= 0;
  });
}

function keyOf({ file, code, message }: Finding): string {
  return `${file}\0${code}\0${message}`;
}
