const key = "wield-token";

/** Takes the token out of the address, where it would be copied along with it, and keeps it for this origin. */
export function takeToken(): boolean {
  const given = /[#&]token=([\w-]+)/.exec(location.hash)?.[1];
  if (given === undefined) return false;
  localStorage.setItem(key, given);
  history.replaceState(null, "", `${location.pathname}#/chat`);
  return true;
}

export function token(): string {
  return localStorage.getItem(key) ?? "";
}
