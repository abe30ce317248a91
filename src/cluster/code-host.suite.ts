import { createServer, type IncomingMessage } from "node:http";
import { listen } from "../server/http-server.ts";

export interface FakeRequest {
  number: number;
  state: "open" | "closed";
  title: string;
  head: string;
  base: string;
  body: string;
  url: string;
}

interface Answer {
  status: number;
  value: unknown;
}

interface Api {
  /** Headers that every request must have. */
  headers: Readonly<Record<string, string>>;
  list: RegExp;
  one: RegExp;
  change: "PATCH" | "PUT";
  /** Names of fields in requests and answers. */
  names: { head: string; base: string; body: string; number: string; url: string };
  open: string;
  headIn(query: URLSearchParams): string | null | undefined;
  taken: Answer;
}

const github: Api = {
  headers: {
    ...{ authorization: "Bearer gh", accept: "application/vnd.github+json" },
    "x-github-api-version": "2022-11-28",
  },
  list: /^\/api\/v3\/repos\/team\/app\/pulls$/,
  one: /^\/api\/v3\/repos\/team\/app\/pulls\/(\d+)$/,
  change: "PATCH",
  names: { head: "head", base: "base", body: "body", number: "number", url: "html_url" },
  open: "open",
  headIn: (query) => /^team:(.+)$/.exec(query.get("head") ?? "")?.[1],
  taken: {
    status: 422,
    value: {
      message: "Validation Failed",
      errors: [{ resource: "PullRequest", code: "custom", message: "A pull request already exists." }],
    },
  },
};

const gitlab: Api = {
  headers: { "private-token": "gl" },
  list: /^\/api\/v4\/projects\/group%2Fsub%2Fapp\/merge_requests$/,
  one: /^\/api\/v4\/projects\/group%2Fsub%2Fapp\/merge_requests\/(\d+)$/,
  change: "PUT",
  names: {
    ...{ head: "source_branch", base: "target_branch", body: "description", number: "iid", url: "web_url" },
  },
  open: "opened",
  headIn: (query) => query.get("source_branch"),
  taken: {
    status: 409,
    value: { message: ["Another open merge request already exists for this source branch: !1"] },
  },
};

/**
 * Requests as GitHub and GitLab document them, on one port: anything that they would not take is refused. `hasBranch` says what
 * was pushed.
 */
export async function fakeCodeHost(hasBranch: (name: string) => boolean) {
  const requests = { github: [] as FakeRequest[], gitlab: [] as FakeRequest[] };
  /** Each request takes the next: no service at all, or an answer that does not arrive. */
  const faults: ("away" | "lost answer" | "none")[] = [];
  const refused: string[] = [];

  function answer(incoming: IncomingMessage, body: string): Answer {
    const url = new URL(incoming.url ?? "", "http://127.0.0.1");
    const isGithub = url.pathname.startsWith("/api/v3/");
    const [api, all] = isGithub ? [github, requests.github] : [gitlab, requests.gitlab];
    for (const [name, value] of Object.entries(api.headers))
      if (incoming.headers[name] !== value) return { status: 401, value: { message: `Wrong ${name}` } };
    const { names } = api;
    const shown = (one: FakeRequest) => ({
      ...{ title: one.title, [names.number]: one.number, [names.url]: one.url, [names.body]: one.body },
      state: one.state === "open" ? api.open : one.state,
    });
    const given = body === "" ? {} : (JSON.parse(body) as Record<string, string>);
    if (body !== "" && incoming.headers["content-type"] !== "application/json")
      return { status: 415, value: { message: "Not JSON" } };
    if (api.list.test(url.pathname) && incoming.method === "GET") {
      const head = api.headIn(url.searchParams);
      if (!head || url.searchParams.get("state") !== api.open)
        return { status: 400, value: { message: `Wrong query ${url.search}` } };
      return {
        status: 200,
        value: all.filter((one) => one.head === head && one.state === "open").map(shown),
      };
    }
    if (api.list.test(url.pathname) && incoming.method === "POST") {
      const wanted = [names.base, names.body, names.head, "title"].sort();
      if (String(Object.keys(given).sort()) !== String(wanted))
        return { status: 422, value: { message: `Wrong fields ${Object.keys(given)}` } };
      const [head = "", base = ""] = [given[names.head], given[names.base]];
      if (!hasBranch(head) || !hasBranch(base)) return { status: 422, value: { message: "No such branch" } };
      if (all.some((one) => one.head === head && one.state === "open")) return api.taken;
      const number = all.length + 1;
      const [title = "", text = ""] = [given["title"], given[names.body]];
      const address = `https://${isGithub ? "github" : "gitlab"}.example/${number}`;
      all.push({ number, state: "open", title, head, base, body: text, url: address });
      return { status: 201, value: shown(all.at(-1) as FakeRequest) };
    }
    const found = all.find((one) => one.number === Number(api.one.exec(url.pathname)?.[1]));
    if (!found || incoming.method !== api.change)
      return { status: 404, value: { message: `No ${incoming.method} ${url.pathname}` } };
    if (String(Object.keys(given)) !== names.body) return { status: 422, value: { message: "Wrong fields" } };
    found.body = given[names.body] ?? "";
    return { status: 200, value: shown(found) };
  }

  const server = createServer(async (incoming, response) => {
    const body = (await incoming.toArray()).join("");
    const fault = faults.shift();
    const { status, value } =
      fault === "away" ? { status: 503, value: { message: "Unavailable" } } : answer(incoming, body);
    if (status >= 400) refused.push(`${status} ${incoming.method} ${incoming.url} ${JSON.stringify(value)}`);
    if (fault === "lost answer") return incoming.socket.destroy();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  });
  const port = await listen(server, 0, "127.0.0.1");
  return { port, requests, faults, refused, close: () => server.close() };
}
