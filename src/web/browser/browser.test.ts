import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../failure/failure.ts";
import { type FakeInternet, html, selfSigned, startInternet } from "../fake-internet.suite.ts";
import { publicGuard, type UrlPolicy } from "../guard.ts";
import { type BrowserSession, createBrowserSession } from "./browser.ts";
import { knownBrowsers } from "./launch.ts";

const installed = knownBrowsers.find((path) => existsSync(path));
const settings = {
  executables: installed ? [installed] : [],
  idleMs: 60_000,
  stepMs: 45_000,
};

const posted: string[] = [];
let internet: FakeInternet;
let policy: UrlPolicy = () => "ask";
let browser: BrowserSession;

beforeAll(async () => {
  internet = await startInternet(
    {
      "pages.com": (request, response) => {
        const path = (request.url ?? "").split("?")[0] ?? "";
        if (request.method === "POST") {
          let body = "";
          request.on("data", (chunk) => (body += chunk));
          request.on("end", () => {
            posted.push(body);
            html(response, `<title>Thanks</title><h1>Thank you</h1><p>${body}</p>`);
          });
        } else if (path === "/file.zip")
          response.writeHead(200, { "content-disposition": "attachment; filename=data.zip" }).end("zip");
        else if (path === "/never") return;
        else if (path === "/api/items") setTimeout(() => response.end('["first","second"]'), 300);
        else if (path === "/endless") {
          response.writeHead(200, { "content-type": "text/html" });
          response.write("<title>Endless</title><h1>The beginning</h1>");
          const more = setInterval(() => response.write("<p>and on</p>"), 20);
          response.on("close", () => clearInterval(more));
        } else if (path === "/to-private") response.writeHead(302, { location: "http://10.0.0.1/" }).end();
        else if (path === "/to-other") response.writeHead(302, { location: "http://elsewhere.com/" }).end();
        else html(response, pages[path] ?? "<h1>Not found</h1>", pages[path] ? 200 : 404);
      },
      "elsewhere.com": (_, response) => html(response, "<title>Elsewhere</title><h1>Another site</h1>"),
      "tracker.com": (_, response) => response.end("// nothing"),
      "secure.com": (_, response) => html(response, "<h1>Never seen</h1>"),
    },
    selfSigned("secure.com"),
  );
});
afterAll(() => internet?.close());
beforeEach(() => {
  policy = () => "ask";
  posted.length = 0;
  internet.dials.length = 0;
});

const guard = () => publicGuard({ ...internet, policy: (url, method) => policy(url, method) });

