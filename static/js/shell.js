// The shell that sw.js shows where the server does not answer: the page of this address as this phone makes it.
document.documentElement.dataset.shell = "yes";
const { open, take } = await import("./router.js");
take();
open().catch((error) => {
  console.warn(error);
  document.getElementById("opening").hidden = true;
  document.getElementById("nothere").hidden = false;
});
