import { useState } from "react";
import type { ProviderSearch } from "../../../src/api/chat.ts";
import type { ReportView as SavedReport } from "../../../src/api/sessions.ts";
import { visible } from "../parts/visible.ts";
import { plural } from "../parts/words.ts";
import { send, wordsOf } from "../server/api.ts";
import { download } from "../server/download.ts";
import { useRoute } from "../server/route.ts";

/** A search that the model's provider ran itself. */
export function SearchView({ search }: { search: ProviderSearch }) {
  const { query, results } = search;
  return (
    <details className="reasoning">
      <summary>
        Searched the web: {visible(query)} ({plural(results.length, "result")})
      </summary>
      <ul className="sources">
        {results.map(({ url, title }) => (
          <li key={url}>
            <SourceLink url={url} title={title} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Below an answer that cites: the list of sources is part of its text. */
export function ReportView() {
  return (
    <section className="sources" aria-label="Report">
      <ReportActions />
    </section>
  );
}

const formats = { md: "Markdown", html: "HTML", docx: "Word", pdf: "PDF", log: "Log" } as const;

/** The answer as a report: saved into the workspace, or downloaded. */
function ReportActions() {
  const { item: session } = useRoute();
  const [told, tell] = useState("");
  if (session === undefined) return null;
  const path = `/sessions/${session}/report`;
  const save = () =>
    send<SavedReport>(path).then(
      ({ report, log }) => tell(`Saved as ${report} and ${log}`),
      (error: unknown) => tell(wordsOf(error)),
    );
  const load = (format: string) =>
    download(`${path}?format=${format}`).then(
      () => tell(""),
      (error: unknown) => tell(wordsOf(error)),
    );
  return (
    <p className="report-actions">
      <button type="button" className="small" onClick={() => void save()}>
        Save report
      </button>
      <span>Download:</span>
      {Object.entries(formats).map(([format, label]) => (
        <button key={format} type="button" className="small quiet" onClick={() => void load(format)}>
          {label}
        </button>
      ))}
      <output>{told}</output>
    </p>
  );
}

/** Only web addresses are links; a file of earlier research is named. */
function SourceLink({ url, title }: { url: string; title: string }) {
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) return <>{visible(`${title} ${url}`)}</>;
  return (
    <>
      <a href={address.href} target="_blank" rel="noreferrer">
        {visible(title) || address.href}
      </a>{" "}
      <span>{address.host}</span>
    </>
  );
}
