// The pages of the scorekeeper as this phone itself makes them: Python reads a form and draws a page (device.js,
// scorekeeper/pages/away.py); what happened is in queue.js. What is sent is safe there before anything else is done.
//   page(path, messages)   an answer of scorekeeper/pages/away.py for a page
//   submit(path, form)     the same for a form
//   own(path)              whether this phone can have such a page
//   quick(path, body)      whether what is sent there can be answered here at once, and then be sent on
//   kept(id, away)         the words of what is not on the server (scorekeeper/pages/kept.py)
import * as device from "./device.js";
import * as queue from "./queue.js";
import { prepare } from "./swap.js";

const OWN = /^\/(|new(\/\w+)?|rules(\/\w+)?|m\/[\w-]+(\/(round(\/\d+(\/void)?)?|preview|undo|redo|finish|reopen|more|history|rematch|match\.(json|csv)|sheet\.svg|screen))?)$/;
export const own = (pathname) => OWN.test(pathname);
export const idOf = (pathname) => pathname.match(/^\/m\/([\w-]+)/)?.[1];
export const looks = (path) => /\/preview\b/.test(path);
export const fields = (body) => Object.fromEntries(new URLSearchParams(body));
const SAID = "said";
const NEW = /\/round$/; // where a new round is sent, and a tap of the one that is played

const root = document.documentElement;
const ask = (request) => device.handle({ language: root.lang, theme: root.dataset.theme ?? "", key: queue.newKey(), ...request });
const named = (path, id) => path.replace(/^\/m\/[\w-]+/, `/m/${id}`);

const about = (record, place) => ({
  events: queue.whole(record, place),
  here: { ...record.here, local: Boolean(record.begun) },
  phones: record.phones ?? {},
});

const matches = async () => (await queue.all()).map((record) => ({ id: record.id, events: queue.whole(record) })).filter((one) => one.events.length);

export async function page(path, messages = said()) {
  const id = idOf(path);
  if (!id) return ask({ do: "page", path, matches: await matches(), messages });
  const led = turned(path, messages);
  if (led) return led;
  await settle(id);
  const back = refusedOf(id);
  if (back) return back;
  const record = await queue.get(id);
  if (!record) return { error: { code: "not_here" } };
  if (record.id !== id) return { redirect: named(path, record.id), messages };
  if (record.line[0]?.asks && !record.refused && /^\/m\/[\w-]+(\/round)?$/.test(path)) return read(record, 0);
  return ask({ do: "page", path, messages, ...about(record) });
}

// The engine runs, and this phone knows the match as well as the form's page did.
export async function quick(path, body) {
  const id = idOf(path);
  if (!id || !device.ready() || !globalThis.navigation || /\/rematch$/.test(path)) return false;
  const form = fields(body);
  if (foreseen?.of === name(path, form, Number(form.version))) return true;
  const record = await queue.get(id);
  return Boolean(record?.here.writes && !record.refused && queue.whole(record).length === Number(form.version));
}

export async function kept(id, away) {
  const record = id && (await queue.get(id));
  const waiting = record ? queue.waiting(record) : { matches: (await queue.all()).filter(queue.waits).length };
  return ask({ do: "kept", waiting: { ...waiting, away } });
}

// What is sent is read along with the page that it leads to, which is asked for next.
const NEXT = 1000; // ms
let next = null;
function lead({ redirect: path, messages, next: answer }) {
  next = answer?.html ? { path, messages: JSON.stringify(messages), answer, at: performance.now() } : null;
}

function turned(path, messages) {
  const fits = next?.path === path && next.messages === JSON.stringify(messages) && performance.now() - next.at < NEXT;
  const answer = fits ? next.answer : undefined;
  next = null;
  return answer;
}

export async function submit(path, form) {
  const id = idOf(path);
  if (looks(path)) return preview(id, path, form);
  if (!id && !("start" in form)) return ask({ do: "submit", path, form, matches: await matches() });
  const { key, at } = await keep(path, form, await early(path, form));
  if (!answers.has(key)) await settle(at);
  const answer = answers.get(key);
  answers.delete(key);
  return answer?.answer ?? { redirect: `/m/${at}`, messages: [] };
}

