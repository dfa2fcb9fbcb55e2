// Checks a proof in the browser, with the published keys; where it cannot, the form is sent.

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
    const { kid, typ } = read(head);
    const jwk = keys.find((key) => key.kid === kid);
    if (jwk && typ === "sign-off+jws") {
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
