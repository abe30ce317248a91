const key = "wield-token";

/**
 * Moves the token from the address, which people may copy, into storage for this origin. A browser that Wield opened has a
 * code instead, which can be exchanged once.
 */
export async function takeToken(): Promise<boolean> {
  const [, kind, given] = /[#&](token|code)=([\w-]+)/.exec(location.hash) ?? [];
  if (given === undefined) return false;
  const to = /&to=([^&]+)/.exec(location.hash)?.[1];
  history.replaceState(
    null,
    "",
    `${location.pathname}#${to === undefined ? "/chat" : decodeURIComponent(to)}`,
  );
  const taken = kind === "token" ? given : await exchanged(given);
  if (taken !== undefined) localStorage.setItem(key, taken);
  return true;
}

export function token(): string {
  return localStorage.getItem(key) ?? "";
}

async function exchanged(code: string): Promise<string | undefined> {
  const response = await fetch("/enter", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  return response.ok ? ((await response.json()) as { token: string }).token : undefined;
}
