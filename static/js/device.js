// The engine on this phone: Python in a worker (worker.js), started when the page is idle and again when it breaks.
//   import * as device from "./device.js"
//   device.start()            boots it when the browser has nothing better to do, if it is not booted; where what it is
//                             made of did not come, again at the next call, the next step, or when the network is back
//   device.ready()            whether it answers at once
//   device.handle(request)    a step of scorekeeper/pages/practice.py, after the boot; throws where this phone cannot
// How far it is, is shown in [data-engine] (templates/practice/_engine.html).

import { able } from "./kept.js";

const BOOT_SILENCE = 90_000; // ms without a sign of life: without 'wasm-unsafe-eval' it would hang for good
const PATIENCE = 30_000; // ms for the list of what to load
const LONGEST_STEP = 60_000; // ms
const MOST_BOOTS = 3;
const BOOTED = "engine-booted"; // the engine that this browser has fetched before

let worker = null;
let booting = null; // resolves when the worker is ready; rejects where it never will be; null: to be tried
let isReady = false;
let boots = 0;
let where = null;
let last = 0;
const waiting = new Map();

// Why this browser cannot, in a word of templates/practice/_engine.html; nothing where it can.
export function unable() {
  if (!isSecureContext) return "insecure"; // plain http in a home network: no service worker, no locks
  const has = "WebAssembly" in globalThis && "indexedDB" in globalThis && "serviceWorker" in navigator;
  return has ? "" : "old"; // where workers take no modules, the boot fails and says so
}

export const ready = () => isReady;

export async function start() {
  const why = unable() || ((await able()) ? "" : "old");
  if (why) return show(why);
  const idle = globalThis.requestIdleCallback ?? ((job) => setTimeout(job, 200));
  idle(() => boot().catch(() => {}), { timeout: 2000 });
}

export async function handle(request) {
  await boot();
  return await ask({ ...request, home: where.home });
}

function boot() {
  booting ??= booted().catch((error) => {
    stop(error);
    const never = error.never || boots >= MOST_BOOTS;
    if (!never) booting = null;
    show(never ? "failed" : "");
    throw error;
  });
  return booting;
}

async function booted() {
  if (unable() || boots >= MOST_BOOTS) throw new Error("no engine here");
  const answer = await fetch("/runtime.json", { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(`no list of what to load: ${answer.status}`);
  where = await answer.json();
  if (!where.engine) throw Object.assign(new Error("no engine was built"), { never: true });
  boots += 1;
  show("boots", 0);
  await new Promise((resolve, reject) => {
    let silence = 0;
    const alive = () => {
      clearTimeout(silence);
      silence = setTimeout(() => reject(new Error("the engine does not start")), BOOT_SILENCE);
    };
    alive();
    // A name instead of a query: a script from a service worker's cache loses its query.
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module", name: "engine" });
    worker.onerror = (event) => reject(new Error(event.message || "the worker's script does not load"));
    worker.onmessage = ({ data }) => {
      alive();
      if (data.progress) show("boots", data.progress);
      if (data.ready || data.fatal) clearTimeout(silence);
      if (data.ready) resolve();
      if (data.fatal) reject(new Error(data.fatal));
    };
    worker.postMessage({ boot: where, count: localStorage.getItem(BOOTED) !== where.engine });
  });
  worker.onerror = (event) => again(new Error(event.message));
  worker.onmessage = ({ data }) => answered(data);
  isReady = true;
  try {
    localStorage.setItem(BOOTED, where.engine);
  } catch {
    // full: the bytes are counted again next time
  }
  show("runs");
  navigator.serviceWorker.ready.then(() => isReady && show("ready")); // all that it needs is kept now
}

function ask(request) {
  return new Promise((resolve, reject) => {
    const id = ++last;
    const timer = setTimeout(() => again(new Error("the engine does not answer")), LONGEST_STEP);
    waiting.set(id, { resolve, reject, timer });
    worker.postMessage({ id, request: JSON.stringify(request) });
  });
}

function answered({ id, answer, failed, fatal }) {
  const one = waiting.get(id);
  if (one) {
    waiting.delete(id);
    clearTimeout(one.timer);
    if (answer === undefined) one.reject(new Error(failed));
    else one.resolve(JSON.parse(answer));
  }
  if (fatal) again(new Error(fatal));
}

// A broken worker took nothing with it: the next one is as good.
export function again(error) {
  stop(error);
  booting = null;
  boot().catch(() => {});
}

function stop(error) {
  worker?.terminate();
  worker = null;
  isReady = false;
  for (const { reject, timer } of waiting.values()) {
    clearTimeout(timer);
    reject(error);
  }
  waiting.clear();
}

function show(state, progress) {
  const box = document.querySelector("[data-engine]");
  if (!box) return;
  box.dataset.engine = state;
  const bar = box.querySelector("progress");
  if (bar && progress !== undefined) bar.value = progress;
}

addEventListener("online", start);
if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("/sw.js").catch(() => {});
