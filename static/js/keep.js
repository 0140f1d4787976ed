// Loaded by save.js once a page has come to rest: what makes the app go on without a network.
//   the service worker with the engine (4 MB, once; not where the phone saves data), the match of this page in queue.js
//   and kept fresh, and this phone's own pages where the server does not answer (router.js).
import * as desk from "./desk.js";
import * as queue from "./queue.js";
import { take } from "./router.js";
import * as sync from "./sync.js";

const MOST = 50; // matches that only the server would miss
const id = desk.idOf(location.pathname);

async function learn() {
  if (!id) return;
  await sync.learn(id).catch(() => {});
  const record = await queue.get(id);
  if (record?.line[0]) location.replace(`${location.pathname}?here`); // a person has to say something about it
}

document.addEventListener("followed", learn);
document.addEventListener("newer", learn);
addEventListener("online", () => sync.all());
navigator.serviceWorker.register("/sw.js").catch(() => {});
navigator.serviceWorker.ready.then(take); // not before all that it needs is on the phone
const left = async () => (await queue.all()).filter(queue.waits).length;
const before = await left();
await sync.all();
if (location.pathname === "/" && (await left()) < before) location.reload(); // the list has more now
await learn();
if (id) navigator.storage?.persist?.();
for (const old of (await queue.all()).filter((record) => !queue.waits(record)).slice(MOST)) await queue.remove(old.id);
