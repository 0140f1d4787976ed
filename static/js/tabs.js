// One match, several tabs of one browser: only one of them steps at a time, and the others hear of it. A tab compares
// what is kept with what it shows before each step, so that no move is written over another.
const NAME = "practice";
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;

export const alone = (job) => (navigator.locks ? navigator.locks.request(NAME, job) : job());
export const tell = () => channel?.postMessage("moved");
export const listen = (job) => channel?.addEventListener("message", job);
