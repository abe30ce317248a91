// `npm run bench ordinary`: 2,000 ordinary actions (searches, addresses, commits, branches, pushes) in 40 ordinary folders, with their
// `.env`, `.npmrc` and settings read first. None may be taken for one that gives a secret away; a real secret of each folder must be.
import { ordinaryProjects, refusalsIn } from "../src/app/ordinary-actions.suite.ts";

const found = await refusalsIn(ordinaryProjects);
console.log(
  `${found.actions} ordinary actions in ${ordinaryProjects.length} folders: ${found.refused.length} refused (goal 0), ` +
    `the secret of ${found.kept} folders kept (goal ${ordinaryProjects.length}).`,
);
for (const one of found.refused) console.log(" ", one);
if (found.refused.length > 0 || found.kept < ordinaryProjects.length) process.exitCode = 1;
