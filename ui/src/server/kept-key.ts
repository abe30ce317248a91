// A key that cannot be read, by this page or any other of the origin: only a database of the browser can keep such a thing.
const name = "wield";
const store = "keys";
const own = "page";

export async function keptKey(): Promise<CryptoKey | undefined> {
  return inStore<CryptoKey | undefined>("readonly", (keys) => keys.get(own));
}

export async function keepKey(key: CryptoKey): Promise<void> {
  await inStore("readwrite", (keys) => keys.put(key, own));
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (keys: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  const database = await done(opening);
  try {
    return await done(work(database.transaction(store, mode).objectStore(store)));
  } finally {
    database.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
