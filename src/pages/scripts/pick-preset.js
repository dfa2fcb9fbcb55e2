/** A preset checks its scopes in place. Following its link would reload the form and lose the typed values. */
document.addEventListener("click", (event) => {
  const preset = event.target.closest?.("[data-scopes]");
  if (!preset || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const scopes = preset.dataset.scopes.split(" ");
  for (const box of document.querySelectorAll("input[name=scopes]"))
    box.checked = !box.disabled && scopes.includes(box.value);
  for (const each of document.querySelectorAll("[data-scopes]"))
    each.ariaCurrent = each === preset ? "true" : null;
});