const pages: Record<string, string> = {
  "/form": `<title>Order</title><form action="/order" method="post">
    <label>Name <input name="name"></label>
    <label>Size <select name="size"><option value="s">Small</option><option value="l">Large</option></select></label>
    <label>Gift <input type="checkbox" name="gift" value="yes"></label>
    <label>Note <textarea name="note">Old </textarea></label>
    <button>Send</button></form>`,
  "/app": `<title>App</title><div id="root"></div><script>
    const root = document.getElementById("root");
    const show = async () => {
      root.innerHTML = location.hash === "#/list" ? "<p>Loading</p>" : '<button id="go">Show list</button>';
      if (location.hash === "#/list") {
        const items = await (await fetch("/api/items")).json();
        root.innerHTML = "<ul>" + items.map((i) => "<li>" + i + "</li>").join("") + "</ul>";
      } else document.getElementById("go").onclick = () => (location.hash = "#/list");
    };
    addEventListener("hashchange", show); show();</script>`,
  "/frames": `<title>Frames</title><h1>Outside</h1><iframe src="/inner" title="Inner"></iframe>`,
  "/inner": `<button onclick="this.textContent='Pressed inside'">Press inside</button>`,
  "/dialogs": `<title>Dialogs</title><button onclick="alert('Look out')">Warn</button>
    <button onclick="this.textContent = confirm('Delete all?') ? 'Deleted' : 'Kept'">Delete</button>
    <button onclick="this.textContent = 'Hello ' + prompt('Your name?')">Greet</button>`,
  "/downloads": `<title>Downloads</title><a href="/file.zip">Get the file</a>`,
  "/windows": `<title>Windows</title><a href="/popup" target="_blank">Open</a>`,
  "/popup": `<title>Popup</title><button onclick="window.close()">Close me</button>`,
  "/broken": `<title>Broken</title><h1>Still here</h1><script>null.explode()</script>`,
  "/big": `<title>Big</title><main>${`<p>${"One of very many lines in a very long page. ".repeat(10)}</p>`.repeat(11_500)}</main>`,
  // As dead as in an endless loop, but without keeping a core busy: the page waits for an answer that never comes.
  "/hang": `<title>Hang</title><button onclick="freeze()">Freeze</button><script>function freeze() {
    const request = new XMLHttpRequest(); request.open("GET", "/never", false); request.send(); }</script>`,
  "/changing": `<title>Changing</title><button onclick="this.remove()">Vanish</button><button>Stay</button>`,
  "/wanders": `<title>Wanders</title><p>Here, for now</p><script>setTimeout(() => (location.href = "http://elsewhere.com/"), 1000)</script>`,
  "/links": `<title>Links</title><a href="http://elsewhere.com/">Away</a>`,
  "/prying": `<title>Prying</title><h1>Prying</h1><img src="http://10.0.0.7/a.png"><img src="http://localhost/b.png">
    <img src="http://169.254.169.254/c.png"><iframe src="http://[::1]/d"></iframe>
    <script src="http://tracker.com/t.js"></script>
    <script>fetch("http://192.168.1.1/e").catch(() => {}); new WebSocket("ws://127.0.0.1/f");
    new Worker(URL.createObjectURL(new Blob(['fetch("http://127.0.0.1:' + 80 + '/g").catch(() => {})'])));</script>`,
  "/peer": "",
};

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    (value) => `it worked: ${JSON.stringify(value)}`,
    (thrown) => thrown,
  );
  if (!(outcome instanceof Failure)) throw new Error(`not a Failure: ${outcome}`);
  return outcome;
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => / \w (\d+) /.exec(textOf(one, "stat").replace(/^.*\)/s, ""))?.[1] === String(pid));
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The name that the snapshot gives to an element. */
function refOf(snapshot: string, element: string): string {
  const line = snapshot.split("\n").find((text) => text.includes(element));
  const ref = /@e\d+/.exec(line ?? "")?.[0];
  if (!ref) throw new Error(`no ${element} in:\n${snapshot}`);
  return ref;
}

