// Verifies a proof in the browser with the published keys. If the browser can't, it submits the form instead.

const form = document.querySelector("form[data-verify]");
const proof = form.querySelector("textarea");

for (const name of ["dragover", "drop"]) proof.addEventListener(name, (event) => event.preventDefault());
proof.addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (file) proof.value = await file.text();
});
form.elements.proof_file.addEventListener("change", async ({ target }) => {
  if (target.files[0]) proof.value = await target.files[0].text();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  check(proof.value, form.elements.image.files[0]).catch(() => form.submit());
});

/** Verifies the proof in the URL of a certificate's link, `/verify#…`. */
function checkAddress() {
  const text = decodeURIComponent(location.hash.slice(1));
  if (text === "") return;
  proof.value = text;
  check(text).catch(() => form.submit());
}
window.addEventListener("hashchange", checkAddress);

async function check(text, image) {
  const parts = text.replaceAll(/\s/g, "").split(".");
  if (!isProof(parts)) return show("no_proof");
  const facts = await factsOf(parts);
  show(facts ? await outcomeOf(facts, image) : "changed", facts);
}

function isProof([head, ...rest]) {
  try {
    return rest.length === 2 && read(head).typ === "sign-off+jws";
  } catch {
    return false;
  }
}

/** Returns the proof's facts; null if it was changed or not signed with one of our keys. */
async function factsOf([head, body, signature]) {
  const { keys } = await (await fetch("/.well-known/jwks.json")).json();
  try {
    const { kid } = read(head);
    const jwk = keys.find((key) => key.kid === kid);
    if (!jwk) return null;
    const key = await crypto.subtle.importKey("jwk", { ...jwk, alg: undefined }, "Ed25519", false, [
      "verify",
    ]);
    const signed = new TextEncoder().encode(`${head}.${body}`);
    return (await crypto.subtle.verify("Ed25519", key, bytesOf(signature), signed)) ? read(body) : null;
  } catch (error) {
    // A browser without Ed25519 lets the service verify. Any other error means that the text isn't a proof.
    if (error.name === "NotSupportedError") throw error;
    return null;
  }
}

const bytesOf = (part) =>
  Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
const read = (part) => JSON.parse(new TextDecoder().decode(bytesOf(part)));

async function outcomeOf({ asset_sha256: signed }, image) {
  if (!image) return "none";
  if (!signed) return "unknown";
  const digest = await crypto.subtle.digest("SHA-256", await image.arrayBuffer());
  const given = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return given === signed ? "same" : "other";
}

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** The page has a template with the text of each outcome. */
function show(outcome, facts) {
  const note = document.getElementById(outcome).content.cloneNode(true);
  for (const place of note.querySelectorAll("[data-fact]")) {
    const fact = facts[place.dataset.fact];
    place.textContent = place.matches("time")
      ? `${date.format(new Date(fact))}, ${clock.format(new Date(fact))} UTC`
      : fact;
  }
  const verdict = document.querySelector("[data-verdict]");
  verdict.replaceChildren(note);
  verdict.focus();
  showPicture(facts);
}

/** The service returns the picture only to visitors who can open the review. For others, nothing loads. */
function showPicture(facts) {
  const place = document.querySelector("[data-picture]");
  place.replaceChildren();
  if (!facts?.asset_sha256) return;
  // A template's own document loads no images.
  const image = document.importNode(document.getElementById("picture").content.firstElementChild, true);
  image.addEventListener("load", () => place.replaceChildren(image));
  image.src = `/verify/${facts.deliverable_id}/image`;
}

checkAddress();
