// The matches that this phone has seen, and what was done to them here, in IndexedDB, written through to the disk.
// A record is one match:
//   id, events        its events as the server has them (version, at, by included)
//   here, phones, me  what this phone is to it, as the server last said
//   line              what was done here and is not on the server yet, oldest first: {key, path, form, at}, and `events`
//                     once Python has read them; `asks` where a person has to say what is meant; `held`: it waits until
//                     it is the first, and is then held against this version
//   stuck             what is out of the line, for it does not fit the match any more: its items, each with `why`, and
//                     `lead`, the key of the one that took it along. It is asked about by itself, and holds nothing up
//   begun             of a match that no server has: {key, path, form, at, from} and its events
//   moved             the id that the server gave it; nothing else is left then
//   refused           why the server takes nothing from this phone: a status, 403 or 404 mostly
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

function joined(there, came) {
  const more = came.line.filter((item) => there.line.every((one) => one.key !== item.key));
  const [fewer, events] = [came.events, there.events].sort((one, other) => one.length - other.length);
  const line = unread([...there.line, ...more], fewer.length);
  return { ...came, ...there, events, line, stuck: [...stuck(there), ...stuck(came)] };
}

export const remove = (id) => within("readwrite", (store) => store.delete(id)).then(() => tell(id));

// All that happened as far as this phone knows, up to the line's place: what is not on the server is numbered as it will be.
export function whole(record, place = Infinity) {
  const events = [...record.events];
  for (const item of [record.begun, ...record.line.slice(0, place)])
    for (const event of item?.events ?? []) events.push({ type: event.type, version: events.length + 1, at: item.at, by: record.me ?? null, ...event });
  return events;
}

export const stuck = (record) => record.stuck ?? [];
export const waits = (record) => Boolean(record.begun || record.line.length || stuck(record).length);

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
  return { rounds: rounds.size, others, asks: Boolean(record.line[0]?.asks), stuck: stuck(record).length, local: Boolean(record.begun), refused: record.refused ?? "" };
}

// What an event says, however its fields are ordered; not who and when, which the phone only guessed of its own.
const ordered = (_, value) => (value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value);
const bare = ({ at: _, by: __, version: ___, ...event }) => JSON.stringify(event.type === "created" ? "created" : event, ordered);
function alike(some, others) {
  const place = some.findIndex((event, n) => !others[n] || bare(event) !== bare(others[n]));
  return place < 0 ? some.length : place;
}

// Whether what the server says goes on from what was known: after a restore it may know less, or something else.
export const goesOn = (known, { since, events }) => since <= known.length && alike(known.slice(since), events) === known.length - since;

// What the server says of a match replaces what was known; what was done here meanwhile has to be read anew then. `anew`:
// it said all, for it does not go on from what was known. What only this phone knows then is not thrown away unsaid.
export const learn = (told, anew = false) =>
  change(told.id, (record) => {
    const known = record ?? { id: told.id, events: [], line: [] };
    if (!anew && !goesOn(known.events, told)) return undefined;
    const events = [...known.events.slice(0, told.since), ...told.events];
    const { here, phones, me } = told;
    const same = anew ? alike(known.events, events) : known.events.length;
    const line = events.length === same && known.events.length === same ? known.line : unread(known.line, same);
    const refused = here.writes ? undefined : (known.refused ?? (waits(known) ? 403 : undefined));
    const lost = here.writes && same < known.events.length ? [lostOf(known, same)] : [];
    return { ...known, events, here, phones, me, refused, line, stuck: [...stuck(known), ...lost] };
  });

function lostOf({ id, events }, same) {
  const key = newKey();
  return { key, lead: key, why: "lost", path: `/m/${id}`, form: {}, events: events.slice(same), at: new Date().toISOString() };
}

// Takes what does not fit out of the line, and with it what was done after it to the same round, which means nothing
// without it. What comes after is numbered anew, and the next is held against what the first was held against.
export function aside(record, place, why) {
  const [lead, along] = [record.line[place], company(record.line, place)];
  const [gone, line] = [record.line.filter((_, n) => along(n)), record.line.filter((_, n) => !along(n))];
  const version = place === 0 && !lead.follows ? lead.form.version : undefined;
  const after = [...line.slice(0, place), ...unread(line.slice(place), version)];
  return { ...record, line: after, stuck: [...stuck(record), ...gone.map((item) => ({ ...item, why, lead: lead.key }))] };
}

// Which places of the line go with this one: what was done to its round by name. Taps of a round that is played stand
// each for itself. An undo up to something else took back what goes.
const NAMED = /\/round\/(\d+)/;
const BACK = /\/(un|re)do$/;
const roundOf = ({ was, path }) => was ?? (Number(path.match(NAMED)?.[1]) || undefined);
export function company(line, first) {
  const round = roundOf(line[first]);
  const same = (item) => Boolean(round) && NAMED.test(item.path) && roundOf(item) === round;
  const other = line.findIndex((item, place) => place > first && !BACK.test(item.path) && roundOf(item) && !same(item));
  const before = other < 0 ? line.length : other;
  return (place) => place === first || (place > first && (same(line[place]) || (place < before && BACK.test(line[place].path))));
}

// The line without its first, which is written. One that waited for that has its turn.
export function rest([, next, ...line]) {
  if (!next || !("held" in next)) return next ? [next, ...line] : [];
  const { held, ...item } = next;
  return unread([item, ...line], held);
}

// The line after others wrote: its first is held against that, from the version it was made from; what comes after it
// just follows, for it was made knowing what came before. Without a version all of it follows.
export const unread = (line, version) =>
  line.map(({ events: _, asks: __, held, ...item }, place) =>
    place || version === undefined
      ? { ...item, follows: true, ...(place && held !== undefined ? { held } : {}) }
      : { ...item, follows: false, form: { ...item.form, version: String(version) } },
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
