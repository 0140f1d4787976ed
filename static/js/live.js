// A round that is entered while it is played: every tap is sent at once and the answer is shown in place.
// Taps wait in a line and go one after another, each with a key of its own and the newest version, so that fast
// tapping loses nothing and a tap that is sent again counts once.
//
// live(root) takes over every form or button marked data-live inside root (a page part that is never swapped, such as
// document). data-live="last" is a tap that ends the round: no tap is taken behind it until it is answered.
// After #main was swapped, root receives the event "live". Open <details id> stay open, and inputs with an id inside
// [data-keep] stay as they are. #unsent (entry/_live.html) shows what could not be sent.
export function live(root) {
  const line = []; // taps not yet answered, oldest first
  let sending = false;
  let stuck = false; // the first one could not be sent: it waits for the network or the button

  const $ = (id) => document.getElementById(id);
  const field = (name) => $("main").querySelector(`[name=${name}]`)?.value ?? "";

  root.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    const marked = button?.closest("[data-live]") ?? form.closest("[data-live]");
    if (!marked || event.defaultPrevented) return;
    event.preventDefault();
    if (line.some((tap) => tap.last)) return; // the second tap of a double tap
    const body = new URLSearchParams(new FormData(form, button));
    body.set("key", newKey());
    line.push({ address: button?.formAction ?? form.action, body, last: marked.dataset.live === "last" });
    work();
  });

  async function work() {
    if (sending) return;
    sending = true;
    stuck = false;
    while (line.length && !stuck) {
      show();
      stuck = !(await send(line[0]));
    }
    sending = false;
    show();
  }

  // Whether the next one may follow. What the server refused is on its page then; what did not arrive stays.
  async function send(tap) {
    tap.body.set("version", field("version"));
    tap.body.set("csrf_token", field("csrf_token"));
    let answer, page;
    try {
      answer = await fetch(tap.address, { method: "POST", body: tap.body, keepalive: true });
      if (!answer.ok && answer.status !== 409 && answer.status !== 422) return false;
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return false;
    }
    line.shift();
    if (answer.ok && new URL(answer.url).pathname !== location.pathname) {
      line.length = 0; // only a tap that ends the round leads away, and none is taken behind it
      location.assign(answer.url);
      return true;
    }
    swap(page);
    return answer.ok;
  }

  function swap(page) {
    const old = $("main");
    const focus = old.contains(document.activeElement) && same(document.activeElement);
    for (const part of old.querySelectorAll("details[open][id]")) page.getElementById(part.id)?.setAttribute("open", "");
    for (const input of old.querySelectorAll("[data-keep] input[id]")) {
      const twin = page.getElementById(input.id);
      if (twin) twin.checked = input.checked;
    }
    old.replaceWith(page.getElementById("main"));
    document.querySelector(".toasts")?.replaceWith(page.querySelector(".toasts"));
    if (focus) ($("main").querySelector(focus) ?? $("main")).focus({ preventScroll: true });
    root.dispatchEvent(new CustomEvent("live"));
  }

  function show() {
    $("main").setAttribute("aria-busy", String(sending));
    const box = $("unsent");
    if (!box) return;
    box.hidden = !stuck || !line.length;
    box.querySelector("b").textContent = line.length;
  }

  root.addEventListener("click", (event) => {
    if (event.target.closest("#unsent [data-again]")) work();
    if (!event.target.closest("#unsent [data-drop]")) return;
    line.length = 0;
    show();
  });
  addEventListener("online", work);
  addEventListener("beforeunload", (event) => line.length && event.preventDefault());
}

// A way to find the element's twin on the next page.
function same(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  return element.name && element.value ? `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]` : "main";
}

// randomUUID is missing on plain http, which is how a phone reaches a computer at home.
function newKey() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
