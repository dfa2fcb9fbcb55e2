/** What the documentation writes where a service and a workspace have values of their own. */
export const placeholders = {
  origin: "https://api.example.com",
  apikey: "YOUR_APIKEY",
  token: "YOUR_TOKEN",
} as const;
