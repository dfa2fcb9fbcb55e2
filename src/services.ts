import type { Services } from "./http/services.ts";

/** The services of this Worker, made from its bindings. */
export const servicesOf = (env: Env): Services => ({
  db: env.DB,
  images: env.IMAGES,
  email: env.EMAIL,
  mailFrom: env.MAIL_FROM,
  applicationUrl: env.APPLICATION_URL,
  wakeWebhooks: async () => {},
});
