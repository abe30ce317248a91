import { useState } from "react";
import type { SkillsView, SkillTextView } from "../../../src/api/tools.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Empty, PageHead, Problem } from "../parts/feedback.tsx";
import { languageOf } from "../parts/highlight.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { hrefOf } from "../server/route.ts";
import { useFetched } from "../server/use-server.ts";

const sources = { "built-in": "Built in", user: "Yours", workspace: "This folder" } as const;

/** All skills, and the text of one as a model reads it. */
export function SkillsPage({ item }: { item: string | undefined }) {
  const { data, error } = useFetched<SkillsView>("/skills", "settings-change");
  const bySource = Map.groupBy(data?.skills ?? [], ({ source }) => source);
  return (
    <section className="page split" data-detail={item !== undefined}>
      <div className="split-list">
        <PageHead title="Skills">
          Instructions that a model reads when a task calls for them. Add your own as a folder with a
          SKILL.md: in ~/.config/wield/skills, or in .wield/skills of a trusted folder.
        </PageHead>
        {error && <Problem>{error}</Problem>}
        {data?.problems.map((problem) => (
          <Problem key={problem}>{problem}</Problem>
        ))}
        {[...bySource].map(([source, skills]) => (
          <section key={source} className="tool-group" aria-label={sources[source]}>
            <h2>{sources[source]}</h2>
            <ol>
              {skills.map(({ name, description }) => (
                <li key={name}>
                  <a href={hrefOf("skills", name)} aria-current={name === item ? "true" : undefined}>
                    <span>
                      <strong>{name}</strong>
                      <span className="tool-summary">{description}</span>
                    </span>
                  </a>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      <div className="split-detail">
        {item === undefined ? (
          <Empty icon="skills" title="Read a skill">
            Choose one on the left to see what a model reads.
          </Empty>
        ) : (
          <SkillText key={item} name={item} />
        )}
      </div>
    </section>
  );
}

const main = "SKILL.md";

function SkillText({ name }: { name: string }) {
  const [file, setFile] = useState(main);
  const path = `/skills/${encodeURIComponent(name)}?file=${encodeURIComponent(file)}`;
  const { data, error } = useFetched<SkillTextView>(path);
  return (
    <article className="console skill" aria-label={name}>
      <a className="back" href={hrefOf("skills")}>
        ← All skills
      </a>
      {error && <Problem>{error}</Problem>}
      {data && (
        <>
          <header>
            <h2>{data.name}</h2>
            <span className="faint">{sources[data.source]}</span>
          </header>
          <p className="tool-description">{data.description}</p>
          {data.files.length > 0 && (
            <label className="row">
              File
              <select className="small" value={file} onChange={(event) => setFile(event.target.value)}>
                {[main, ...data.files].map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
          )}
          {file.endsWith(".md") ? (
            <Markdown text={data.content} />
          ) : (
            <CodeBlock code={data.content} language={languageOf(file)} />
          )}
        </>
      )}
    </article>
  );
}
