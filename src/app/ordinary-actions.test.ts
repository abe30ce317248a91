import { expect, test } from "vitest";
import { namesOfFolder } from "../approval/secret-values.ts";
import { findSecret, isSecretPath, secretsIn, secretsOfEnvironment } from "../approval/secrets.ts";
import { encodings, ordinaryProjects, realSecrets, refusalsIn } from "./ordinary-actions.suite.ts";

// All 2,000 actions in 40 folders: `npm run bench ordinary`.
test("ordinary work in ordinary folders is never taken for a secret, and their one secret is still kept", {
  timeout: 240_000,
}, async () => {
  const some = ordinaryProjects.filter((_, at) => at % 8 === 0);
  const found = await refusalsIn(some);
  expect(found.refused).toEqual([]);
  expect(found).toMatchObject({ actions: some.length * 50, kept: some.length });
});

test.each(realSecrets())("a value as vendors and people make them: $text", ({ file, text, value }) => {
  expect(isSecretPath(file)).toBe(true);
  const names = namesOfFolder("/home/jane/projects/acme-webshop-frontend");
  const known = secretsIn(`APP_NAME=acme\n${text}\n`, true);
  for (const [form, write] of Object.entries(encodings))
    expect(findSecret(`see ${write(value)}`, known, names), form).toBeDefined();
});

test("variables that every shell sets are no secrets; those that programs are given are", () => {
  const found = secretsOfEnvironment({
    PWD: "/home/jane/acme-webshop-frontend",
    OLDPWD: "/tmp/tmp.Ab3dE9fG/x",
    GPG_KEY: "A035C8C19219BA821ECEA86B64E628F8D684696D",
    DB_PASSWORD: "postgres",
    SSH_ASKPASS: "/usr/bin/ssh-askpass",
    MY_PASSWORD: "plumtreegardenwall",
    DEPLOY_TOKEN: 'with"quotes"and-7777',
    OTHER: "sk-ant-api03-abcdefghijklmnop",
  });
  expect(found.map(({ name, place }) => `${name} in ${place}`)).toEqual([
    "MY_PASSWORD in the environment",
    "DEPLOY_TOKEN in the environment",
    "OTHER in the environment",
  ]);
});
