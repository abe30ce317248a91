/**
 * Opens something on first use and keeps it, one for each key. Callers that come together share one attempt. A failed
 * attempt is forgotten, so the next caller tries again: what was missing may be there by then.
 */
export function rememberSuccess<T, K = void>(open: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const known = new Map<K, Promise<T>>();
  return (key) => {
    const present = known.get(key);
    if (present !== undefined) return present;
    const opening = open(key);
    known.set(key, opening);
    opening.catch(() => known.delete(key));
    return opening;
  };
}
