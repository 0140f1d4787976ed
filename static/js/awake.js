// Asks the phone to keep its screen on, again each time the page comes back into view.
export function stayAwake() {
  if (!navigator.wakeLock) return;
  let lock = null;
  const ask = async () => {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      document.documentElement.dataset.awake = "yes";
    } catch {
      // refused (low battery, say): the phone decides
    }
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
