// Explore an idea with Claude alone, without a workspace: its web search, earlier research on GitHub, and a report.
import assert from "node:assert";
import { createGitHub, createToolExecutor, GitHubError, ResearchClient } from "wield/research";

export async function research(apiKey: string, baseURL: string, apiUrl: string): Promise<string> {
  const github = createGitHub({ repository: "me/notes", apiUrl });
  const earlier = await github.contents("ideas").catch((error: unknown) => {
    if (error instanceof GitHubError && error.status === 404) return undefined;
    throw error;
  });

  // Both addresses may be left out. Without a toolExecutor there is no read_research.
  const client = new ResearchClient({
    apiKey,
    baseURL,
    model: "claude-sonnet-5-5",
    ...(earlier && { toolExecutor: createToolExecutor(github) }),
    collectToolStats: true,
  });

  // A run of Wield's agent with the research profile: at most 5 steps, the last one for the report, and 16,384 tokens
  // an answer. It rejects when there is no answer.
  const {
    content,
    sources,
    steps,
    usagePerStep,
    inputTokens,
    outputTokens,
    toolStats = [],
  } = await client.generate("Explore: solar roofs for garden sheds");
  assert(steps <= 5 && inputTokens > 0 && outputTokens > 0);
  assert.equal(usagePerStep.length, steps);
  // What Claude's search cited: [1] in the content is the first of them, and the list is at its end.
  for (const [at, { url, title }] of sources.entries())
    assert(content.includes(`${at + 1}. ${title}. <${url}>`));
  assert(toolStats.every(({ name, ok }) => name === "read_research" && ok));
  return content;
}
