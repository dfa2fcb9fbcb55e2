// The script for reviews: tap to set pins, a slider to compare versions, a dialog to zoom. The page also works without
// it.
import { showLocalTimes } from "./local-times.js";
import { setPins } from "./set-pins.js";

showLocalTimes();

/** Reports which version the client opened. A background page counts once it becomes visible. */
const opened = document.querySelector("[data-opened]")?.dataset.opened;
const sayOpened = () => {
  if (document.hidden) return;
  document.removeEventListener("visibilitychange", sayOpened);
  fetch(opened, { method: "POST", keepalive: true }).catch(() => {});
};
if (opened) {
  document.addEventListener("visibilitychange", sayOpened);
  sayOpened();
}

for (const shown of document.querySelectorAll("[data-with-script]")) shown.hidden = false;

setPins();

/** Shows the image in a dialog, zoomed in steps from the window's width to four times the full size. */
const fullSize = document.querySelector("[data-zoom]");
if (fullSize && "showModal" in HTMLDialogElement.prototype) {
  fullSize.addEventListener("click", (event) => {
    event.preventDefault();
    zoom(fullSize.href, fullSize.dataset.zoom);
  });
}

function zoom(address, name) {
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  dialog.setAttribute("aria-label", name);
  const [bar, frame] = [document.createElement("header"), document.createElement("div")];
  frame.tabIndex = 0;
  const image = new Image();
  image.alt = name;
  let scale = 0;
  const set = (next) => {
    scale = Math.min(Math.max(next, 0.1), 4);
    image.style.width = `${image.naturalWidth * scale}px`;
  };
  const fitting = () =>
    Math.min(frame.clientWidth / image.naturalWidth, frame.clientHeight / image.naturalHeight);
  const button = (text, press) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.className = "button quiet";
    made.addEventListener("click", press);
    return made;
  };
  bar.append(
    button("Zoom in", () => set(scale * 1.5)),
    button("Zoom out", () => set(scale / 1.5)),
    button("Fit", () => set(fitting())),
    button("Close", () => dialog.close()),
  );
  image.addEventListener("load", () => set(Math.min(fitting(), 1)));
  image.addEventListener("click", () => set(scale >= 1 ? fitting() : 1));
  image.src = address;
  frame.append(image);
  dialog.append(bar, frame);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Overlays two versions, and sets how much of each is visible. */
const compared = document.querySelector(".compare");
const slider = document.querySelector("[data-slider]");
const toggle = document.querySelector("[data-over]");
if (compared && slider && toggle) {
  const cut = () => compared.style.setProperty("--cut", `${slider.value}%`);
  slider.addEventListener("input", cut);
  toggle.addEventListener("click", () => {
    const isOver = compared.classList.toggle("over");
    toggle.setAttribute("aria-pressed", String(isOver));
    slider.closest("label").hidden = !isOver;
    cut();
  });
}

for (const form of document.querySelectorAll("[data-check-proof]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = `/verify#${form.elements.proof.value}`;
  });
}

for (const printing of document.querySelectorAll("[data-print]")) {
  printing.hidden = false;
  printing.addEventListener("click", () => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    print();
  });
}
