window.SwaggerUIBundle({
  url: "/api-v1/openapi.json",
  dom_id: "#document",
  deepLinking: true,
  validatorUrl: null,
});
