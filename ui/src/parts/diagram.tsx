import { renderMermaidSVG } from "beautiful-mermaid";
import { useEffect, useMemo, useState } from "react";
import { CodeBlock } from "./code-block.tsx";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** A Mermaid diagram. As the source of an image its drawing can run and load nothing. */
export function Diagram({ text }: { text: string }) {
  const colours = useColours();
  const drawn = useMemo(() => {
    try {
      return renderMermaidSVG(text, { ...colours, transparent: true });
    } catch {
      return undefined;
    }
  }, [text, colours]);
  if (drawn === undefined) return <CodeBlock code={text} language="mermaid" />;
  return (
    <figure className="diagram">
      <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`} alt={`Diagram: ${text}`} />
      <details>
        <summary>Source</summary>
        <CodeBlock code={text} language="mermaid" />
      </details>
    </figure>
  );
}

/** The colours of the page as they are now. */
function useColours() {
  const [colours, setColours] = useState(read);
  useEffect(() => {
    const changed = () => setColours(read());
    dark.addEventListener("change", changed);
    const watcher = new MutationObserver(changed);
    watcher.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      dark.removeEventListener("change", changed);
      watcher.disconnect();
    };
  }, []);
  return colours;
}

function read() {
  const { theme } = document.documentElement.dataset;
  const isDark = theme === "dark" || (theme === undefined && dark.matches);
  return isDark
    ? {
        ...{ bg: "#201e1b", fg: "#f2eee6", line: "#8f887c", border: "#7a746a" },
        ...{ muted: "#c9c3b8", accent: "#c9c3b8" },
      }
    : {
        ...{ bg: "#fffefc", fg: "#1e1c19", line: "#8a857c", border: "#a09a90" },
        ...{ muted: "#57534b", accent: "#57534b" },
      };
}
