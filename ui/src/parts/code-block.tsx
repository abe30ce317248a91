import { useState } from "react";
import { highlight } from "./highlight.tsx";
import { Icon } from "./icon.tsx";

export function CodeBlock({ code, language }: { code: string; language: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{language || "text"}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{highlight(code, language)}</code>
      </pre>
    </figure>
  );
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
