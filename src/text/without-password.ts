/** An address as it may be shown: without the name and the password that it may contain. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/]*@/, "//");
}
