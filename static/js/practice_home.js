// Where a practice match is played: each step is asked for here. What it takes and gives is in
// scorekeeper/pages/practice.py. Rejects where nobody answers.
// On this phone once the engine is ready (device.js), by the server until then; where there is no network the step waits
// for the engine.
import * as device from "./device.js";

const PATIENCE = 20_000; // ms
const SOON = 3; // seconds: so long the server may ask to wait, and it is asked again by itself
const TRIES = 15;

device.start();

export async function step(asked) {
  const request = { language: document.documentElement.lang, ...asked };
  const server = () => sent(request).catch((error) => (device.unable() ? Promise.reject(error) : onDevice(request)));
  if (device.ready()) return onDevice(request).catch(server);
  device.start(); // again, if it failed
  return server();
}

// The server throws a seed for a match without one; here it is thrown here.
function onDevice(request) {
  const seeded = request.do === "start" && request.seed === undefined ? { ...request, seed: seed() } : request;
  return device.handle(seeded);
}

function seed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 18) * 2 ** 32 + low; // 50 bits
}

// Rejects with what the server says to the reader, if it does, under `said`.
async function sent(request, tries = TRIES) {
  const address = document.querySelector("[data-step]").dataset.step;
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(request), signal: AbortSignal.timeout(PATIENCE) });
  if (answer.status === 429) {
    const wait = Number(answer.headers.get("Retry-After") || Infinity);
    if (wait > SOON || !tries) throw Object.assign(new Error("429"), { said: (await answer.json().catch(() => ({}))).text });
    await new Promise((done) => setTimeout(done, wait * 1000));
    return sent(request, tries - 1);
  }
  if (!answer.ok && answer.status !== 422) throw new Error(String(answer.status));
  return answer.json();
}
