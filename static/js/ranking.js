// The ranking, for who is signed in: seeds to play on, and the finished records sent, each once, also later.
// Nothing here is needed to practise: without an account every function answers at once and asks for nothing.
//
//   import { seeded, finished } from "./ranking.js";
//
//   await seeded(request, counts)   the step "start" with a seed of this account in it, to start a ranked match on, if
//                                   there is one: else the match is started on a seed of one's own and does not count.
//                                   None is taken for a match that cannot count. Each is given once. Works offline as
//                                   long as some are left; online the stock is filled behind it.
//   await finished(record, helped)  call it when a match is over, with the practice record and whether a hint or
//                                   an undo was used. Resolves, when there is something to say, to {status, text}:
//                                   "counted", "refused", "pending" (the server still plays it), "waiting" (no
//                                   network: it is kept and sent later), "away" (whose seed it was is signed out: it
//                                   is kept for them), "helped", or null (not a ranked match).
//                                   Calling it again with the same record (a reload) sends nothing twice.
//
// What waits is sent by itself on loading and whenever the network is back.
//
// The page may include templates/ranking/_words.html: #ranking, where the text is shown; it also says who is signed in
// (data-account, on pages of the server). Everything is kept (kept.js) under "ranking": the account's id under "account",
// and for each account its seeds, those given out, and the queue of records. That a seed is given is on the disk before
// the match on it can be.
import * as kept from "./kept.js";

const KEY = "ranking";
const ENOUGH = 4; // seeds in stock
const PATIENCE = 20_000; // ms
const IMPATIENCE = 3_000; // ms: nobody waits longer to start a match
const LOOKS = [1, 2, 4, 8, 15, 30, 60]; // seconds between looks for a verdict, and between tries to fill the stock

const answers = new Map(); // by seed, to what was sent from this page
let waiting = null; // the seed of a match of which this page has said that it is sent later
let match = 0; // counts the matches begun in this page
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const place = () => document.getElementById("ranking");

const whole = (held) => ({ account: "", of: {}, ...held });
const load = async () => whole(await kept.load(KEY));
const blank = () => ({ seeds: [], given: [], queue: [] });

// Changes what is kept, in one step; the tabs of one browser take turns. Without storage nothing is ranked.
async function change(work) {
  const step = (held) => {
    Object.assign(held, whole(held));
    return work(held.account ? (held.of[held.account] ??= blank()) : null, held);
  };
  return kept.change(KEY, step).catch(() => null);
}

async function ask(path, body) {
  const sent = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, { ...sent, signal: AbortSignal.timeout(PATIENCE) });
  return { status: answer.status, json: await answer.json().catch(() => ({})) };
}

// Who is signed in, as a page of the server says; a page made on the device does not know. It is noted at once, for the
// page may be gone before it is kept.
const NOTED = "signed-in";
function noted(said = place()?.dataset.account) {
  try {
    if (said !== undefined) localStorage.setItem(NOTED, said);
    return localStorage.getItem(NOTED) ?? undefined;
  } catch {
    return said; // nothing can be noted here
  }
}

async function greet() {
  const said = noted();
  if (said === undefined) return;
  if (said !== (await load()).account) await change((_, held) => (held.account = said));
  kept.forget(NOTED);
}

const signedOut = () => change((_, held) => (held.account = ""));

// A request that is lost, or comes while the server has too much to do, is made again; until then what is left must do.
let again = 0;
async function fill([wait, ...waits] = LOOKS) {
  clearTimeout(again);
  if (!(await load()).account || !navigator.onLine) return;
  const { status, json } = await ask("/practice/seeds").catch(() => ({ status: Infinity }));
  if (status === 401) await signedOut();
  if (status === 200 && json?.seeds) await stock(json);
  if (status >= 500 && wait) again = setTimeout(() => fillOnce(waits), wait * 1000);
}

const stock = ({ account, seeds }) =>
  change((_, held) => {
    held.account = account;
    (held.of[account] ??= blank()).seeds.push(...seeds);
  });

function take() {
  return change((own) => {
    if (!own) return null;
    const now = new Date().toISOString();
    own.seeds = own.seeds.filter(({ until }) => until > now);
    const found = own.seeds.shift();
    if (!found) return null;
    own.given = [...own.given.filter(({ until }) => until > now), found];
    return found.seed;
  });
}