describe.skipIf(!installed)("the browser (skipped where no Chromium is installed)", () => {
  beforeAll(() => {
    browser = createBrowserSession(guard(), settings);
  });
  afterAll(() => browser.close());

  it("makes no requests of its own, and never runs as root or without its sandbox", async () => {
    const judged = new Set<string>();
    policy = (url) => {
      judged.add(url.hostname);
      return "ask";
    };
    await browser.navigate("http://pages.com/form");
    expect([...judged]).toEqual(["pages.com"]);
    const mine = new Set(descendantsOf(process.pid));
    const renderers = [...mine].filter((pid) => textOf(pid, "cmdline").includes("--type=renderer"));
    expect(renderers.length).toBeGreaterThan(0);
    for (const pid of renderers) {
      const status = textOf(pid, "status");
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe("0");
      expect(/^Seccomp:\s+(\d)/m.exec(status)?.[1]).toBe("2");
      expect(textOf(pid, "cmdline")).not.toContain("--no-sandbox");
    }
  });

  it("fills in a form and sends it", async () => {
    let { snapshot } = await browser.navigate("http://pages.com/form");
    await browser.interact("fill", refOf(snapshot, 'textbox "Name"'), "Ada");
    await browser.interact("fill", refOf(snapshot, 'combobox "Size"'), "l");
    await browser.interact("type", refOf(snapshot, 'textbox "Note"'), "and new");
    ({ snapshot } = await browser.interact("check", refOf(snapshot, 'checkbox "Gift"')));
    expect(snapshot).toMatch(/checkbox "Gift" \[checked\]/);
    expect((await browser.extract(refOf(snapshot, 'textbox "Name"'), "value")).content).toBe("Ada");
    const sent = await browser.interact("click", refOf(snapshot, 'button "Send"'));
    expect(sent).toMatchObject({ title: "Thanks", url: "http://pages.com/order" });
    expect(sent.snapshot).toContain('heading "Thank you"');
    expect(Object.fromEntries(new URLSearchParams(posted[0]))).toEqual({
      name: "Ada",
      size: "l",
      gift: "yes",
      note: expect.stringMatching(/and new/),
    });
  });

  it("waits for a single-page app to show what it fetched", async () => {
    const { snapshot } = await browser.navigate("http://pages.com/app");
    const after = await browser.interact("click", refOf(snapshot, 'button "Show list"'));
    expect(after.snapshot).toContain("listitem");
    expect(after.snapshot).toContain("second");
    expect(after.url).toBe("http://pages.com/app#/list");
  });

  it("reaches into frames", async () => {
    const { snapshot } = await browser.navigate("http://pages.com/frames");
    const after = await browser.interact("click", refOf(snapshot, 'button "Press inside"'));
    expect(after.snapshot).toContain("Pressed inside");
    expect((await browser.extract(undefined, "text")).content).toContain("Pressed inside");
  });

  it("answers dialogs and tells of them", async () => {
    let view = await browser.navigate("http://pages.com/dialogs");
    view = await browser.interact("click", refOf(view.snapshot, 'button "Warn"'));
    expect(view.notes).toContain('alert dialog accepted: "Look out"');
    view = await browser.interact("click", refOf(view.snapshot, 'button "Delete"'));
    expect(view.notes).toContain('confirm dialog dismissed: "Delete all?"');
    expect(view.snapshot).toContain('button "Kept"');
    view = await browser.interact("click", refOf(view.snapshot, 'button "Greet"'));
    expect(view.notes).toContain('prompt dialog dismissed: "Your name?"');
  });

  it("refuses downloads and tells of them", async () => {
    const { snapshot } = await browser.navigate("http://pages.com/downloads");
    const after = await browser.interact("click", refOf(snapshot, 'link "Get the file"'));
    expect(after.notes).toContain('download refused: "data.zip"');
    expect(after.title).toBe("Downloads");
    expect((await failureOf(browser.navigate("http://pages.com/file.zip"))).code).toBe("NOT_TEXT");
  });

  it("follows into a new window, and back when it is gone", async () => {
    const { snapshot } = await browser.navigate("http://pages.com/windows");
    const after = await browser.interact("click", refOf(snapshot, 'link "Open"'));
    expect(after.url).toBe("http://pages.com/popup");
    expect(after.notes).toContain("a new window opened and is now in front");
    const back = await browser.interact("click", refOf(after.snapshot, 'button "Close me"'));
    expect(back.url).toBe("http://pages.com/windows");
  });

  it("tells of a script error and shows what there is", async () => {
    const { snapshot, notes } = await browser.navigate("http://pages.com/broken");
    expect(snapshot).toContain('heading "Still here"');
    expect(notes.join()).toContain("script error");
  });

  it("reads a 5 MB page", async () => {
    const { snapshot } = await browser.navigate("http://pages.com/big");
    expect(snapshot).toContain("One of very many lines");
    const { content } = await browser.extract(undefined, "text");
    expect(content.length).toBeGreaterThan(4_000_000);
  });

  it("reads what an endless page has sent so far", async () => {
    const { snapshot, notes } = await browser.navigate("http://pages.com/endless");
    expect(snapshot).toContain('heading "The beginning"');
    expect(notes).toContain("the page was still loading when this was taken");
  });

  it("shows a page with an error status", async () => {
    expect((await browser.navigate("http://pages.com/nothing")).snapshot).toContain('heading "Not found"');
  });

  it("extracts text, HTML, values and parts of the snapshot", async () => {
    const { snapshot } = await browser.navigate("http://pages.com/form");
    expect((await browser.extract(undefined, "text")).content).toContain("Name");
    expect((await browser.extract(undefined, "html")).content).toContain('<form action="/order"');
    const note = refOf(snapshot, 'textbox "Note"');
    expect((await browser.extract(note, "html")).content).toMatch(/^<textarea/);
    expect((await browser.extract(note, "value")).content).toBe("Old ");
    const size = refOf(snapshot, 'combobox "Size"');
    const { content } = await browser.extract(size, "snapshot");
    expect(content).toContain('option "Large"');
    expect((await browser.extract(size.slice(1), "snapshot")).content).toBe(content);
    expect(content).not.toContain("Gift");
    expect((await failureOf(browser.extract(undefined, "value"))).code).toBe("INVALID_INPUT");
  });

  it("says at once that a ref is stale, and never takes another element for it", async () => {
    const first = await browser.navigate("http://pages.com/changing");
    const vanishing = refOf(first.snapshot, 'button "Vanish"');
    await browser.interact("click", vanishing);
    for (const attempt of [browser.interact("click", vanishing), browser.extract(vanishing, "text")]) {
      const failure = await failureOf(attempt);
      expect(failure.code).toBe("INVALID_INPUT");
      expect(failure.message).toContain(`${vanishing} is stale`);
    }
    const stay = refOf(first.snapshot, 'button "Stay"');
    const second = await browser.navigate("http://pages.com/changing");
    expect(second.snapshot).not.toContain(`${stay}\n`);
    expect((await failureOf(browser.interact("click", stay))).message).toContain("is stale");
    expect((await failureOf(browser.interact("click", "@e9999999"))).message).toContain(
      "no element '@e9999999'",
    );
  });

  it("says what is missing or cannot be done", async () => {
    const { snapshot } = await browser.navigate("http://pages.com/form");
    const name = refOf(snapshot, 'textbox "Name"');
    expect((await failureOf(browser.interact("fill", name))).code).toBe("INVALID_INPUT");
    const failure = await failureOf(browser.interact("check", name));
    expect(failure.code).toBe("EXECUTION_ERROR");
    expect(failure.message).toContain("did not work");
  });

  it("renders a page apart from the session's own", async () => {
    await browser.navigate("http://pages.com/form");
    const rendered = await browser.render("http://pages.com/app#/list");
    expect(rendered).toMatchObject({ status: 200 });
    expect(rendered.html).toContain("<li>second</li>");
    expect(browser.url).toBe("http://pages.com/form");
  });
});

