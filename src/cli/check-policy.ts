import { placesFrom } from "../app/places.ts";
import { readUserSettings, readWorkspaceSettings, workspaceSettingsPath } from "../app/settings.ts";
import { checkPolicy } from "../approval/check-policy.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";
import { painter } from "./terminal.ts";

export const checkPolicyCommand: Command = {
  name: "check-policy",
  summary: "Test the approval rules against their examples",
  usage: "",
  details:
    'A rule can have examples: "match" lists calls that it must match, "notMatch" calls that it must not match.\nExit code 1 if an example fails.',
  options: { ...commonOptions },
  examples: [{ command: "wield check-policy", note: "test your rules and this folder's rules" }],
  async run(given, io) {
    const wield = await openWield(given, io, []);
    try {
      const { settingsFile } = placesFrom(io.env);
      const sources = [
        { file: settingsFile, rules: readUserSettings(settingsFile).rules },
        { file: workspaceSettingsPath, rules: (await readWorkspaceSettings(wield.workspace)).rules },
      ];
      const paint = painter(io);
      let wrong = 0;
      for (const { file, rules } of sources) {
        const problems = checkPolicy(rules);
        wrong += problems.length;
        const examples = rules.reduce(
          (sum, rule) => sum + (rule.match?.length ?? 0) + (rule.notMatch?.length ?? 0),
          0,
        );
        io.out(`${file}: ${rules.length} rules, ${examples} examples`);
        for (const { rule, message } of problems)
          io.out(
            paint(
              "red",
              `  rule ${rule + 1} ${JSON.stringify({ ...rules[rule], match: undefined, notMatch: undefined })} ${message}`,
            ),
          );
      }
      io.out(wrong === 0 ? paint("green", "All examples pass.") : paint("red", `${wrong} examples fail.`));
      return wrong === 0 ? exit.ok : exit.failed;
    } finally {
      await wield.close();
    }
  },
};
