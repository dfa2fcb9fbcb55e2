// Shows changes without a reload, and submits each form only once. Every page also works without JavaScript.
const everyMs = 1000;
const timesAtMost = 120;

/** The live part of the page as last fetched. Other scripts may have changed its text since. */
let latest;

/** Fetches the page again as long as part of it is marked as waiting. */
async function look(times) {
  const shown = document.querySelector("[data-live]");
  if (shown?.dataset.live !== "waiting" || times === 0) return;
  latest ??= shown.innerHTML;
  try {
    const { page } = await read(location.href);
    const fresh = page.querySelector("[data-live]");
    if (fresh && fresh.innerHTML !== latest) {
      latest = fresh.innerHTML;
      shown.innerHTML = latest;
      shown.dataset.live = fresh.dataset.live;
      document.dispatchEvent(new Event("fresh"));
    }
  } catch {
    // The page stays readable, and the next fetch may succeed.
  }
  setTimeout(look, everyMs, times - 1);
}

/** Resubmits a form until its last step is done, and shows the progress. */
async function takeSteps(form) {
  form.querySelector("button").disabled = true;
  for (let page, url; ; ) {
    const body = new URLSearchParams(new FormData(form));
    ({ page, url } = await read(form.action, { method: "POST", body }));
    const next = page.querySelector("form[data-steps]");
    if (!next) return location.assign(url);
    form.innerHTML = next.innerHTML;
    form.querySelector("button").disabled = true;
  }
}

async function read(address, options = {}) {
  const answer = await fetch(address, { headers: { accept: "text/html" }, ...options });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return { url: answer.url, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("steps" in form.dataset)) return;
  event.preventDefault();
  // Submits the form normally to show the error.
  takeSteps(form).catch(() => form.submit());
});

/**
 * A second press does not resubmit a form that is being sent. In case the first submission never arrived, the form can
 * be sent again after this time.
 */
const onItsWayMs = 10_000;
const sentAt = new WeakMap();

document.addEventListener("submit", (event) => {
  if (event.timeStamp - (sentAt.get(event.target) ?? -onItsWayMs) < onItsWayMs) event.preventDefault();
  else sentAt.set(event.target, event.timeStamp);
});

setTimeout(look, everyMs, timesAtMost);
