/**
 * What git itself writes when it commits: data that no program executes. Settings and hooks are not among it, so they
 * are always shown as the files they are; nor is `objects/info`, whose `alternates` names folders that git reads
 * objects from.
 */
const repositoryData =
  /^\.git\/objects(?:\/(?:[0-9a-f]{2}(?:\/[0-9a-f]+)?|pack(?:\/[^/]+)?))?$|^\.git\/(?:refs|logs)(?:\/|$)|^\.git\/(?:index|HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|MERGE_MSG|packed-refs|AUTO_MERGE)$/;

export function isRepositoryData(path: string): boolean {
  return repositoryData.test(path);
}
