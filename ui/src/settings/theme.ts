export type Theme = "system" | "light" | "dark";
const key = "wield-theme";

export function theme(): Theme {
  const kept = localStorage.getItem(key);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function setTheme(next: Theme): void {
  localStorage.setItem(key, next);
  applyTheme();
}

/** By default the page follows the system's colour scheme. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme() === "system") delete dataset["theme"];
  else dataset["theme"] = theme();
}
