import { env } from "cloudflare:workers";

/**
 * The binding is a stub for a remote service and creates its methods on access. Code that has called a method a few
 * times keeps its cached version, even after a spy is set. Defining `send` on the stub from the start gives spies an
 * existing property to replace.
 */
if (!Object.hasOwn(env.EMAIL, "send")) {
  // Not bound, because `bind` would be called on the remote service.
  const { send } = env.EMAIL;
  env.EMAIL.send = (mail: EmailMessage | EmailMessageBuilder) => send(mail as EmailMessageBuilder);
}
