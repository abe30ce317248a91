import { useRef } from "react";
import type { DocumentView } from "../../../src/api/documents.ts";
import { Icon } from "../parts/icon.tsx";

const labels: Readonly<Record<DocumentView["formats"][number], string>> = {
  md: "Markdown (.md)",
  docx: "Word (.docx)",
  csv: "Table (.csv)",
  source: "Source file",
};

interface MenuProps {
  formats: DocumentView["formats"];
  onDownload(format: string): void;
}

/** One format is saved at once; of several, the person chooses. */
export function DownloadMenu({ formats, onDownload }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [only] = formats;
  if (formats.length === 1 && only !== undefined)
    return (
      <button type="button" className="small" title="Download" onClick={() => onDownload(only)}>
        <Icon name="download" size={14} /> <span className="unseen">Download</span>
      </button>
    );
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      className="menu"
      ref={menu}
      onBlur={({ relatedTarget }) => {
        if (!menu.current?.contains(relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        event.stopPropagation();
        close();
        menu.current.querySelector("summary")?.focus();
      }}
    >
      <summary className="small" title="Download">
        <Icon name="download" size={14} /> <span className="unseen">Download</span>
      </summary>
      <ul>
        {formats.map((format) => (
          <li key={format}>
            <button
              type="button"
              className="quiet"
              onClick={() => {
                close();
                onDownload(format);
              }}
            >
              {labels[format]}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