// A round that is complete is read before it is sent: the tap to save it then has little to wait for.
let foreseen = null;
async function preview(id, path, form) {
  const known = about(await queue.get(id));
  const answer = await ask({ do: "submit", path, form, ...known });
  const round = Number(new URLSearchParams(path.split("?")[1]).get("id"));
  if (answer.html?.includes("data-ok")) foreseen = foresee(named(`/m/-/round${round ? `/${round}` : ""}`, id), form, known);
  return answer;
}

const name = (path, form, length) => JSON.stringify([path, form, length]);
const foresee = (path, form, known) => ({
  of: name(path, form, known.events.length),
  answer: ask({ do: "submit", path, form, ...known })
    .then((answer) => (answer.next?.html && prepare(answer.next), answer))
    .catch(() => null),
});

async function early(path, form) {
  const found = foreseen?.of === name(path, form, Number(form.version)) ? await foreseen.answer : null;
  foreseen = null;
  return found?.append && found;
}

// What came back of what was sent from a page that is gone.
function refusedOf(id) {
  for (const [key, { of, answer }] of answers)
    if (of === id) {
      answers.delete(key);
      if (answer.html) return answer;
      say(answer.messages);
    }
}

// Safe from here on, whatever becomes of Python, the page and the phone. Tells where to go on. `answer`: what Python said
// of it, if it has been asked already.
export async function keep(path, form, answer) {
  const id = idOf(path);
  const key = form.key || queue.newKey();
  if (!id || /\/rematch$/.test(path)) return { key, at: await begin(path, form, key) };
  const record = await put(id, path, form, key, answer);
  if (answer && isRead(record, key)) heard(id, key, answer);
  return { key, at: id };
}

const isRead = (record, key) => record?.line.some((item) => item.key === key && item.events);
function heard(id, key, answer) {
  answers.set(key, { of: id, answer });
  lead(answer);
}

const put = (id, path, form, key, answer) =>
  queue.change(id, (record) => {
    if (!record || record.line.some((item) => item.key === key)) return undefined;
    const item = { key, path, form, at: new Date().toISOString() };
    const [first, ...others] = record.line;
    // What a person says to a question takes the place of what was asked about.
    if (first?.asks && asked.some((one) => key.startsWith(one))) return { ...record, line: [{ ...item, was: first.was }, ...held(record, item, others)] };
    const after = { ...record, line: [...record.line, { ...item, follows: Boolean(first?.asks) }] };
    return (answer && record.line.every((one) => one.events) && took(after, key, record.line.length, answer)) || after;
  });

// The same form begins one match, however often it is sent.
async function begin(path, form, key) {
  const known = (await queue.all()).find((record) => record.begun?.key === key);
  if (known) return known.id;
  const id = queue.newId();
  const begun = { key, path, form, at: new Date().toISOString() };
  await queue.change(id, () => ({ id, events: [], line: [], here: {}, phones: {}, begun }));
  return id;
}

// Python reads what was sent, in order, one at a time; `answers` has what it said, by key.
const answers = new Map();
const settling = new Map();
export function settle(id) {
  const after = (settling.get(id) ?? Promise.resolve()).catch(() => {}).then(() => settled(id));
  settling.set(id, after);
  return after;
}

async function settled(id) {
  for (;;) {
    const record = await queue.get(id);
    if (record?.begun && !record.begun.events) {
      const answer = await readBegun(record);
      answers.set(record.begun.key, { of: id, answer });
      if (!answer.begin) return queue.remove(record.id); // what was typed is on the page that comes back
      continue;
    }
    const place = record?.line.findIndex((item) => !item.events) ?? -1;
    if (place < 0 || record.line[place].asks || (place && "held" in record.line[place])) return undefined;
    const item = record.line[place];
    const answer = await read(record, place);
    if (!unfit(item, answer)) heard(id, item.key, answer);
    await queue.change(record.id, (now) => took(now, item.key, place, answer));
  }
}

// What was good when it was entered, or cannot even be read, is not thrown away (queue.js, `stuck`).
const unfit = (item, answer) => answer.error?.code ?? (item.was && answer.status === 422 ? "unfit" : undefined);

