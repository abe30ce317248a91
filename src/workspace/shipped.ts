/** Where a file that ships with Wield is: among the sources in a checkout, in dist/ once it is built. */
export function shipped(inSources: string, inDist: string): URL {
  const here = import.meta.url;
  if (here.endsWith(".ts")) return new URL(`../${inSources}`, here);
  return new URL(here.includes("/chunks/") ? `../${inDist}` : `./${inDist}`, here);
}
