// The matches that this phone has seen, and what was done to them here, in IndexedDB, written through to the disk.
// A record is one match:
//   id, events        its events as the server has them (version, at, by included)
//   here, phones, me  what this phone is to it, as the server last said
//   line              what was done here and is not on the server yet, oldest first: {key, path, form, at}, and `events`
//                     once Python has read them; `asks` where a person has to say what is meant, `stuck` where
//                     it cannot be read
//   begun             of a match that no server has: {key, path, form, at, from} and its events
//   moved             the id that the server gave it; nothing else is left then
//   refused           why the server does not take the line: 403, 404 or an error's code
const NAME = "scoring";
const STORE = "matches";

export const LOCAL = "here-"; // how ids begin that no server has seen
export const isServers = (id) => Boolean(id) && !id.startsWith(LOCAL);

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

// A match; one that has moved is found under its old id too.
export async function get(id) {
  const record = await within("readonly", (store, give) => (store.get(id).onsuccess = ({ target }) => give(target.result)));
  return record?.moved ? get(record.moved) : record;
}

// All of them, the most recently changed first.
export async function all() {
  const records = await within("readonly", (store, give) => (store.getAll().onsuccess = ({ target }) => give(target.result)));
  return records.filter((record) => !record.moved).sort((one, other) => changed(other).localeCompare(changed(one)));
}

const changed = (record) => whole(record).at(-1)?.at ?? "";

// Changes a match in one transaction: act(record or undefined) gives the new record, or nothing to leave it.
export async function change(id, act) {
  let moved;
  const after = await within("readwrite", (store, give) => {
    store.get(id).onsuccess = ({ target }) => {
      moved = target.result?.moved;
      const record = moved ? undefined : act(target.result);
      if (record) store.put(record);
      give(record ?? target.result);
    };
  });
  if (moved) return change(moved, act);
  tell(id);
  return after;
}

// The server has the match now, and gave it a name.
export const rename = (id, name, act) =>
  within("readwrite", (store) => {
    store.get(id).onsuccess = ({ target }) => {
      store.put({ ...act(target.result), id: name });
      store.put({ id, moved: name });
    };
  }).then(() => tell(id));

export const remove = (id) => within("readwrite", (store) => store.delete(id)).then(() => tell(id));

// All that happened as far as this phone knows, up to the line's place: what is not on the server is numbered as it will be.
export function whole(record, place = Infinity) {
  const events = [...record.events];
  for (const item of [record.begun, ...record.line.slice(0, place)])
    for (const event of item?.events ?? []) events.push({ type: event.type, version: events.length + 1, at: item.at, by: record.me ?? null, ...event });
  return events;
}

export const waits = (record) => Boolean(record.begun || record.line.length);

// Whether something can go up now.
export const sendable = (record) => Boolean(!record.refused && (record.begun ? record.begun.events : record.line[0]?.events));

// How much is on this phone only.
export function waiting(record) {
  const rounds = new Set();
  let others = 0;
  let place = whole({ ...record, line: [] }).length;
  for (const item of record.line) {
    for (const event of item.events ?? []) {
      place += 1;
      if (event.type === "round_entered") rounds.add(place);
      else if (event.type === "round_corrected") rounds.add(event.id);
      else others += 1;
    }
    if (!item.events) others += 1;
  }
  return { rounds: rounds.size, others, asks: Boolean(record.line[0]?.asks), local: Boolean(record.begun), refused: record.refused ?? "" };
}

// What the server says of a match replaces what was known; what was done here meanwhile has to be read anew then.
export const learn = (told) =>
  change(told.id, (record) => {
    const known = record ?? { id: told.id, events: [], line: [] };
    const events = [...known.events.slice(0, told.since), ...told.events];
    if (told.since > known.events.length || events.length < known.events.length) return undefined;
    const newer = events.length > known.events.length;
    const { here, phones, me } = told;
    const refused = here.writes ? undefined : known.refused;
    return { ...known, events, here, phones, me, refused, line: newer ? unread(known.line, known.events.length) : known.line };
  });

// The line after others wrote: its first is held against that, from the version it was made from; what comes after it
// just follows, for it was made knowing what came before. Without a version all of it follows.
export const unread = (line, version) =>
  line.map(({ events: _, asks: __, stuck: ___, ...item }, place) =>
    place || version === undefined ? { ...item, follows: true } : { ...item, follows: false, form: { ...item.form, version: String(version) } },
  );

// Other tabs and other scripts of this page hear of every change.
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;
const jobs = [];
export const listen = (job) => jobs.push(job);
channel?.addEventListener("message", ({ data }) => jobs.forEach((job) => job(data)));
function tell(id) {
  channel?.postMessage(id);
  jobs.forEach((job) => job(id));
}

// randomUUID is missing on plain http, where nothing of this runs.
export const newKey = () => crypto.randomUUID().replaceAll("-", "");
export const newId = () => LOCAL + newKey().slice(0, 16);
