// The pages of the scorekeeper as this phone itself makes them: Python reads a form and draws a page (device.js,
// scorekeeper/pages/away.py); what happened is in queue.js. What is sent is safe there before anything else is done.
//   page(path, messages)   an answer of scorekeeper/pages/away.py for a page
//   submit(path, form)     the same for a form
//   own(path)              whether this phone can have such a page
//   quick(path, body)      whether what is sent there can be answered here at once, and then be sent on
//   kept(id, away)         the words of what is not on the server (scorekeeper/pages/kept.py)
import * as device from "./device.js";
import { newKey } from "./keys.js";
import * as line from "./line.js";
import * as queue from "./queue.js";
import { prepare } from "./swap.js";

const OWN = /^\/(|new(\/\w+)?|rules(\/\w+)?|m\/[\w-]+(\/(round(\/\d+(\/void)?)?|preview|undo|redo|finish|reopen|more|history|rematch|match\.(json|csv)|sheet\.svg|screen))?)$/;
export const own = (pathname) => OWN.test(pathname);
export const idOf = (pathname) => pathname.match(/^\/m\/([\w-]+)/)?.[1];
export const looks = (path) => /\/preview\b/.test(path);
export const fields = (body) => Object.fromEntries(new URLSearchParams(body));
const SAID = "said";

const root = document.documentElement;
const ask = (request) => device.handle({ language: root.lang, theme: root.dataset.theme ?? "", key: newKey(), ...request });
const named = (path, id) => path.replace(/^\/m\/[\w-]+/, `/m/${id}`);

// What Python is told of a match, up to the line's place. `key`: of the forms that it draws; `drawn` has how many of the
// server's events such a page knew.
const drawn = new Map();
function about(record, place) {
  const key = newKey();
  drawn.set(key, record.events.length);
  return {
    key,
    events: line.whole(record, place),
    here: { ...record.here, local: Boolean(record.begun) },
    phones: record.phones ?? {},
  };
}
const ofForm = (key) => key.slice(0, 32); // forms of one page have different endings

const matches = async () => (await queue.all()).map((record) => ({ id: record.id, events: line.whole(record) })).filter((one) => one.events.length);

export async function page(path, messages = said()) {
  const id = idOf(path);
  if (!id) return ask({ do: "page", path, matches: await matches(), messages });
  const led = turned(path, messages);
  if (led) return led;
  await settle(id);
  const back = cameBack(id, messages);
  if (back) return back;
  const record = await queue.get(id);
  if (!record) return { error: { code: "not_here" } };
  if (record.id !== id) return { redirect: named(path, record.id), messages };
  if (record.line[0]?.asks && !record.refused && /^\/m\/[\w-]+(\/round)?$/.test(path)) return read(record, 0);
  return { ...(await ask({ do: "page", path, messages, ...about(record) })), messages };
}

// The engine runs, and this phone knows the match as well as the form's page did.
export async function quick(path, body) {
  const id = idOf(path);
  if (!id || !device.ready() || !globalThis.navigation || /\/rematch$/.test(path)) return false;
  const form = fields(body);
  if (foreseen?.of === name(path, form, Number(form.version))) return true;
  const record = await queue.get(id);
  return Boolean(record?.here.writes && !record.refused && line.whole(record).length === Number(form.version));
}

export async function kept(id, away) {
  const record = id && (await queue.get(id));
  const waiting = record ? line.waiting(record) : { matches: (await queue.all()).filter(line.waits).length };
  const words = await ask({ do: "kept", waiting: { ...waiting, away } });
  return { ...words, about: record && (line.stuck(record)[0]?.lead ?? record.line[0]?.key) };
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

// What came back of what was sent from a page that is gone, or was done before others wrote: a page, or more messages.
function cameBack(id, messages) {
  for (const [key, { of, answer }] of answers) {
    if (of !== id) continue;
    answers.delete(key);
    if (answer.html) return answer;
    const known = messages.map(({ text }) => text);
    messages.push(...(answer.messages ?? []).filter(({ text }) => !known.includes(text)));
  }
}

// Safe from here on, whatever becomes of Python, the page and the phone. Tells where to go on. `answer`: what Python said
// of it, if it has been asked already.
export async function keep(path, form, answer) {
  const id = idOf(path);
  const key = form.key || newKey();
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
    const [first] = record.line;
    const question = asked.get(ofForm(key));
    const isAnswer = first?.asks && question === first.key;
    const sent = { key, path, form, at: new Date().toISOString() };
    const after = (isAnswer ? line.replied : line.entered)(line.freed(record, question), sent, drawn.get(ofForm(key)));
    const place = record.line.length;
    const fits = answer && line.allRead(record) && line.basis(after, place) === String(answer.expected);
    return (fits && line.read(after, key, place, answer)) || after;
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
    const place = record ? line.next(record) : -1;
    if (place < 0) return undefined;
    const item = record.line[place];
    const answer = await read(record, place);
    if (!line.unfit(item, answer) && !(item.said && answer.append)) heard(id, item.key, answer);
    await queue.change(record.id, (now) => line.read(now, item.key, place, answer));
  }
}

const asked = new Map(); // which item a question was about, by the key of its forms
async function read(record, place) {
  next = null; // it does not show this
  const { path, form } = record.line[place];
  const known = about(record, place);
  known.here.writes = true; // whether this phone may, the server says
  const sent = { ...form, version: line.basis(record, place) };
  const answer = await ask({ do: "submit", path: named(path, record.id), form: sent, ...known });
  if (answer.status === 409) asked.set(known.key, record.line[place].key);
  return answer;
}

async function readBegun(record) {
  const { path, form } = record.begun;
  const from = idOf(path) && (await queue.get(idOf(path)));
  const answer = await ask({ do: "submit", path, form, id: record.id, ...(from ? about(from) : { matches: await matches() }) });
  if (answer.begin) await queue.change(record.id, (now) => ({ ...now, begun: { ...now.begun, events: answer.begin } }));
  return answer;
}

// What the person does not want after all: by the key of the question about it, or its own. A match that no server takes
// goes as a whole.
export async function drop(id, key) {
  const record = await queue.get(id);
  if (record?.begun && record.refused && !line.stuck(record).length) return queue.remove(record.id);
  return queue.change(id, (now) => now && line.dropped(now, asked.get(key) ?? key));
}

// What does not fit, as it was entered, to be kept as a file.
export async function stuck(id) {
  const record = await queue.get(id);
  const entries = record ? line.stuck(record).map(({ at, path, form, events, why }) => ({ at, path, form, events, why })) : [];
  return entries.length ? { match: record.id, entries } : null;
}

// Messages on their way to the next page.
export function say(messages) {
  if (messages?.length) sessionStorage.setItem(SAID, JSON.stringify([...said(), ...messages]));
}

function said() {
  const kept = JSON.parse(sessionStorage.getItem(SAID) ?? "[]");
  sessionStorage.removeItem(SAID);
  return kept;
}
