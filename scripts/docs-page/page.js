// Every try of a write is a new piece of work.
function withFreshKey(request) {
  if (request.headers?.["Idempotency-Key"]) request.headers["Idempotency-Key"] = crypto.randomUUID();
  return request;
}

window.SwaggerUIBundle({
  url: "/api-v1/openapi.json",
  dom_id: "#document",
  deepLinking: true,
  filter: true,
  persistAuthorization: true,
  requestInterceptor: withFreshKey,
  validatorUrl: null,
});
