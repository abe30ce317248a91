/**
 * The other side of a fetch or a push runs on this machine where the project's address is a path: with the settings of that
 * repository, and without those that a worker gives to git. So it is started with settings that let it run no program. Git itself
 * ignores `uploadpack.packObjectsHook` of a repository.
 */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  // The command that is asked for references of other repositories.
  "core.alternateRefsCommand=true",
  // Files of a checkout are left alone: filters would run for them.
  "receive.denyCurrentBranch=refuse",
  // It would read a file that the repository names, and repeat lines of it.
  "receive.fsckObjects=false",
  "receive.autogc=false",
  "gc.auto=0",
  "maintenance.auto=false",
];

/** A repository that left objects out would fetch them, with a program that it names. */
const variables = "GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=";

export function uploadPack(url: string): string[] {
  return isLocal(url) ? [`--upload-pack=${command("upload-pack")}`] : [];
}

export function receivePack(url: string): string[] {
  return isLocal(url) ? [`--receive-pack=${command("receive-pack")}`] : [];
}

function command(service: string): string {
  return `${variables} git ${settings.map((setting) => `-c ${setting}`).join(" ")} ${service}`;
}

/** As git tells a path from an address: no colon before the first slash. */
function isLocal(url: string): boolean {
  return /^file:\/\//i.test(url) || /^[^:/]*(\/|$)/.test(url);
}
