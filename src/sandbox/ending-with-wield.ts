/**
 * Runs a command that ends when Wield does, however Wield ends and however far the command has come: a guard beside it
 * waits for the end of a descriptor that only Wield holds open, removes the given folders and kills the whole process
 * group. A parent-death signal alone is not enough: it comes to nothing if the parent has died before it is set, and
 * bubblewrap's own child waits for ever if bubblewrap is killed while it sets it up.
 *
 * What has left the group, process 1 inside, is bound to bubblewrap and starts nothing without Wield (`launched`).
 */
export function endingWithWield(
  aliveFd: number,
  folders: readonly string[],
  command: readonly string[],
): string[] {
  const script = `
count=$1; shift
(
  exec >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&-
  read -r _ <&${aliveFd}
  while [ $count -gt 0 ]; do rm -rf -- "$1"; shift; count=$((count - 1)); done
  kill -KILL 0
) &
guard=$!
shift "$count"
"$@" ${aliveFd}>&-
result=$?
# Without Wield this write ends the shell, and the guard stays: the command may have ended because Wield was gone.
echo ended >&${aliveFd}
{ kill -KILL $guard; wait $guard; } 2>/dev/null
exit $result`;
  return ["/bin/sh", "-c", script, "guard", String(folders.length), ...folders, ...command];
}