describe.skipIf(!installed)("the browser behind the guard (skipped where no Chromium is installed)", () => {
  beforeAll(() => {
    browser = createBrowserSession(guard(), settings);
  });
  afterAll(() => browser.close());

  for (const url of [
    "http://127.0.0.1/",
    "http://localhost/",
    "file:///etc/passwd",
    "chrome://version",
    "http://pages.com:8080/",
  ]) {
    it(`does not open ${url}`, async () => {
      expect((await failureOf(browser.navigate(url))).code).toBe("URL_NOT_ALLOWED");
      expect(internet.dials).toEqual([]);
    });
  }

  it("does not follow a redirect to a private address", async () => {
    const failure = await failureOf(browser.navigate("http://pages.com/to-private"));
    expect(failure).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason: "ip" } });
    expect(internet.dials.map(({ host }) => host)).not.toContain("10.0.0.1");
  });

  it("refuses everything a page asks for inside: images, frames, fetch, sockets, workers", async () => {
    const { snapshot, notes } = await browser.navigate("http://pages.com/prying");
    expect(snapshot).toContain('heading "Prying"');
    expect(notes.join("\n")).toContain("request refused: ");
    expect([...new Set(internet.dials.map(({ host }) => host))].sort()).toEqual(["pages.com", "tracker.com"]);
  });

  it("refuses hosts the rules deny, inside pages too", async () => {
    policy = (url) => (url.hostname === "tracker.com" ? "deny" : "ask");
    await browser.navigate("http://pages.com/prying");
    expect(internet.dials.map(({ host }) => host)).not.toContain("tracker.com");
  });

  it("does not show another site than the one asked for, unless the rules allow it", async () => {
    const away = await failureOf(browser.navigate("http://pages.com/to-other"));
    expect(away).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason: "redirect" } });
    expect((await failureOf(browser.extract(undefined, "text"))).code).toBe("URL_NOT_ALLOWED");
    const { snapshot } = await browser.navigate("http://pages.com/links");
    const link = refOf(snapshot, 'link "Away"');
    const clicked = await failureOf(browser.interact("click", link));
    expect(clicked.message).toContain("http://elsewhere.com/");
    expect((await browser.extract(undefined, "text")).content).toBe("Away");
    policy = (url) => (url.hostname === "elsewhere.com" ? "allow" : "ask");
    expect((await browser.navigate("http://pages.com/to-other")).title).toBe("Elsewhere");
  });

  it("does not show where a page went later by itself", async () => {
    await browser.navigate("http://pages.com/wanders");
    await vi.waitFor(
      async () => {
        const failure = await failureOf(browser.extract(undefined, "text"));
        expect(failure).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason: "redirect" } });
      },
      { timeout: 60_000, interval: 100 },
    );
    expect((await failureOf(browser.extract(undefined, "snapshot"))).code).toBe("URL_NOT_ALLOWED");
  });

  it("opens no peer connections around the proxy", async () => {
    const socket = createSocket("udp4");
    const packets: Buffer[] = [];
    socket.on("message", (packet) => packets.push(packet));
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    pages["/peer"] = `<title>Peer</title><p id="state">waiting</p><script>
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${socket.address().port}" }] });
      peer.createDataChannel("x");
      peer.onicegatheringstatechange = () => {
        if (peer.iceGatheringState === "complete") document.getElementById("state").textContent = "gathered";
      };
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));</script>`;
    await browser.navigate("http://pages.com/peer");
    await vi.waitFor(
      async () => expect((await browser.extract(undefined, "text")).content).toBe("gathered"),
      { timeout: 60_000, interval: 200 },
    );
    expect(packets).toEqual([]);
    socket.close();
  });

  it("does not trust an invalid certificate", async () => {
    const failure = await failureOf(browser.navigate("https://secure.com/"));
    expect(failure.code).toBe("NETWORK_ERROR");
    expect(failure.message).toContain("certificate of secure.com");
  });

  it("says when a name does not exist", async () => {
    expect((await failureOf(browser.navigate("http://nowhere.com/"))).message).toMatch(
      /was not found|no network/,
    );
    expect((await failureOf(browser.navigate("https://nowhere.com/"))).message).toMatch(
      /was not found|no network/,
    );
  });
});

