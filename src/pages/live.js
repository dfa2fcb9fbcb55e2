// Shows how a delivery went without a reload: while its part of the page says that it is waiting, asks for the page
// again.
const everyMs = 1000;
const timesAtMost = 120;

async function look(times) {
  const shown = document.querySelector("[data-live]");
  if (shown?.dataset.live !== "waiting" || times === 0) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-live]");
    if (fresh && fresh.innerHTML !== shown.innerHTML) {
      shown.innerHTML = fresh.innerHTML;
      shown.dataset.live = fresh.dataset.live;
    }
  } catch {
    // The page as it is stays readable; the next look may succeed.
  }
  setTimeout(look, everyMs, times - 1);
}

setTimeout(look, everyMs, timesAtMost);
