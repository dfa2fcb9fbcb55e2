/**
 * The keys that stand in wrangler.toml are public: they are good for a service that only this machine reaches. Each
 * can be told by its text (`npm start` and the tests' own ones as well).
 */
const marks = {
  GATEWAY_PUBLIC_KEY: "pk_local_",
  CURSOR_KEY: "local-development-",
  STRIPE_WEBHOOK_SECRET: "whsec_local_",
  /** `local-development-` in base64. */
  WEBHOOK_SECRET_KEY: "bG9jYWwtZGV2ZWxvcG1lbnQt",
  SIGN_OFF_KEYS: '"kid":"local"',
} as const;

export type KeysOfService = Readonly<Record<keyof typeof marks, string>>;

/** Every request asks; the keys stay as they are while an isolate lives. */
const known = new WeakMap<KeysOfService, string[]>();

/** The names of the keys that are those of development. */
export function developmentKeysIn(env: KeysOfService): string[] {
  const before = known.get(env);
  if (before) return before;
  const names = (Object.keys(marks) as (keyof typeof marks)[]).filter((name) =>
    env[name].includes(marks[name]),
  );
  known.set(env, names);
  return names;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = (address: string): boolean => loopback.test(new URL(address).hostname);
