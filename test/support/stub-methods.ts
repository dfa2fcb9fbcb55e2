import { env } from "cloudflare:workers";

/**
 * The binding is the stub of a remote service: its methods are made as they are asked for. Code that asked a few
 * times goes on to get such a method although a spy has been set meanwhile. So `send` stands on the stub from the
 * start, and a spy takes the place of something that was there.
 */
if (!Object.hasOwn(env.EMAIL, "send")) {
  // Taken as it is: `bind` would be asked of the remote.
  const { send } = env.EMAIL;
  env.EMAIL.send = (mail: EmailMessage | EmailMessageBuilder) => send(mail as EmailMessageBuilder);
}
