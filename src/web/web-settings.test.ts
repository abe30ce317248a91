import { describe, expect, it } from "vitest";
import { chooseSearch } from "./search/search.ts";
import { webParts, webSettings } from "./web-settings.ts";

const parts = (settings: unknown, env = {}) => webParts(webSettings.parse(settings), env);

describe("web settings", () => {
  it("take keys from the environment, after the settings", () => {
    const env = { EXA_API_KEY: "e", BRAVE_API_KEY: "b" };
    expect(chooseSearch(parts({}, env).search).name).toBe("exa");
    expect(chooseSearch(parts({ search: { tavily: { key: "t" } } }, env).search).name).toBe("tavily");
    expect(parts({ search: { exa: { key: "mine" } } }, env).search.exa).toEqual({ key: "mine" });
    expect(chooseSearch(parts({}, { SEARXNG_URL: "http://127.0.0.1:8888" }).search).name).toBe("searxng");
    expect(chooseSearch(parts({}).search).name).toBe("duckduckgo");
  });

  it("send a token of the environment to GitHub only", () => {
    const env = { GITHUB_TOKEN: "g" };
    expect(parts({ research: { repository: "me/r" } }, env).research?.token).toBe("g");
    const own = { repository: "me/r", apiUrl: "https://git.corp.com/api/v3" };
    expect(parts({ research: own }, env).research?.token).toBeUndefined();
    expect(parts({ research: { ...own, token: "x" } }, env).research?.token).toBe("x");
  });

  it("use the browser that is named, or look in the usual places", () => {
    expect(parts({ browser: { executable: "/opt/chrome" } }).browser.executables).toEqual(["/opt/chrome"]);
    expect(parts({}).browser.executables).toContain("/usr/bin/chromium");
  });

  it("refuse what is misspelt", () => {
    expect(() => parts({ serach: {} })).toThrow();
    for (const repository of ["../../x", "../..", "me/..", "me/r/../../x", "me"])
      expect(() => parts({ research: { repository } })).toThrow();
    expect(parts({ research: { repository: "me/.github" } }).research?.repository).toBe("me/.github");
  });
});
