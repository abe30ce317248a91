import { useState } from "react";
import { highlight } from "./highlight.tsx";
import { Icon } from "./icon.tsx";
import { visible } from "./visible.ts";

export function CodeBlock({ code, language }: { code: string; language: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{language || "text"}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{language === "diff" ? diffLines(code) : highlight(code, language)}</code>
      </pre>
    </figure>
  );
}

/** Each line in the colour of its sign. */
function diffLines(code: string) {
  return code.split("\n").map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by position
    <span key={at} className={line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : undefined}>
      {visible(line)}
      {"\n"}
    </span>
  ));
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<"Copied" | "Select it to copy">();
  const copy = async () => {
    // Browsers offer the clipboard only to pages on this machine or over https.
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(isDone ? "Copied" : "Select it to copy");
    setTimeout(() => setOutcome(undefined), 1500);
  };
  return (
    <button
      type="button"
      className="quiet small"
      aria-label={outcome === undefined ? label : undefined}
      onClick={() => void copy()}
    >
      <Icon name={outcome === "Copied" ? "check" : "copy"} size={14} />
      {outcome ?? "Copy"}
    </button>
  );
}
