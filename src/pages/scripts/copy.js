/** Each `data-copy` button copies the field or the code with that id, then confirms it. */
const saidMs = 2000;

export function offerCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const { value, textContent } = document.getElementById(button.dataset.copy);
  await navigator.clipboard.writeText(value ?? textContent);
  const text = button.lastChild;
  button.setAttribute("aria-live", "polite");
  text.data = "Copied";
  setTimeout(() => {
    text.data = "Copy";
  }, saidMs);
});
