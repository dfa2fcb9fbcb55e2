/**
 * Strings that mark development keys. The keys in wrangler.toml are public, so only a service that no other machine can
 * reach may use them. The keys that `npm start` and the tests create have the same markers.
 */
const marks = {
  GATEWAY_PUBLIC_KEY: "pk_local_",
  CURSOR_KEY: "local-development-",
  CODE_KEY: "local-development-",
  STRIPE_WEBHOOK_SECRET: "whsec_local_",
  /** `local-development-` in base64. */
  WEBHOOK_SECRET_KEY: "bG9jYWwtZGV2ZWxvcG1lbnQt",
  SIGN_OFF_KEYS: '"kid":"local"',
} as const;

export type KeysOfService = Readonly<Record<keyof typeof marks, string>>;

/** Returns the names of the variables that contain development keys. */
export const developmentKeysIn = (env: KeysOfService): string[] =>
  (Object.keys(marks) as (keyof typeof marks)[]).filter((name) => env[name].includes(marks[name]));
