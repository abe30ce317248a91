import { readlinkSync } from "node:fs";
import { resolve } from "node:path";

/**
 * The zone file that the machine's clock follows, such as `/usr/share/zoneinfo/Europe/Paris`; undefined if no link
 * names it.
 */
export function zoneFile(link = "/etc/localtime"): string | undefined {
  try {
    const target = resolve("/etc", readlinkSync(link));
    return target.startsWith("/usr/share/zoneinfo/") ? target : undefined;
  } catch {
    return undefined;
  }
}
