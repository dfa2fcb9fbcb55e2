/** Adds search, copy buttons and forms to try calls. All pages can be read without JavaScript. */
import { offerCopies } from "../../src/pages/scripts/copy.js";

const byId = (id) => document.getElementById(id);
const element = (name, text, properties = {}) =>
  Object.assign(document.createElement(name), { textContent: text }, properties);

offerCopies();
rememberLanguage();
startSearch();
const credentials = knownCredentials();
fillExamples(credentials);
startCredentials();
for (const form of document.querySelectorAll(".try-it")) startTry(form);

/** Remembers the selected language across pages. */
function rememberLanguage() {
  const key = "language";
  const chosen = localStorage.getItem(key);
  for (const radio of document.querySelectorAll(".languages input"))
    if (radio.value === chosen) radio.checked = true;
  document.addEventListener("change", ({ target }) => {
    if (target.closest(".languages")) localStorage.setItem(key, target.value);
  });
}

/** A chapter matches if it contains every word. Matches in the title rank first. */
function startSearch() {
  const form = byId("search");
  if (!form) return;
  form.hidden = false;
  const input = form.querySelector("input");
  const found = byId("found");
  const status = form.querySelector("[role=status]");
  const key = navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K";
  if (matchMedia("(hover: hover)").matches) input.placeholder = `Search (${key})`;
  let chapters;
  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    chapters ??= fetch("/docs/search.json").then((answer) => answer.json());
    const all = await chapters;
    const matching =
      words.length > 0 ? all.filter((chapter) => words.every((word) => has(chapter, word))) : [];
    const inTitle = ({ title }) => words.filter((word) => title.toLowerCase().includes(word)).length;
    matching.sort((one, other) => inTitle(other) - inTitle(one));
    const links = matching.slice(0, 12).map((chapter) => resultOf(chapter, words));
    const nothing = words.length > 0 ? [element("p", "No results")] : [];
    found.replaceChildren(...(links.length > 0 ? links : nothing));
    status.textContent = words.length > 0 ? `${matching.length} found` : "";
  };
  const close = () => found.replaceChildren();
  input.addEventListener("input", show);
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    found.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (pressed) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed.key];
    if (!step) return;
    pressed.preventDefault();
    const stops = [input, ...found.querySelectorAll("a")];
    stops[stops.indexOf(document.activeElement) + step]?.focus();
  });
  found.addEventListener("click", close);
  document.addEventListener("pointerdown", ({ target }) => {
    if (!form.contains(target)) close();
  });
  document.addEventListener("keydown", (pressed) => {
    if (pressed.key === "Escape" && found.childElementCount > 0) {
      close();
      input.focus();
    }
    const isShortcut = pressed.key === "k" && (pressed.ctrlKey || pressed.metaKey);
    if (isShortcut || (pressed.key === "/" && !pressed.target.closest("input, textarea"))) {
      pressed.preventDefault();
      input.select();
    }
  });
}

const has = ({ title, text }, word) => `${title} ${text}`.toLowerCase().includes(word);

const shownCharacters = 160;

/** A chapter's title, with an excerpt around the matching words. */
function resultOf({ address, title, text }, words) {
  const link = element("a", "", { href: address });
  link.append(element("strong", title), element("span", ""));
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1);
  const before = 40;
  const start = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - before);
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1;
  const ends =
    text.length > from + shownCharacters ? text.lastIndexOf(" ", from + shownCharacters) : text.length;
  const shown = text.slice(from, ends);
  const pattern = new RegExp(`(${words.map((word) => escaped(word)).join("|")})`, "i");
  const parts = shown.split(pattern).map((part, index) => (index % 2 === 1 ? element("mark", part) : part));
  link.lastChild.append(from === 0 ? "" : "… ", ...parts, ends === text.length ? "" : " …");
  return link;
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The credentials entered in this tab, or provided in the page by a local service. */
function knownCredentials() {
  const form = byId("credentials");
  const given = form
    ? Object.fromEntries(new FormData(form))
    : (document.querySelector(".try-it")?.dataset ?? {});
  const kept = JSON.parse(sessionStorage.getItem("credentials") ?? "{}");
  const placeholder = /^YOUR_/;
  const known = {};
  for (const name of ["apikey", "token"]) {
    const value = kept[name] ?? given[name] ?? "";
    if (value && !placeholder.test(value)) known[name] = value;
  }
  if (known.apikey && known.token) sessionStorage.setItem("credentials", JSON.stringify(known));
  return known;
}

function fillExamples({ apikey, token }) {
  if (!apikey || !token) return;
  for (const code of document.querySelectorAll("pre code")) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      texts.currentNode.data = texts.currentNode.data
        .replaceAll("YOUR_APIKEY", apikey)
        .replaceAll("YOUR_TOKEN", token);
  }
}

