// The matches that this phone has seen, and what was done to them here, in IndexedDB, written through to the disk.
// A record is one match:
//   id, events        its events as the server has them (version, at, by included)
//   here, phones, me  what this phone is to it, as the server last said
//   line              what was done here and is not on the server yet, oldest first (line.js): {key, path, form, at, seen},
//                     and `events` once Python has read them; `said` that the person knows that, and `was`: the number of
//                     the round that it is about; `asks` where a person has to say what is meant
//   own               versions of the last events that went up from here
//   stuck             what is out of the line, for it does not fit the match any more: its items, each with `why`, and
//                     `lead`, the key of the one that took it along. It is asked about by itself, and holds nothing up
//   begun             of a match that no server has: {key, path, form, at, from} and its events
//   moved             the id that the server gave it; nothing else is left then
//   refused           why the server takes nothing from this phone: a status, 403 or 404 mostly
import { newKey } from "./keys.js";
import { joined, whole } from "./line.js";

const NAME = "scoring";
const STORE = "matches";

const LOCAL = "here-"; // how ids begin that no server has seen
export const isServers = (id) => Boolean(id) && !id.startsWith(LOCAL);
export const newId = () => LOCAL + newKey().slice(0, 16);

let database = null; // opened once: a tap has no time to wait for it
function opened() {
  return (database ??= new Promise((done, failed) => {
    const asked = indexedDB.open(NAME, 1);
    const lost = () => (database = null);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => done(Object.assign(asked.result, { onclose: lost, onversionchange: () => lost(asked.result.close()) }));
    asked.onerror = asked.onblocked = () => failed(asked.error, lost());
  }));
}

async function within(mode, act) {
  const found = await opened();
  return new Promise((done, failed) => {
    const change = found.transaction(STORE, mode, { durability: "strict" });
    let result;
    act(change.objectStore(STORE), (value) => (result = value));
    change.oncomplete = () => done(result);
    change.onerror = change.onabort = () => failed(change.error);
  });
}

// What is damaged is as if it were not there: one record is not to take the others with it.
const items = (line) => Array.isArray(line) && line.every((item) => typeof item?.path === "string" && item.form);
const isSound = (record) => Array.isArray(record?.events) && record.events.every(Boolean) && Boolean(record.here) && items(record.line) && items(record.stuck ?? []);
const sound = (record) => (isSound(record) ? record : undefined);

// A match; one that has moved is found under its old id too.
export async function get(id) {
  const record = await within("readonly", (store, give) => (store.get(id).onsuccess = ({ target }) => give(target.result)));
  return record?.moved ? get(record.moved) : sound(record);
}

// All of them, the most recently changed first.
export async function all() {
  const records = await within("readonly", (store, give) => (store.getAll().onsuccess = ({ target }) => give(target.result)));
  return records.filter((record) => !record.moved && isSound(record)).sort((one, other) => changed(other).localeCompare(changed(one)));
}

const changed = (record) => String(whole(record).at(-1)?.at ?? "");

// Changes a match in one transaction: act(record or undefined) gives the new record, or nothing to leave it.
export async function change(id, act) {
  let moved;
  const after = await within("readwrite", (store, give) => {
    store.get(id).onsuccess = ({ target }) => {
      moved = target.result?.moved;
      const found = sound(target.result);
      const record = moved ? undefined : act(found);
      if (record) store.put(record);
      give(record ?? found);
    };
  });
  if (moved) return change(moved, act);
  tell(id);
  return after;
}

// The server has the match now, and gave it a name. It may be known by that already: where the answer was lost, and
// the phone went on with it.
export const rename = (id, name, act) =>
  within("readwrite", (store) => {
    store.get(id).onsuccess = ({ target }) => {
      const old = sound(target.result);
      if (!old) return;
      store.get(name).onsuccess = ({ target }) => {
        const [there, came] = [sound(target.result), act(old)];
        store.put({ ...(there ? joined(there, came) : came), id: name });
        store.put({ id, moved: name });
      };
    };
  }).then(() => tell(id));

export const remove = (id) => within("readwrite", (store) => store.delete(id)).then(() => tell(id));

// Other tabs and other scripts of this page hear of every change.
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;
const jobs = [];
export const listen = (job) => jobs.push(job);
channel?.addEventListener("message", ({ data }) => jobs.forEach((job) => job(data)));
function tell(id) {
  channel?.postMessage(id);
  jobs.forEach((job) => job(id));
}
