// What was done to a match on this phone and is not on the server yet: what it leads to, and what becomes of it when the
// server, another phone or a person has something to say. All of a record (queue.js) in, a new one out; nothing is kept.
//
// `seen` of an item is the version up to which its person knew what others wrote. What they wrote after it stands
// against the item: a person is then asked what is meant. An item without it was sent from a page that was old already
// (or by an older version of this), and is held against the version of that page.
import { newKey } from "./keys.js";

const NEW = /\/round$/; // where a new round is sent, and a tap of the one that is played
const NAMED = /\/round\/(\d+)/;
const ENTRY = /\/round(\/\d+)?$/;
const MOST_OWN = 200;
const VOID = /\/void$/;
const UNDO = /\/undo$/;
const REDO = /\/redo$/;

// What there is ------------------------------------------------------------------------------------------------

// All that happened as far as this phone knows, up to the line's place: what is not on the server is numbered as it will be.
export function whole(record, place = Infinity) {
  const events = [...record.events];
  for (const item of [record.begun, ...record.line.slice(0, place)])
    for (const event of item?.events ?? []) events.push({ type: event.type, version: events.length + 1, at: item.at, by: record.me ?? null, ...event });
  return events;
}

export const stuck = (record) => record.stuck ?? [];
export const waits = (record) => Boolean(record.begun || record.line.length || stuck(record).length);
export const allRead = (record) => record.line.every((item) => item.events);

// Whether something can go up now.
export const sendable = (record) => Boolean(!record.refused && (record.begun ? record.begun.events : record.line[0]?.events));

// Whether a person has to look: it does not go up by itself.
export const stays = (record) => Boolean(record.refused || stuck(record).length || (record.line.length && !record.line[0].events));

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

// What stands against an item ----------------------------------------------------------------------------------

const isRound = ({ type }) => type === "round_entered";

// What others wrote after a version. `own`: which of the last events went up from here.
const theirs = ({ events, own = [] }, since) => events.filter(({ version }, place) => place >= since && !own.includes(version));

// Against the first of the line stands all that others wrote. What comes after something of this phone's own just follows;
// but where both entered a round, both would count without a word.
function overtaken(record, place) {
  const { seen, path, form, said } = record.line[place];
  if (seen === undefined) return Boolean(said) && Number(form.version) !== whole(record, place).length;
  return place ? NEW.test(path) && theirs(record, seen).some(isRound) : theirs(record, seen).length > 0;
}

// The version that an item is sent with.
export function basis(record, place) {
  const { seen, form } = record.line[place];
  if (seen === undefined) return form.version;
  return String(overtaken(record, place) ? seen : whole(record, place).length);
}

// The place of what Python is to read next, or -1. What is asked about waits for a person; what others stand against,
// until it is the first.
export function next(record) {
  const place = record.line.findIndex((item) => !item.events);
  return place < 0 || record.line[place].asks || (place && overtaken(record, place)) ? -1 : place;
}

// To be read anew. `same`: of what was known, the server has this much still.
const unread = (line, same = Infinity) =>
  line.map(({ events: _, asks: __, renamed: ___, ...item }) => ("seen" in item ? { ...item, seen: Math.min(item.seen, same) } : item));

const raised = (line, version) => line.map((item) => ("seen" in item ? { ...item, seen: Math.max(item.seen, version(item)) } : item));

// This phone's own is on the server now, as what comes next.
const grown = (line, before, after) => raised(line, ({ seen }) => (seen === before ? after : seen));

// Those of the line after a person has answered to its first. All that others wrote was shown; but of their rounds the
// answer was about one, and each that may be one of those that wait here is asked about by itself. `another`: mine is
// another round than all of theirs. What its own line takes back again is none of them.
function answered(record, others, another) {
  const [{ seen, form, path }] = record.line;
  const before = seen ?? Number(form.version);
  const round = another ? undefined : theirs(record, before).find(isRound);
  const rounds = !round ? record.events.length : NEW.test(path) && stands(record.line, 0) ? round.version : before;
  return raised(others, (item) => (NEW.test(item.path) ? rounds : record.events.length));
}

