// One value kept in the browser for good: in IndexedDB, written through to the disk; in localStorage where that is not
// to be had (a private window, an old browser).
const NAME = "table";
const STORE = "kept";

function opened() {
  return new Promise((done, failed) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = asked.onblocked = () => failed(asked.error);
  });
}

async function within(mode, act) {
  const database = await opened();
  try {
    return await new Promise((done, failed) => {
      const change = database.transaction(STORE, mode, { durability: "strict" });
      const asked = act(change.objectStore(STORE));
      change.oncomplete = () => done(asked.result);
      change.onerror = change.onabort = () => failed(change.error);
    });
  } finally {
    database.close();
  }
}

export async function load(key) {
  try {
    return (await within("readonly", (store) => store.get(key))) ?? null;
  } catch {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  }
}

export async function save(key, value) {
  try {
    await within("readwrite", (store) => store.put(value, key));
  } catch {
    localStorage.setItem(key, JSON.stringify(value));
  }
}
