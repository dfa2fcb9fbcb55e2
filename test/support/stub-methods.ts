import { env } from "cloudflare:workers";

/**
 * The binding is the stub of a remote service: its methods are created on access. Code that used one a few
 * times keeps getting such a method even after a spy was set. So `send` is set on the stub from the start, and
 * a spy replaces something that exists.
 */
if (!Object.hasOwn(env.EMAIL, "send")) {
  // Called unbound, because `bind` would be called on the remote.
  const { send } = env.EMAIL;
  env.EMAIL.send = (mail: EmailMessage | EmailMessageBuilder) => send(mail as EmailMessageBuilder);
}
