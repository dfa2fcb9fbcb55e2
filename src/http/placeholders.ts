/** Placeholders in the documentation, replaced by the service's and the workspace's own values. */
export const placeholders = {
  serviceName: "Countersign",
  origin: "https://api.example.com",
  apikey: "YOUR_APIKEY",
  token: "YOUR_TOKEN",
} as const;
