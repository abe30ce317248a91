import { useEffect, useRef, useState } from "react";
import type { ProcessOutputView, ProcessView } from "../../../src/api/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { get, send, wordsOf } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { Elapsed } from "./call-live.tsx";

/** What run_code started in the background: one line each, with its output and a way to end it. */
export function ProcessesView({ session }: { session: string }) {
  const path = `/sessions/${session}/processes`;
  const { data = [], again } = useFetched<ProcessView[]>(path, "processes-change");
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<string>();
  const { problem, attempt } = useAttempts();
  const running = data.filter(({ state }) => state === "running").length;
  // Nothing tells that a process began to listen on a port.
  useEffect(() => {
    if (!isOpen || running === 0) return;
    const timer = setInterval(again, 3 * everyMs);
    return () => clearInterval(timer);
  }, [isOpen, running, again]);
  if (data.length === 0) return null;
  const counts = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(data.length > running ? [`${data.length - running} ended`] : []),
  ];
  return (
    <details className="processes" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Background processes <span className="faint">{counts.join(", ")}</span>
      </summary>
      {problem && <Problem>{problem}</Problem>}
      <ul aria-label="Background processes">
        {data.map((process) => (
          <li key={process.id}>
            <div className="process-line">
              <code title={process.command}>{process.command}</code>
              {process.state !== "running" && (
                <span className="faint">
                  {process.state === "stopped" ? "stopped" : `ended with exit code ${process.exitCode}`}
                </span>
              )}
              {process.ports.map((port) => (
                <Port
                  key={port}
                  port={port}
                  address={process.opened.find((one) => one.port === port)?.address}
                  onOpen={() =>
                    void attempt(() => send(`${path}/${process.id}/open`, { port })).finally(again)
                  }
                />
              ))}
              {process.state === "running" && <Elapsed since={process.started} />}
              <button
                type="button"
                className="quiet small"
                aria-expanded={shown === process.id}
                onClick={() => setShown(shown === process.id ? undefined : process.id)}
              >
                Output
              </button>
              {process.state === "running" && (
                <button
                  type="button"
                  className="quiet small"
                  aria-label={`Stop: ${process.command}`}
                  onClick={() => void attempt(() => send(`${path}/${process.id}/stop`))}
                >
                  Stop
                </button>
              )}
            </div>
            {shown === process.id && <Tail session={session} process={process} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface PortProps {
  port: number;
  /** Where it was opened for this browser. */
  address: string | undefined;
  onOpen(): void;
}

/** A port inside the sandbox: the person's browser reaches it once they open it, on the machine that Wield runs on. */
function Port({ port, address, onOpen }: PortProps) {
  const isHere = ["localhost", "127.0.0.1"].includes(location.hostname);
  if (address !== undefined && isHere)
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>
    );
  if (!isHere) return <span className="faint">localhost:{port}</span>;
  return (
    <button type="button" className="quiet small" onClick={onOpen}>
      Open port {port}
    </button>
  );
}

const everyMs = 1000;
const mostCharacters = 100_000;

/** The end of the output, which grows while the process runs. */
function Tail({ session, process: { id, state } }: { session: string; process: ProcessView }) {
  const [text, setText] = useState("");
  const end = useRef<HTMLPreElement>(null);
  const next = useRef<number>(undefined);
  useEffect(() => {
    const left = new AbortController();
    const read = async () => {
      const from = next.current === undefined ? "" : `?offset=${next.current}`;
      const part = await get<ProcessOutputView>(`/sessions/${session}/processes/${id}${from}`, left.signal);
      next.current = part.next;
      if (part.text !== "") setText((known) => (known + part.text).slice(-mostCharacters));
    };
    const readOn = () =>
      read().catch((error: unknown) => {
        if (!left.signal.aborted) setText((known) => known || wordsOf(error));
      });
    void readOn();
    const timer = state === "running" ? setInterval(() => void readOn(), everyMs) : undefined;
    return () => {
      left.abort();
      clearInterval(timer);
    };
  }, [session, id, state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is printed
  useEffect(() => {
    if (end.current) end.current.scrollTop = end.current.scrollHeight;
  }, [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre ref={end} tabIndex={0} role="log" aria-label="Output of the process">
      {text || "Nothing printed yet."}
    </pre>
  );
}
