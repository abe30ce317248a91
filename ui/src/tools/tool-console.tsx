import { useEffect, useRef, useState } from "react";
import type { CallView, ToolView } from "../../../src/api/tools.ts";
import { CallFiles } from "../chat/call-files.tsx";
import { ProcessesView } from "../chat/processes-view.tsx";
import { CopyButton } from "../parts/code-block.tsx";
import { Problem } from "../parts/feedback.tsx";
import { highlight } from "../parts/highlight.tsx";
import { Icon } from "../parts/icon.tsx";
import { ResultText } from "../parts/result-text.tsx";
import { count, duration } from "../parts/words.ts";
import { send, wordsOf } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { emptyForm, type Form, fieldsOf, formOf, inputOf } from "./form.ts";
import { FormFields } from "./form-fields.tsx";

export function ToolConsole({ tool }: { tool: ToolView }) {
  const fields = fieldsOf(tool.input);
  const [form, setForm] = useState<Form>(() => emptyForm(fields));
  const [outcome, setOutcome] = useState<CallView>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const [busy, setBusy] = useState(false);

  const run = async () => {
    const stop = new AbortController();
    running.current = stop;
    setBusy(true);
    setProblem(undefined);
    try {
      const input = inputOf(fields, form);
      setOutcome(await send<CallView>("/call", { tool: tool.name, input }, { signal: stop.signal }));
    } catch (error) {
      setProblem(stop.signal.aborted ? "Stopped." : wordsOf(error));
    }
    setBusy(false);
  };
  return (
    <article className="console">
      <a className="back" href={hrefOf("tools")}>
        All tools
      </a>
      <header>
        <h2>{tool.title}</h2>
        <code>{tool.name}</code>
      </header>
      <p className="tool-description">{tool.description}</p>
      <ul className="effects">
        <li>{tool.category}</li>
        <li>{tool.loading === "core" ? "always described to the model" : "found through tool search"}</li>
        {tool.can.length === 0 ? (
          <li>no effects</li>
        ) : (
          tool.can.map((effect) => <li key={effect}>can {effect}</li>)
        )}
      </ul>
      {tool.examples.length > 0 && (
        <p className="examples">
          Examples:
          {tool.examples.map(({ title, input }) => (
            <button type="button" className="chip" key={title} onClick={() => setForm(formOf(fields, input))}>
              {title}
            </button>
          ))}
        </p>
      )}
      <form
        className="form card"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <FormFields fields={fields} form={form} onForm={setForm} />
        <div className="row">
          <button type="submit" className="primary" disabled={busy || !tool.on}>
            <Icon name="play" size={14} /> Run
          </button>
          {busy && (
            <button type="button" onClick={() => running.current?.abort()}>
              Stop
            </button>
          )}
          {!tool.on && <span className="faint">This tool is off. Switch it on to run it.</span>}
        </div>
      </form>
      {problem && <Problem>{problem}</Problem>}
      {outcome && <Outcome outcome={outcome} />}
      {/* Whoever starts a process here finds and ends it here, too. */}
      <ProcessesView session="tools" />
    </article>
  );
}

function Outcome({ outcome }: { outcome: CallView }) {
  const [shown, setShown] = useState<"text" | "value">("text");
  const place = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to a new result
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [outcome]);
  const { result, text, record, images, files } = outcome;
  const body = shown === "text" ? text : JSON.stringify(result.ok ? result.value : result.error, null, 2);
  return (
    <section ref={place} className="outcome" aria-label="Result" data-ok={result.ok}>
      <header>
        <span className={result.ok ? "mark-ok" : "mark-bad"}>
          <Icon name={result.ok ? "check" : "cross"} size={14} />
        </span>
        <strong>{result.ok ? "Done" : result.error.code}</strong>
        <span className="faint">
          {duration(record.durationMs)} · {count(record.tokensOut)} tokens
        </span>
        <fieldset className="segments">
          <legend className="unseen">Result as</legend>
          <button type="button" aria-pressed={shown === "text"} onClick={() => setShown("text")}>
            Model text
          </button>
          <button type="button" aria-pressed={shown === "value"} onClick={() => setShown("value")}>
            Value
          </button>
        </fieldset>
        <CopyButton text={body} />
      </header>
      {shown === "text" ? (
        <ResultText text={body} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <pre tabIndex={0}>{highlight(body, "json")}</pre>
      )}
      {files.length > 0 && <CallFiles call={record.id} files={files} />}
      {(files.length > 0 ? [] : images).map(({ mediaType, base64 }) => (
        <img key={base64.slice(0, 64)} alt="Result" src={`data:${mediaType};base64,${base64}`} />
      ))}
    </section>
  );
}
