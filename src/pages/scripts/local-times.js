/** Shows times in the reader's time zone. Tooltips keep the time in UTC. */
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

export function showLocalTimes() {
  for (const time of document.querySelectorAll("time[data-local]")) {
    const date = new Date(time.dateTime);
    const isThisYear = date.getFullYear() === new Date().getFullYear();
    const said = time.dataset.local === "clock" ? "" : `${(isThisYear ? day : dayOfYear).format(date)}, `;
    time.textContent = said + clock.format(date);
  }
}
