// Looks up the ids that this request needs, unless an earlier request already did. Runs in Postman.
const base = pm.variables.replaceIn("{{url}}");
const header = {
  apikey: pm.variables.replaceIn("{{apikey}}"),
  authorization: pm.variables.replaceIn("Bearer {{token}}"),
  "content-type": "application/json",
};
const kept = pm.collectionVariables;

function list(path, use) {
  pm.sendRequest({ url: `${base}/api-v1/${path}`, header }, (error, response) => {
    if (!error && response.code === 200) use(response.json().data);
  });
}

// A client with an e-mail address, and one of their projects.
const finders = {
  client_id: (then) =>
    list("clients?limit=200", (clients) => {
      const found = clients.find(
        ({ email, is_sample, status }) => email && !is_sample && status === "active",
      );
      keep("client_id", found, then);
    }),
  project_id: (then) =>
    find("client_id", () =>
      list("projects?limit=200", (projects) => {
        keep(
          "project_id",
          projects.find(({ client_id }) => client_id === kept.get("client_id")),
          then,
        );
      }),
    ),
  time_entry_id: (then) => list("time-entries?limit=1", ([entry]) => keep("time_entry_id", entry, then)),
  invoice_id: (then) => list("invoices?limit=1", ([invoice]) => keep("invoice_id", invoice, then)),
  signed_off_deliverable_id: (then) =>
    list("deliverables?limit=200", (deliverables) => {
      const found = deliverables.find(({ current_state }) => current_state === "signed_off");
      keep("signed_off_deliverable_id", found, then);
    }),
  // Creates a separate deliverable with an image, so that versions and e-mails don't affect existing work.
  deliverable_id: (then) =>
    find("client_id", () => {
      const title = "Made by the API collection";
      const image_base64 =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
      const raw = JSON.stringify({ title, client_id: kept.get("client_id"), image_base64 });
      const request = {
        url: `${base}/api-v1/deliverables`,
        method: "POST",
        header: { ...header, "idempotency-key": pm.variables.replaceIn("{{$guid}}") },
        body: { mode: "raw", raw },
      };
      pm.sendRequest(request, (error, response) =>
        keep("deliverable_id", error ? undefined : response.json(), then),
      );
    }),
};

function keep(name, found, then) {
  if (found?.id) kept.set(name, found.id);
  then();
}

function find(name, then) {
  if (kept.get(name)) then();
  else finders[name](then);
}

const text = JSON.stringify(pm.request);
for (const name of Object.keys(finders)) if (text.includes(`{{${name}}}`)) find(name, () => {});
