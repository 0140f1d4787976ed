// The score sheet as a PNG: handed to the phone's share menu where there is one, downloaded otherwise.
const WIDTH = 1080;

async function picture(address) {
  const source = await (await fetch(address)).text();
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

async function share(link) {
  const file = new File([await picture(link.href)], "score.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] });
  const save = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  save.click();
  setTimeout(() => URL.revokeObjectURL(save.href), 1000);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-share=image]");
  if (!link) return;
  event.preventDefault();
  share(link).catch((error) => error.name === "AbortError" || location.assign(link.href)); // the SVG itself, then
});
