// Contents, search and authorization stand beside what Swagger UI shows; all of it is served from here.
const byId = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const shade = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", shade);
shade();

const wide = matchMedia("(min-width: 64rem)");
const unfold = () => {
  byId("navigation").open = wide.matches;
};
wide.addEventListener("change", unfold);
unfold();

/** An operation is found by all of the words, a heading while one of its operations is. */
byId("search").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of document.querySelectorAll("nav li"))
    item.hidden = !words.every((word) => item.dataset.words.includes(word));
  for (const list of document.querySelectorAll("nav ul")) {
    const isEmpty = !list.querySelector("li:not([hidden])");
    list.hidden = isEmpty;
    list.previousElementSibling.hidden = isEmpty;
  }
  byId("none").textContent = document.querySelector("nav li:not([hidden])") ? "" : "Nothing was found";
});

/** Optional parameters begin empty: a try of a list asks for the list. The others name records that are there. */
function prepared(document, ids) {
  const named = (name, path) => ids[name === "id" ? (path.split("/")[2] ?? "") : name];
  for (const [path, methods] of Object.entries(document.paths))
    for (const { parameters = [], requestBody } of Object.values(methods)) {
      for (const parameter of parameters.filter((one) => one.schema)) {
        if (parameter.required) parameter.example = named(parameter.name, path) ?? parameter.example;
        else {
          delete parameter.example;
          delete parameter.schema.example;
        }
      }
      for (const { value } of Object.values(requestBody?.content["application/json"]?.examples ?? {}))
        for (const name of Object.keys(value)) value[name] = ids[name] ?? value[name];
    }
  return document;
}

/** Ids of this workspace, by what parameters and fields are called; what the token may not read stays as it is. */
async function findIds(headers) {
  const first = async (list) => {
    const answer = await fetch(`/api-v1/${list}`, { headers });
    return answer.ok ? (await answer.json()).data[0] : undefined;
  };
  const lists = ["clients", "projects", "time-entries", "invoices", "deliverables?review_state=in_review"];
  const found = await Promise.all(
    lists.map((list) => first(`${list}${list.includes("?") ? "&" : "?"}limit=1`)),
  );
  const [client, project, entry, invoice, deliverable] = found;
  const ids = {
    clients: client?.id,
    projects: project?.id,
    "time-entries": entry?.id,
    invoices: invoice?.id,
    deliverables: deliverable?.id,
    client_id: project?.client_id ?? client?.id,
    project_id: project?.id,
    n: deliverable?.version_number,
  };
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined));
}

async function start() {
  const text = await (await fetch("/api-v1/openapi.json")).text();
  const ui = window.SwaggerUIBundle({
    spec: prepared(JSON.parse(text), {}),
    dom_id: "#document",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    // Every try of a write is a new piece of work.
    requestInterceptor(request) {
      if (request.headers?.["Idempotency-Key"]) request.headers["Idempotency-Key"] = crypto.randomUUID();
      return request;
    },
    onComplete: () =>
      setTimeout(() => {
        mark();
        open();
      }),
  });
  // Swagger UI's own deep links are links within buttons, which no screen reader can use.
  const open = () => {
    const [, tag, id] = decodeURIComponent(location.hash).split("/");
    if (!id) return;
    ui.layoutActions.show(["operations-tag", tag], true);
    ui.layoutActions.show(["operations", tag, id], true);
    setTimeout(() => byId(`operations-${tag.replaceAll(" ", "_")}-${id}`)?.scrollIntoView());
  };
  addEventListener("hashchange", open);
  byId("authorization").addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const { gatewayKey, token } = Object.fromEntries(new FormData(submitted.target));
    ui.preauthorizeApiKey("gatewayKey", gatewayKey.trim());
    ui.preauthorizeApiKey("token", token.trim());
    const headers = { apikey: gatewayKey.trim(), authorization: `Bearer ${token.trim()}` };
    const told = submitted.target.querySelector("output");
    const { ok, status } = await fetch("/api-v1/token", { headers });
    told.textContent = ok ? "Authorized; try-out has ids of this workspace" : `Refused: ${status}`;
    if (ok) ui.specActions.updateJsonSpec(prepared(JSON.parse(text), await findIds(headers)));
  });
}

/** Gives the chapters the addresses that the contents link to. */
function mark() {
  for (const heading of document.querySelectorAll(".info .description h2"))
    heading.id = heading.textContent.toLowerCase().replaceAll(/\W+/g, "-");
  document.querySelector(".models")?.setAttribute("id", "schemas");
  if (!location.hash.startsWith("#/")) byId(location.hash.slice(1))?.scrollIntoView();
}

/** Swagger UI names some of its controls for the eye alone, and its code scrolls for the mouse alone. */
const names = { ".examples-select-element": "Example", ".body-param__text": "Request body" };
new MutationObserver(() => {
  for (const [selector, name] of Object.entries(names))
    for (const control of document.querySelectorAll(`${selector}:not([aria-label])`))
      control.ariaLabel = name;
  for (const code of document.querySelectorAll(".microlight:not([tabindex])")) code.tabIndex = 0;
}).observe(byId("document"), { childList: true, subtree: true });

byId("navigation").addEventListener("click", ({ target }) => {
  if (target.closest("a") && !wide.matches) byId("navigation").open = false;
});
start();
