// Brings what was done on this phone to the server, in order, each with its key and the version it follows, and takes
// home what others did. The server looks at who sends it as at any other write.
import * as line from "./line.js";
import * as queue from "./queue.js";
import { always } from "./scope.js";

const API = "/api/v1/matches";
const PATIENCE = 20_000; // ms
const NO_SERVER = 502; // and above: a proxy without a server behind it

// Whether the last that was heard of the server is that it cannot be reached.
let gone = !navigator.onLine;
const jobs = [];
export const away = () => gone;
export const listen = (job) => jobs.push(job);
// Who hears that the server was asked about a match: it has taken all, or refused, or knew more.
const news = [];
export const onNews = (job) => news.push(job);

export function reached(yes) {
  const turned = gone === yes;
  gone = !yes;
  if (turned) jobs.forEach((job) => job());
}

// Rejects where there is no server.
async function asked(address, options = {}) {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE), cache: "no-store", ...options });
    if (answer.status >= NO_SERVER) throw new Error(String(answer.status));
    reached(true);
    return answer;
  } catch (error) {
    reached(false);
    throw error;
  }
}

const post = (address, body) => asked(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export const probe = () => asked("/healthz").then((answer) => answer.ok, () => false);

always(globalThis, "online", probe);
always(globalThis, "offline", () => reached(false));

// What the server knows of a match, for whoever may see it. Not while something is on its way up, and not before: what the
// server has from here already would look like another phone's. What nobody has read yet is read before that (desk.js).
// Rejects where there is no server.
export async function learn(id) {
  if (!queue.isServers(id)) return;
  const record = await queue.get(id);
  const own = record?.line[0];
  if (own && !own.events && !own.asks && !record.refused) return;
  await sync(id);
  const left = await queue.get(id);
  if (own && left?.line[0]?.key === own.key && line.sendable(left)) throw new Error("not sent");
  await navigator.locks.request(`sync ${id}`, () => fetched(id));
}

async function fetched(id) {
  const known = (await queue.get(id))?.events ?? [];
  const told = await answerOf(id, Math.max(known.length - 1, 0)); // with one that is known: whether it is the same match still
  if (!told || line.goesOn(known, told)) return told && learnt(told);
  const all = await answerOf(id, 0);
  return all && learnt(all, true);
}

const learnt = (told, anew = false) => queue.change(told.id, (record) => line.learned(record, told, anew));

async function answerOf(id, since) {
  const answer = await asked(`/m/${id}/events.json?since=${since}`);
  if (answer.status === 404) await gone_from(id);
  return answer.ok ? answer.json() : null;
}

// No longer this phone's: what was only seen is forgotten, what was done here stays until it is dropped.
async function gone_from(id) {
  const record = await queue.get(id);
  if (record && !line.waits(record)) await queue.remove(id);
  else await refuse(id, 404);
}

async function refuse(id, status) {
  await queue.change(id, (record) => record && { ...record, refused: status });
}

// All that waits, the oldest match first; and what others did to these meanwhile.
export async function all() {
  for (const record of (await queue.all()).reverse()) {
    if (!line.waits(record)) continue;
    await sync(record.id);
    const after = await queue.get(record.id);
    if (after && !gone) await learn(after.id).then(() => sync(after.id), () => {});
  }
}

// What waits of one match. Where several tabs try, one after the other looks what is left.
const asking = new Map();
export function sync(id) {
  const asked =
    asking.get(id) ??
    navigator.locks.request(`sync ${id}`, () => {
      asking.delete(id);
      return sent(id).then(
        () => tell(id),
        (error) => console.info("not sent:", String(error)),
      );
    });
  asking.set(id, asked);
  return asked;
}

const tell = (id) => news.forEach((job) => job(id));

const DOOR = [401, 403, 404]; // it takes nothing from this phone
const FAILED = 500;

async function sent(id) {
  for (;;) {
    const record = await queue.get(id);
    if (!record || !line.sendable(record)) return;
    const answer = await (record.begun ? begin(record) : append(record));
    const { status } = answer;
    if (status === 429) await new Promise((done) => setTimeout(done, 1000 * Number(answer.headers.get("Retry-After") ?? 5)));
    else if (status === 409 && !record.begun) await overtaken(record);
    else if (status !== 201) await turnedDown(record, status, await answer.json().then(({ error }) => error.code).catch(() => status));
  }
}

// This phone, or just this entry.
const turnedDown = (record, status, code) =>
  record.begun || DOOR.includes(status) || status >= FAILED
    ? refuse(record.id, status === 422 ? code : status)
    : queue.change(record.id, (now) => (now?.line[0]?.key === record.line[0].key ? line.aside(now, 0, code) : undefined));

async function append(record) {
  const [{ events, key }] = record.line;
  const answer = await post(`${API}/${record.id}/events`, { events, expected: record.events.length, key });
  if (answer.status === 201) {
    const { version } = await answer.json();
    await queue.change(record.id, (now) => line.confirmed(now, { events, key }, version));
  }
  return answer;
}

// Somebody else was faster, or the server knows less than this phone: what was done here is read again, and a person is
// asked what is meant (desk.js).
async function overtaken(record) {
  await fetched(record.id);
  const now = await queue.get(record.id);
  if (now && line.sendable(now) && now.events.length === record.events.length && now.line[0].key === record.line[0].key) throw new Error("409");
}

// Sent twice, a match begins once: by its key.
async function begin(record) {
  const [{ document, stakes }, ...rounds] = record.begun.events;
  const body = { document: { ...document, rounds: rounds.map((event) => event.round) }, key: record.begun.key, ...(stakes ? { stakes } : {}) };
  const answer = await post(API, body);
  if (answer.status !== 201) return answer;
  const { id } = await answer.json();
  await queue.rename(record.id, id, line.started);
  return answer;
}