let filling = null;
const fillOnce = (waits) => (filling ??= fill(waits).finally(() => (filling = null)));

// Another match begins: what is said of the last one is said no more.
function begun() {
  match += 1;
  waiting = null;
  write("", "");
  return null;
}

async function seed() {
  begun();
  await greet();
  const me = await load();
  if (!me.account) return null;
  const left = me.of[me.account]?.seeds.length ?? 0;
  if (left === 0) await Promise.race([fillOnce(), pause(IMPATIENCE)]);
  const found = await take();
  if (left <= ENOUGH) fillOnce();
  return found;
}

export async function seeded(request, counts) {
  const found = counts ? await seed() : begun();
  return found === null ? request : { ...request, seed: found };
}

export async function finished(record, helped) {
  const of = (each) => each.seed === record.seed;
  // Whose seed it is: who plays on may have been signed out meanwhile.
  const owner = await change((_, held) => {
    const [id, own] = Object.entries(held.of).find(([, { given, queue }]) => [...given, ...queue.map((each) => each.record)].some(of)) ?? [];
    if (own && !helped && !own.queue.some((each) => of(each.record))) own.queue.push({ record });
    return id;
  });
  if (!owner) return null;
  if (helped) return tell({ status: "helped", text: place()?.dataset.helped ?? "" });
  await restore();
  if (answers.has(record.seed)) return verdict(answers.get(record.seed));
  const held = await load();
  if (!held.of[owner].queue.some((each) => of(each.record))) return null; // another tab has sent it
  waiting = record.seed;
  const status = held.account === owner ? "waiting" : "away";
  return tell({ status, text: place()?.dataset[status] ?? "" });
}

// Whether an answer is the server's last word on a record; a proxy's before it, or a page to sign in to a network, is
// none.
const judged = ({ status, json }) => (status < 300 ? Boolean(json?.status) : status === 422 && Boolean(json?.error?.code));

// Sends the queue, oldest first.
async function restore() {
  await greet();
  const send = async () => {
    const { account, of } = await load();
    for (const { record } of of[account]?.queue ?? []) {
      let answer;
      try {
        answer = await ask("/practice/results", { record, helped: false });
      } catch {
        break;
      }
      if (answer.status === 401) await signedOut();
      if (answer.status >= 500 || [401, 408, 429].includes(answer.status)) break;
      if (!judged(answer)) continue;
      answers.set(record.seed, answer);
      await change((_, held) => held.of[account] && drop(held.of[account], record.seed));
    }
  };
  // One tab at a time; another one's turn finds nothing left to send.
  await (navigator.locks ? navigator.locks.request(`${KEY}-sending`, send) : send());
}

function drop(own, seed) {
  own.queue = own.queue.filter(({ record }) => record.seed !== seed);
  own.given = own.given.filter((each) => each.seed !== seed);
}

// Shows what the server says, looking again until it has played the match. What comes once the next match is under way
// is not shown any more: it is on the account's page.
async function verdict({ status, json }) {
  const of = match;
  const show = (said) => (of === match ? tell(said) : said);
  let told = status < 300 ? json : { status: "refused", text: json.text ?? `${place()?.dataset.refused ?? ""} (${json.error?.code ?? status})` };
  show(told);
  for (const wait of LOOKS) {
    if (told.status !== "pending") return show(told);
    await pause(wait * 1000);
    try {
      const answer = await ask(`/practice/results/${told.id}`);
      if (answer.status === 200) told = answer.json;
    } catch {
      // looked up again in a moment
    }
  }
  return show(told.status === "pending" ? { ...told, text: place()?.dataset.later ?? told.text } : told);
}

function tell(told) {
  write(told.text, told.status);
  return told;
}

function write(text, status) {
  const spot = place();
  if (!spot) return;
  spot.textContent = text;
  spot.dataset.status = status;
  spot.hidden = !text;
}

async function refresh() {
  await restore();
  if (answers.has(waiting)) {
    verdict(answers.get(waiting));
    waiting = null;
  }
  const { account, of } = await load();
  if (account && (of[account]?.seeds.length ?? 0) <= ENOUGH) fillOnce();
}

addEventListener("online", refresh);
refresh();