// What this phone does -----------------------------------------------------------------------------------------

// What was sent, at the end of the line. Behind what has to be read anew it is as old as that: its page showed that still.
// `shown`: how many of the server's events the page knew, where that is known.
export function entered(record, sent, shown) {
  const known = allRead(record) ? seenBy(record, sent, record.line.length, shown) : (record.line.at(-1).seen ?? shown);
  return { ...record, line: [...record.line, withSeen(sent, known)] };
}

// What a person says to the question about the first of the line, in its place.
export function replied(record, sent, shown) {
  const [first, ...others] = record.line;
  const seen = seenBy(record, sent, 0, shown);
  const another = NEW.test(sent.path) && !("instead" in sent.form);
  const after = seen === record.events.length ? answered(record, others, another) : others; // or others wrote more since it was asked
  return { ...record, line: [{ ...withSeen(sent, seen), was: first.was }, ...after] };
}

function seenBy(record, { form }, place, shown) {
  if (shown !== undefined && theirs(record, shown).length) return shown; // of the same length it may be by chance
  return Number(form.version) === whole(record, place).length ? record.events.length : undefined;
}
const withSeen = (item, seen) => (seen === undefined ? item : { ...item, seen });

// What was good when it was entered, or cannot even be read, is not thrown away.
export const unfit = (item, answer) => answer.error?.code ?? (item.was && answer.status === 422 ? "unfit" : undefined);

// After Python has read the item at this place; nothing where the match went on meanwhile. `said`: its person has been told
// that it is done, and is told no second time.
export function read(record, key, place, answer) {
  const item = record?.line[place];
  if (item?.key !== key || item.events) return undefined;
  const [before, after] = [record.line.slice(0, place), record.line.slice(place + 1)];
  const instead = (...items) => ({ ...record, line: [...before, ...items] });
  if (answer.append) {
    if (whole(record, place).length !== answer.expected) return undefined;
    const [first] = answer.append;
    const was = isRound(first) ? answer.expected + 1 : first.id;
    const done = { seen: record.events.length, ...item, events: answer.append, was, said: true };
    return instead(done, ...after.map((later) => (item.was && !item.renamed ? renamed(later, item.was, was) : later)));
  }
  if (answer.status === 409 && place === 0) return instead({ ...item, asks: true }, ...after);
  if (answer.status === 409 && ENTRY.test(item.path)) return aside(record, place, "old"); // of another tab, and asked about there
  if (unfit(item, answer)) return aside(record, place, unfit(item, answer));
  return instead(...after); // nothing to write, or the page that comes back has what was typed
}

// Named by the number that its round has now. Once: what it is called now, another round was called before.
function renamed(item, old, round) {
  if (item.renamed || roundOf(item) !== old) return item;
  const path = item.path.replace(new RegExp(`/round/${old}\\b`), `/round/${round}`);
  return { ...item, path, ...(item.was === old ? { was: round } : {}), renamed: true };
}

// Without what does not fit any more: it is dropped, or has been entered anew.
export const freed = (record, lead) => ({ ...record, stuck: stuck(record).filter((item) => item.lead !== lead) });

// What the person does not want after all, by its key: something that does not fit any more, or the first that waits, and
// with it all else that was done here to the same round.
export function dropped(record, key) {
  const after = freed(record, key);
  if (stuck(after).length < stuck(record).length) return after;
  if (!record.line.length || record.line[0].key !== key) return undefined;
  const gone = company(record.line, 0);
  const others = record.line.filter((_, place) => !gone(place));
  return { ...record, line: unread(answered(record, others, false)), refused: undefined };
}

// Takes what does not fit out of the line, and with it what was done after it to the same round, which means nothing
// without it.
export function aside(record, place, why) {
  const [lead, along] = [record.line[place], company(record.line, place)];
  const [gone, line] = [record.line.filter((_, n) => along(n)), record.line.filter((_, n) => !along(n))];
  const after = [...line.slice(0, place), ...line.slice(place).flatMap((item) => (item.events ? unread([item]) : item))];
  return { ...record, line: after, stuck: [...stuck(record), ...gone.map((item) => ({ ...item, why, lead: lead.key }))] };
}

