import type { Limits } from "./policy.ts";

/**
 * How a run's changes are kept apart from the workspace.
 * `overlay`: a layer in memory above it; `copy`: a copy in memory, where the kernel cannot lay layers so;
 * `none`: they are not; the command writes to the directory itself.
 */
export type Staging = "overlay" | "copy" | "none";

/** Where the stage keeps everything, in a separate mount namespace: none of it exists outside or afterwards. */
const ground = "/sys";
export const staged = {
  workspace: `${ground}/m`,
  tmp: `${ground}/t`,
  shm: `${ground}/s`,
  outbox: `${ground}/out`,
  hosts: `${ground}/hosts`,
  names: `${ground}/names`,
  users: `${ground}/users`,
  groups: `${ground}/groups`,
};
/** The only user inside: programs ask for their own name. Nobody of the machine is listed. */
export const userInside = "user:x:1000:1000::/tmp:/bin/bash";
/** The stage's own exit codes: 0 or 28 (the run filled its disk), and one more when the changes could not be sent. */
const diskFull = 28;
export const stageEnd = (exitCode: number | null) => ({
  delivered: exitCode === 0 || exitCode === diskFull,
  diskIsFull: exitCode === diskFull || exitCode === diskFull + 1,
});

/**
 * Wraps a bubblewrap command: makes the ground, runs it, then sends the changes to descriptor 6. All sizes are those
 * of one memory file system, so that the workspace and `/tmp` share one limit on bytes and files.
 */
export function stageCommand(
  staging: Exclude<Staging, "none">,
  workspace: string,
  limits: Limits,
  send: boolean,
  isLive: boolean,
  command: readonly string[],
): string[] {
  const script = `${before[staging]}${around(send ? after[staging] : "", isLive && staging === "overlay")}`;
  const namespaces = ["--user", "--map-root-user", "--mount", "--propagation", "private"];
  const given = [workspace, String(limits.disk), String(limits.files)];
  return ["/usr/bin/unshare", ...namespaces, "--", "/bin/sh", "-c", script, "stage", ...given, ...command];
}

// The workspace is reached as `.`: its name, whatever characters it holds, never meets an option of mount.
const prepare = `
set -e
cd -- "$1"; disk=$2; files=$3; shift 3
umask 022
ground() {
  mount -t tmpfs -o "size=$1,nr_inodes=$2,mode=700,nosuid,nodev" stage ${ground}
  mkdir ${ground}/u ${ground}/w ${ground}/m ${ground}/t ${ground}/s ${ground}/out
  printf '127.0.0.1 localhost sandbox\\n::1 localhost\\n' > ${staged.hosts}
  printf 'hosts: files dns\\n' > ${staged.names}
  printf '${userInside}\\n' > ${staged.users}
  printf 'user:x:1000:\\n' > ${staged.groups}
}`;

/** In KiB. */
const largestCopy = 2 * 1024 * 1024;

const before: Record<Exclude<Staging, "none">, string> = {
  overlay: `${prepare}
# Files of another user or group cannot be changed through a layer above them.
[ -O . ]; [ -G . ]
ground "$disk" "$files"
mount -t overlay -o lowerdir=.,upperdir=${ground}/u,workdir=${ground}/w,userxattr overlay ${staged.workspace}`,
  copy: `${prepare}
bytes=$(du -sk . | cut -f1); names=$(find . | wc -l)
[ "$bytes" -le ${largestCopy} ] || { echo "the workspace has $bytes KiB, too much to be copied for each run" >&2; exit 1; }
ground "$((disk + bytes * 1024))" "$((files + names))"
cp -dR --preserve=mode,timestamps,links . ${staged.workspace} || :
list() { (cd ${staged.workspace} && find . -mindepth 1 -print0 | LC_ALL=C sort -z) > ${ground}/u/"$1"; }
list before
touch ${ground}/u/started
# Times have the grain of a kernel tick: what is changed from here on is newer than the mark.
sleep 0.02`,
};

/**
 * An overlay keeps showing a file that it has looked up once, even if another file has its name now. Remounting it
 * with the same options makes it look again. The process that does this ends with the stage, even if the stage is
 * killed.
 */
const refresh = `
setpriv --pdeathsig KILL -- /bin/sh -c 'while sleep 1 && kill -0 "$1"; do mount -o remount ${staged.workspace}; done' \\
  refresh $$ >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- &
refresher=$!`;

/** `changes` lists the changes as arguments for tar; the outbox is sent even if that fails. */
const around = (changes: string, isLive: boolean) => `
set +e${isLive ? refresh : ""}
"$@"${isLive ? "\nkill $refresher" : ""}
exec 2>/dev/null
echo > ${ground}/w.probe || full=${diskFull}
unsent() { exit $((\${full:-0} + 1)); }
holds() {
  for name in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    if [ -e "$name" ] || [ -L "$name" ]; then return 0; fi
  done
  return 1
}
set --
holds ${staged.outbox} && set -- -C ${ground} out
${changes}
if [ $# -gt 0 ]; then
  tar --format=posix --hard-dereference --numeric-owner -cf - "$@" >&6
  [ $? -gt 1 ] && unsent
fi
exit \${full:-0}
`;

const after: Record<Exclude<Staging, "none">, string> = {
  overlay: `
holds ${ground}/u && set -- "$@" --xattrs --xattrs-include=user.overlay.opaque -C ${ground}/u .`,
  // A list that could not be written whole would read as deletions: then nothing is sent.
  copy: `
list after || unsent
cd ${ground}/u
export LC_ALL=C
comm -z -23 before after > deleted || unsent
# What a renamed directory holds has a new name and no new time.
{ comm -z -13 before after && (cd ${staged.workspace} && find . -mindepth 1 -cnewer ${ground}/u/started -print0); } \\
  | sort -zu > changed || unsent
if [ -s deleted ] || [ -s changed ]; then
  set -- "$@" -C ${ground}/u deleted -C ${staged.workspace} --no-recursion --null -T ${ground}/u/changed
fi`,
};
