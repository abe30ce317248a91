/** What a process of a team did, for whoever runs it: a name and facts, never what people or models wrote. */
export type TeamLog = (event: string, about?: Readonly<Record<string, string | number | undefined>>) => void;

/** One line of JSON for each event. */
export function jsonLines(write: (line: string) => void): TeamLog {
  return (event, about = {}) => write(JSON.stringify({ at: new Date().toISOString(), event, ...about }));
}
