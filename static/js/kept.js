// Values kept in the browser for good: in IndexedDB, written through to the disk; in localStorage where that is not
// to be had (a private window, an old browser, a full disk). A value says since when it is so: `at`, ms.
const NAME = "table";
const STORE = "kept";
const PROBE = "probe";
let probed = null;

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

// Whether anything can be kept here: not where all data of sites is barred. Found out once.
export const able = () => (probed ??= probe());

async function probe() {
  try {
    localStorage.setItem(PROBE, "");
    localStorage.removeItem(PROBE);
    return true;
  } catch {
    const tried = within("readwrite", (store) => (store.put(0, PROBE), store.delete(PROBE)));
    return tried.then(() => true, () => false);
  }
}

// The later of the two: after a write that IndexedDB refused, what it still has is the older one.
export async function load(key) {
  const proper = await within("readonly", (store) => store.get(key)).catch(() => null);
  return later(proper, instead(key));
}

const later = (proper, spare) => (spare && !(proper?.at >= (spare.at ?? 0)) ? spare : (proper ?? null));

function instead(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return typeof found === "object" ? found : null;
  } catch {
    return null; // barred, or not written by us
  }
}

export async function save(key, value) {
  try {
    await within("readwrite", (store) => store.put(value, key));
  } catch {
    return localStorage.setItem(key, JSON.stringify(value));
  }
  forget(key);
}

export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // nothing lies there then
  }
}

// Reads, changes and writes a value with nothing of another tab in between. `work` takes the value, {} at first, and
// changes it; what it returns is the answer. It may be called twice. Rejects where nothing can be written.
export function change(key, work) {
  return navigator.locks ? navigator.locks.request(key, () => changed(key, work)) : changed(key, work);
}

async function changed(key, work) {
  let answer;
  const made = (found) => {
    const value = found ?? {};
    answer = work(value);
    value.at = Math.max(Date.now(), (value.at ?? 0) + 1);
    return value;
  };
  try {
    await within("readwrite", (store) => {
      const asked = store.get(key);
      asked.onsuccess = () => store.put(made(later(asked.result, instead(key))), key);
      return asked;
    });
  } catch {
    localStorage.setItem(key, JSON.stringify(made(await load(key))));
    return answer;
  }
  forget(key);
  return answer;
}