function headersOf({ apikey, token }) {
  return { apikey, authorization: `Bearer ${token}` };
}

function startCredentials() {
  const form = byId("credentials");
  if (!form) return;
  form.hidden = false;
  for (const input of form.querySelectorAll("input"))
    if (/^YOUR_/.test(input.value)) input.value = credentials[input.name] ?? "";
  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const entries = [...new FormData(form)].map(([name, value]) => [name, value.trim()]);
    const entered = Object.fromEntries(entries);
    const answer = await fetch("/api-v1/token", { headers: headersOf(entered) });
    const body = await answer.json();
    const said = form.querySelector("[role=status]");
    if (!answer.ok) {
      said.textContent = `Refused with ${answer.status}: ${body.error}`;
      return;
    }
    sessionStorage.setItem("credentials", JSON.stringify(entered));
    sessionStorage.removeItem("ids");
    fillExamples(entered);
    said.textContent = `This is ${body.organization.name}. Every example has your token now.`;
  });
}

/** The ids of the workspace's records that the token may read, by parameter and field name. */
async function idsOf(headers) {
  const kept = sessionStorage.getItem("ids");
  if (kept) return JSON.parse(kept);
  const first = async (list) => {
    const answer = await fetch(`/api-v1/${list}`, { headers });
    return answer.ok ? (await answer.json()).data[0] : undefined;
  };
  const inState = (state) => `deliverables?review_state=${state}`;
  const lists = [
    "clients",
    "projects",
    "time-entries",
    "invoices",
    inState("in_review"),
    inState("approved"),
  ];
  const [client, project, entry, invoice, deliverable, approved] = await Promise.all(
    lists.map((list) => first(`${list}${list.includes("?") ? "&" : "?"}limit=1`)),
  );
  const ids = {
    clients: client?.id,
    projects: project?.id,
    "time-entries": entry?.id,
    invoices: invoice?.id,
    deliverables: deliverable?.id,
    approved: approved?.id,
    client_id: project?.client_id ?? client?.id,
    project_id: project?.id,
    n: deliverable?.version_number,
  };
  sessionStorage.setItem("ids", JSON.stringify(ids));
  return ids;
}

function startTry(form) {
  const { method, path } = form.dataset;
  if (!credentials.apikey || !credentials.token) {
    const link = element("a", "your token", { href: "/docs/first-call#try-it-with-your-token" });
    form.querySelector("[data-who]").append("Enter ", link, " to send this call from here.");
    form.querySelector(".sending").hidden = true;
  } else prepareTry(form, method, path);
  form.hidden = false;
  const place = element("li", "");
  place.append(element("a", "Try it", { href: "#try-it" }));
  document.querySelector(".jumps ul").append(place);
  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const status = form.querySelector("[role=status]");
    status.textContent = "Sending…";
    await send(form, method, path, status).catch(() => {
      status.textContent = "No response: check your connection";
    });
    form.querySelector(".sending").scrollIntoView({ block: "nearest" });
  });
}

async function prepareTry(form, method, path) {
  const ids = await idsOf(headersOf(credentials));
  const record = path.endsWith("/sign-off") ? "approved" : (path.split("/")[2] ?? "");
  for (const input of form.querySelectorAll("input[data-in=path]"))
    input.value = ids[input.name === "id" ? record : input.name] ?? input.value;
  const body = form.elements.namedItem("body");
  if (body) {
    const value = JSON.parse(body.value);
    for (const name of Object.keys(value)) value[name] = ids[name] ?? value[name];
    body.value = JSON.stringify(value, null, 2);
  }
  const write = method === "POST" ? " Each send is a new write, with its own key." : "";
  form.querySelector("[data-who]").textContent = `With your token, and ids of your workspace.${write}`;
}

async function send(form, method, path, status) {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, value, dataset } of form.querySelectorAll("input")) {
    if (dataset.in === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(name, value);
  }
  const body = form.elements.namedItem("body")?.value;
  const headers = headersOf(JSON.parse(sessionStorage.getItem("credentials") ?? "{}"));
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method === "POST") headers["idempotency-key"] = crypto.randomUUID();
  const answer = await fetch(`${address}${query.size > 0 ? `?${query}` : ""}`, { method, headers, body });
  const isText = /json|text/.test(answer.headers.get("content-type") ?? "");
  const text = isText ? await answer.text() : `${(await answer.blob()).size} bytes`;
  status.textContent = `${answer.status} ${answer.statusText}`;
  status.className = answer.ok ? "good" : "bad";
  const shown = form.querySelector("figure");
  shown.hidden = false;
  shown.querySelector("figcaption").textContent = `Request ${answer.headers.get("x-request-id")}`;
  shown.querySelector("code").textContent = isText ? pretty(text) : text;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
