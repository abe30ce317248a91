import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";
import { fetchBeyond } from "./fetch-beyond.ts";
import { composeWeb } from "./web.ts";

test.each([
  "https://10.0.0.1/metadata",
  "https://169.254.169.254/latest",
  "https://localhost/",
  "https://box.internal/",
])("where a server leads to is the public web: not %s", async (url) => {
  const place = await testWield();
  const settings = () => place.wield.settings.user().web;
  const policy = () => ({ user: [], workspace: { rules: [], trusted: false }, session: [] });
  const web = composeWeb(
    settings,
    () => ({}),
    policy,
    () => undefined,
  );
  await expect(fetchBeyond(web.open)(new URL(url), {})).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
  web.close();
  await place.close();
});