describe("a browser session", () => {
  let session: BrowserSession | undefined;
  afterEach(async () => {
    await session?.close();
  });

  it("without a browser is UNAVAILABLE and says how to install one", async () => {
    session = createBrowserSession(guard(), { ...settings, executables: ["/nonexistent/chromium"] });
    const failure = await failureOf(session.navigate("http://pages.com/form"));
    expect(failure.code).toBe("UNAVAILABLE");
    expect(failure.message).toContain("apt-get install chromium");
  });

  it.skipIf(!installed)("asks for a page first", async () => {
    session = createBrowserSession(guard(), settings);
    expect((await failureOf(session.extract(undefined, "text"))).message).toContain("agentBrowserNavigate");
  });

  it.skipIf(!installed)("outlives a page that hangs", async () => {
    session = createBrowserSession(guard(), { ...settings, stepMs: 20_000 });
    const { snapshot } = await session.navigate("http://pages.com/hang");
    const frozen = await failureOf(session.interact("click", refOf(snapshot, 'button "Freeze"')));
    expect(["TIMEOUT", "EXECUTION_ERROR"]).toContain(frozen.code);
    const silent = await failureOf(session.extract(undefined, "html"));
    expect(["TIMEOUT", "INVALID_INPUT"]).toContain(silent.code);
    expect((await session.navigate("http://pages.com/form")).title).toBe("Order");
  });

  it.skipIf(!installed)("starts anew when the browser was killed", async () => {
    session = createBrowserSession(guard(), settings);
    await session.navigate("http://pages.com/form");
    const children = execFileSync("ps", ["-o", "pid=,comm=", "--ppid", String(process.pid)], {
      encoding: "utf8",
    });
    const pids = [...children.matchAll(/^\s*(\d+)\s+chrom/gm)].map(([, pid]) => Number(pid));
    expect(pids).not.toEqual([]);
    for (const pid of pids) process.kill(pid, "SIGKILL");
    await session.extract(undefined, "text").catch(() => {});
    expect((await session.navigate("http://pages.com/form")).title).toBe("Order");
  });

  it.skipIf(!installed)(
    "closes when idle, starts again when needed, and says whether it was open",
    async () => {
      session = createBrowserSession(guard(), { ...settings, idleMs: 1 });
      await session.navigate("http://pages.com/form");
      await expect.poll(() => session?.url).toBeUndefined();
      expect(await session.close()).toBe(false);
      await session.navigate("http://pages.com/form");
      const lasting = createBrowserSession(guard(), settings);
      await lasting.navigate("http://pages.com/form");
      expect(await lasting.close()).toBe(true);
    },
  );
});
