import { useEffect, useRef, useState } from "react";
import { highlight } from "../parts/highlight.tsx";
import { duration } from "../parts/words.ts";

/** For how long a call has been running. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const passed = now - Date.parse(since);
  return passed < 1000 ? null : (
    <span className="call-numbers">{duration(Math.floor(passed / 1000) * 1000)}</span>
  );
}

/** While a program runs: the whole command, and the last lines that it printed. */
export function LiveRun({ input, output }: { input: unknown; output: string | undefined }) {
  const end = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is printed
  useEffect(() => {
    if (end.current) end.current.scrollTop = end.current.scrollHeight;
  }, [output]);
  const command = commandOf(input);
  if (command === undefined && output === undefined) return null;
  return (
    <div className="call-live">
      {command !== undefined && (
        <pre className="call-command">{highlight(command.code, command.language)}</pre>
      )}
      {output !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <pre ref={end} tabIndex={0} aria-label="Output so far" role="log">
          {output}
        </pre>
      )}
    </div>
  );
}

/** The program of a call that runs one. */
export function commandOf(input: unknown): { code: string; language: string } | undefined {
  const { code, language } = (input ?? {}) as { code?: unknown; language?: unknown };
  if (typeof code !== "string") return undefined;
  return { code, language: typeof language === "string" ? language : "python" };
}