const asked = []; // the keys in the forms of the questions that were shown
async function read(record, place) {
  const { path, form, follows } = record.line[place];
  const known = about(record, place);
  known.here.writes = true; // whether this phone may, the server says
  // What follows something of this phone's own was made knowing it.
  const sent = follows ? { ...form, version: String(known.events.length) } : form;
  const key = queue.newKey();
  const answer = await ask({ do: "submit", path: named(path, record.id), form: sent, key, ...known });
  if (answer.status === 409) asked.push(key);
  return answer;
}

async function readBegun(record) {
  const { path, form } = record.begun;
  const from = idOf(path) && (await queue.get(idOf(path)));
  const answer = await ask({ do: "submit", path, form, id: record.id, ...(from ? about(from) : { matches: await matches() }) });
  if (answer.begin) await queue.change(record.id, (now) => ({ ...now, begun: { ...now.begun, events: answer.begin } }));
  return answer;
}

// The record after Python has read the item at this place; unchanged where the match went on meanwhile.
function took(record, key, place, answer) {
  const item = record?.line[place];
  if (item?.key !== key || item.events) return undefined;
  const line = [...record.line];
  if (answer.append) {
    if (queue.whole(record, place).length !== answer.expected) return undefined;
    const [first] = answer.append;
    const round = first.type === "round_entered" ? answer.expected + 1 : first.id;
    line[place] = { ...item, events: answer.append, round, was: round };
    if (item.was && item.was !== round)
      for (const later of line.slice(place + 1)) {
        later.path = later.path.replace(new RegExp(`/round/${item.was}\\b`), `/round/${round}`);
        if (later.was === item.was) later.was = round;
      }
  } else if (answer.status === 409 && place === 0) line[place] = { ...item, asks: true };
  else if (unfit(item, answer)) return queue.aside(record, place, unfit(item, answer));
  else line.splice(place, 1); // nothing to write, or the page that comes back has what was typed
  return { ...record, line };
}

// What the person does not want after all: what does not fit any more, or else the first that waits, and with it all else
// that was done here to the same round. A match that no server takes goes as a whole.
export async function drop(id) {
  const before = await queue.get(id);
  if (before?.begun && before.refused && !queue.stuck(before).length) return queue.remove(before.id);
  return queue.change(id, (record) => {
    const [unwanted, ...rest] = record ? queue.stuck(record) : [];
    if (unwanted) return { ...record, stuck: rest.filter((item) => item.lead !== unwanted.lead) };
    if (!record?.line.length) return undefined;
    const gone = queue.company(record.line, 0);
    const line = record.line.filter((_, place) => !gone(place));
    return { ...record, line: queue.unread(line, answered(record)), refused: undefined };
  });
}

// What comes after an answer follows it. But a new round waits until the answer is on the server, and is then asked about
// itself, where another phone entered one that nobody was asked about: without a word both would count.
function held(record, { path, form }, others) {
  const [fresh, place] = [NEW.test(path), others.findIndex((item) => NEW.test(item.path))];
  const instead = "instead" in form || (NEW.test(record.line[0].path) && !fresh); // mine is right: it stands for theirs
  const seen = instead ? answered(record) : fresh ? Infinity : Number(record.line[0].form.version);
  const asks = place >= 0 && record.events.slice(seen).some((event) => event.type === "round_entered");
  return asks ? others.map((item, n) => (n === place ? { ...item, held: seen } : item)) : others;
}

// The version up to which the others' part is known to whoever drops the first item: it was one of their rounds. What they
// wrote after that is asked about anew.
function answered({ events, line: [{ path, form }] }) {
  const seen = Number(form.version);
  const theirs = events.findIndex((event, place) => place >= seen && event.type === "round_entered");
  return NEW.test(path) && theirs >= 0 ? theirs + 1 : events.length;
}

// What does not fit, as it was entered, to be kept as a file.
export async function stuck(id) {
  const record = await queue.get(id);
  const entries = record ? queue.stuck(record).map(({ at, path, form, events, why }) => ({ at, path, form, events, why })) : [];
  return entries.length ? { match: record.id, entries } : null;
}

// Messages on their way to the next page.
export function say(messages) {
  if (messages?.length) sessionStorage.setItem(SAID, JSON.stringify(messages));
}

function said() {
  const kept = JSON.parse(sessionStorage.getItem(SAID) ?? "[]");
  sessionStorage.removeItem(SAID);
  return kept;
}