// Which places of the line go with this one: what was done to its round by name, and what took that back. Taps of a round
// that is played stand each for itself.
const roundOf = ({ was, path }) => was ?? (Number(path.match(NAMED)?.[1]) || undefined);
function company(line, first) {
  const [round, { moves }] = [roundOf(line[first]), steps(line)];
  const along = new Set([first]);
  for (const [place, item] of line.entries())
    if (place > first && ((round && NAMED.test(item.path) && roundOf(item) === round) || along.has(moves.get(place)))) along.add(place);
  return (place) => along.has(place);
}

// Which place of the line each undo and redo moves, if any; and which are done in the end.
function steps(line) {
  const [done, undone, moves] = [[], [], new Map()];
  for (const [place, { path, events }] of line.entries()) {
    if (!UNDO.test(path) && !REDO.test(path)) {
      done.push(...(events ?? [0]).map(() => place)); // each event is a step
      undone.length = 0;
      continue;
    }
    const [from, to] = UNDO.test(path) ? [done, undone] : [undone, done];
    moves.set(place, from.at(-1));
    to.push(from.pop());
  }
  return { moves, done };
}

// Whether a new round of the line is not taken back further on.
function stands(line, place) {
  const { done } = steps(line);
  const removes = (item, n) => n > place && VOID.test(item.path) && roundOf(item) === roundOf(line[place]) && done.includes(n);
  return done.includes(place) && !line.some(removes);
}

// What the server says -----------------------------------------------------------------------------------------

// The first of the line is written: as the next events; or long ago, when the answer was lost, and others may have
// written since.
export function confirmed(record, { key, events }, version) {
  if (record?.line[0]?.key !== key) return undefined;
  const [before, line] = [record.events.length, record.line.slice(1)];
  if (version !== before + events.length) return { ...record, line: unread(line) };
  const own = [...(record.own ?? []), ...events.map((_, n) => before + 1 + n)].slice(-MOST_OWN);
  return { ...record, own, events: whole(record, 1), line: grown(line, before, version) };
}

// A match that began here has begun there.
export function started({ begun, ...record }) {
  const events = whole({ ...record, begun, line: [] });
  return { ...record, events, line: grown(record.line, record.events.length, events.length) };
}

// Of one match there were two records: it was known by its new name already.
export function joined(there, came) {
  const more = came.line.filter((item) => there.line.every((one) => one.key !== item.key));
  const [fewer, events] = [came.events, there.events].sort((one, other) => one.length - other.length);
  const line = unread([...there.line, ...more], fewer.length);
  return { ...came, ...there, events, line, stuck: [...stuck(there), ...stuck(came)] };
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
export function learned(record, told, anew) {
  const known = record ?? { id: told.id, events: [], line: [] };
  if (!anew && !goesOn(known.events, told)) return undefined;
  const events = [...known.events.slice(0, told.since), ...told.events];
  const { here, phones, me } = told;
  const same = anew ? alike(known.events, events) : known.events.length;
  const lost = here.writes && same < known.events.length ? lostOf(known, same) : [];
  const left = known.line.filter((item) => lost.every(({ key }) => key !== item.key));
  const line = events.length === same && known.events.length === same ? known.line : unread(left, same);
  const refused = here.writes ? undefined : (known.refused ?? (waits(known) ? 403 : undefined));
  const own = (known.own ?? []).filter((version) => version <= same);
  return { ...known, events, own, here, phones, me, refused, line, stuck: [...stuck(known), ...lost] };
}

// What was lost, and with it what took back what the server had, or brought that back: it is another round that it would
// take back now.
function lostOf({ id, events, line }, same) {
  const key = newKey();
  const { moves } = steps(line);
  const along = line.filter((_, place) => moves.has(place) && moves.get(place) === undefined);
  const item = { key, path: `/m/${id}`, form: {}, events: events.slice(same), at: new Date().toISOString() };
  return [item, ...along].map((one) => ({ ...one, why: "lost", lead: key }));
}
