// What the scripts of a page listen to on the document and the window ends with the page, also where the next one is
// put into the same document (router.js). Loaded before all other scripts.
//   leave()                         the page goes
//   always(target, type, job, …)    what listens as long as the document is there
const add = EventTarget.prototype.addEventListener;
export const always = (target, ...asked) => add.apply(target, asked);

let page = new AbortController();
for (const target of [globalThis, document])
  target.addEventListener = (type, job, options) => {
    const chosen = typeof options === "object" ? options : { capture: Boolean(options) };
    add.call(target, type, job, { signal: page.signal, ...chosen });
  };

export function leave() {
  dispatchEvent(new Event("pagehide"));
  page.abort();
  page = new AbortController();
}
