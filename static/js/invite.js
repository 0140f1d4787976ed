// The link of the share page: to the phone's own share menu where there is one, copied otherwise.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-invite]");
  if (!button) return;
  const url = button.dataset.invite;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
    await navigator.clipboard.writeText(url);
    button.querySelector("span").textContent = button.dataset.done;
  } catch (error) {
    if (error.name !== "AbortError") prompt("", url); // no clipboard on plain http
  }
});
