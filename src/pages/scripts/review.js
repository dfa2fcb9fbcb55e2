// Makes a review handier: a click puts a pin, a slider compares, a dialog zooms. The page works without it.
import "./local-times.js";

const across = document.querySelector("input[name=across]");
const down = document.querySelector("input[name=down]");
const picture = document.querySelector("[data-pointing]");
const svgNamespace = "http://www.w3.org/2000/svg";

for (const shown of document.querySelectorAll("[data-with-script]")) shown.hidden = false;

if (picture && across && down) {
  const pins = picture.querySelector(".pins");
  const draft = document.createElementNS(svgNamespace, "svg");
  draft.setAttribute("class", "draft");
  draft.setAttribute("overflow", "visible");
  const circle = document.createElementNS(svgNamespace, "circle");
  circle.setAttribute("r", "11");
  draft.append(circle);

  const show = () => {
    const isPlaced = across.value !== "" && down.value !== "" && across.validity.valid && down.validity.valid;
    if (!isPlaced) return draft.remove();
    draft.setAttribute("x", `${across.value}%`);
    draft.setAttribute("y", `${down.value}%`);
    pins.append(draft);
  };

  picture.classList.add("pointing");
  picture.addEventListener("click", (event) => {
    if (event.target.closest(".pins a")) return;
    event.preventDefault();
    const { left, top, width, height } = picture.getBoundingClientRect();
    const share = (distance, whole) =>
      String(Math.round(Math.min(Math.max(distance / whole, 0), 1) * 1000) / 10);
    across.value = share(event.clientX - left, width);
    down.value = share(event.clientY - top, height);
    show();
    document.querySelector("textarea[name=body]").focus();
  });
  for (const input of [across, down]) input.addEventListener("input", show);
  show();
}

/** The full size in a dialog, in steps from the width of the window to four times the picture's own. */
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

/** Two versions, one over the other, and how much of each is seen. */
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

for (const printing of document.querySelectorAll("[data-print]")) {
  printing.hidden = false;
  printing.addEventListener("click", () => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    print();
  });
}

/** Checks a proof in the browser, with the published keys; where it cannot, the form is sent. */
const checking = document.querySelector("form[data-verify]");
if (checking) {
  const proof = checking.querySelector("textarea");
  for (const name of ["dragover", "drop"]) proof.addEventListener(name, (event) => event.preventDefault());
  proof.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (file) proof.value = await file.text();
  });
  checking.addEventListener("submit", (event) => {
    event.preventDefault();
    judge(proof.value, checking.querySelector("input[type=file]").files[0]).catch(() => checking.submit());
  });
}

async function judge(text, image) {
  const [head = "", body = "", signature = ""] = text.replaceAll(/\s/g, "").split(".");
  const { keys } = await (await fetch("/.well-known/jwks.json")).json();
  const bytesOf = (part) =>
    Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const read = (part) => JSON.parse(new TextDecoder().decode(bytesOf(part)));
  let facts = null;
  try {
    const jwk = keys.find(({ kid }) => kid === read(head).kid);
    if (jwk) {
      const key = await crypto.subtle.importKey("jwk", { ...jwk, alg: undefined }, "Ed25519", false, [
        "verify",
      ]);
      const signed = new TextEncoder().encode(`${head}.${body}`);
      if (await crypto.subtle.verify("Ed25519", key, bytesOf(signature), signed)) facts = read(body);
    }
  } catch (error) {
    // A browser without Ed25519 lets the service judge; what is no proof is none.
    if (error.name === "NotSupportedError") throw error;
  }
  const hash = facts && image ? await sha256(image) : null;
  tell(facts, hash);
}

async function sha256(file) {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function tell(facts, hash) {
  const words = !facts
    ? ["This proof was changed or is not ours. Ask for the original file."]
    : [
        `${facts.signer_name} accepted version ${facts.version_number} of ${facts.title} for ${facts.workspace} on ` +
          `${facts.signed_off_at.slice(0, 10)}, ${facts.signed_off_at.slice(11, 16)} UTC.`,
        ...(hash === null ? [] : [aboutImage(facts.asset_sha256, hash)]),
      ];
  const note = document.createElement("div");
  note.className = `note ${!facts ? "bad" : hash !== null && facts.asset_sha256 !== hash ? "warn" : "good"}`;
  note.setAttribute("role", facts ? "status" : "alert");
  const content = document.createElement("div");
  const heading = document.createElement("h2");
  heading.textContent = facts ? "Genuine and unchanged" : "Not genuine";
  content.append(
    heading,
    ...words.map((text) => Object.assign(document.createElement("p"), { textContent: text })),
  );
  note.append(content);
  const verdict = document.querySelector("[data-verdict]");
  verdict.replaceChildren(note);
  verdict.focus();
}

const aboutImage = (signed, given) => {
  if (!signed)
    return "This proof does not say which image was signed off, so the image could not be checked.";
  return signed === given
    ? "The image is the one that was signed off, to the last byte."
    : "The image is not the one that was signed off.";
};
