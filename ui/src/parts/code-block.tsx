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

export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" className="quiet small" onClick={() => void copy()}>
      <Icon name={copied ? "check" : "copy"} size={14} />
      {copied ? "Copied" : "Copy"}
    </button>
  );
}
