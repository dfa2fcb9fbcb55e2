import { env } from "cloudflare:workers";

/**
 * The binding is the stub of a remote service, which creates methods on access. Code that has used a method a few times
 * keeps getting it, even after a spy was set. Therefore `send` is defined on the stub from the start, so that a spy
 * replaces an existing property.
 */
if (!Object.hasOwn(env.EMAIL, "send")) {
  // Not bound, because `bind` would be called on the remote service.
  const { send } = env.EMAIL;
  env.EMAIL.send = (mail: EmailMessage | EmailMessageBuilder) => send(mail as EmailMessageBuilder);
}
