// Loaded by save.js once a page has come to rest: what makes the app go on without a network.
//   the service worker with the engine (4 MB, once; not where the phone saves data), the match of this page in queue.js
//   and kept fresh, and this phone's own pages where the server does not answer, or not as fast (router.js).
import * as desk from "./desk.js";
import * as device from "./device.js";
import * as line from "./line.js";
import * as queue from "./queue.js";
import { take, tell } from "./router.js";
import * as sync from "./sync.js";

const MOST = 50; // matches that only the server would miss
const id = desk.idOf(location.pathname);
const shell = () => "shell" in document.documentElement.dataset;

const isRead = (record) => !record || line.allRead(record);

async function learn() {
  if (!id || shell()) return;
  if (isRead(await queue.get(id))) await sync.learn(id).catch(() => {});
  const record = await queue.get(id);
  const told = record?.refused || (record && line.stuck(record).length);
  if (!isRead(record) || (told && line.waits(record))) location.replace(`${location.pathname}?here`); // to be read, or told of
}

document.addEventListener("followed", learn);
document.addEventListener("newer", learn);
sync.listen(() => sync.away() || shell() || sync.all());
navigator.serviceWorker.register("/sw.js").catch(() => {});
navigator.serviceWorker.ready.then(take); // not before all that it needs is on the phone
const left = async () => (await queue.all()).filter(line.waits).length;
const before = await left();
await sync.all();
if (location.pathname === "/" && (await left()) < before) location.reload(); // the list has more now
if (location.pathname === "/") await tell();
await learn();
const entry = document.getElementById("entry");
if (entry && (await queue.get(id))?.here.writes) {
  device.start();
  await desk.kept(id); // the engine runs: what was typed meanwhile is read here from now on
  if (entry.isConnected) await fetch(entry.dataset.preview, { method: "POST", body: new URLSearchParams(new FormData(entry)) });
}
for (const old of (await queue.all()).filter((record) => !line.waits(record)).slice(MOST)) await queue.remove(old.id);
