/** The placeholders in the documentation for a service's and a workspace's own values. */
export const placeholders = {
  serviceName: "Countersign",
  origin: "https://api.example.com",
  apikey: "YOUR_APIKEY",
  token: "YOUR_TOKEN",
} as const;
