/** Parses the command line of `npm run admin`: an operation, `--field value` pairs and a few switches. */
import { parseArgs } from "node:util";

/** The environments of a deployed Worker: `[env.…]` in wrangler.toml. */
export const environments = ["production", "staging"] as const;
export type Environment = (typeof environments)[number];

export interface Command {
  /** Undefined to list the operations. */
  operation: string | undefined;
  fields: Record<string, string | true>;
  json: boolean;
  help: boolean;
  environment: Environment | undefined;
  /** The local folder to which an export is written. */
  out: string | undefined;
}

/**
 * Parses the parameters. Returns a message if they are wrong. A field without a value becomes `true`, which text fields
 * reject.
 */
export function readCommand(parameters: readonly string[]): Command | string {
  const command: Command = {
    operation: undefined,
    fields: {},
    json: false,
    help: false,
    environment: undefined,
    out: undefined,
  };
  const { tokens } = parseArgs({ args: [...parameters], strict: false, tokens: true });
  /** The index of a field's value, which is skipped, because parseArgs treats it as a separate parameter. */
  let valueAt = -1;
  for (const token of tokens) {
    if (token.index === valueAt || token.kind === "option-terminator") continue;
    const word = parameters[token.index] as string;
    const name = token.kind === "option" && word.startsWith("--") ? token.name : undefined;
    if (name === "json") command.json = true;
    else if (name === "help" || word === "help" || word === "-h") command.help = true;
    else if (token.kind === "option" && name !== undefined) {
      const next = parameters[token.index + 1];
      const isSeparate = token.value === undefined && next !== undefined && !next.startsWith("--");
      if (isSeparate) valueAt = token.index + 1;
      const wrong = take(command, name, token.value ?? (isSeparate ? next : true));
      if (wrong) return wrong;
    } else if (command.operation === undefined && token.kind === "positional") command.operation = word;
    else return `Write fields as --field value. ${word} has no field before it`;
  }
  return command;
}

function take(command: Command, name: string, value: string | true): string | undefined {
  if (name === "env") {
    const environment = environments.find((known) => known === value);
    if (!environment) return "--env must be production or staging. Without it, the local server is used";
    command.environment = environment;
    return undefined;
  }
  const field = name.replaceAll("-", "_");
  if (Object.hasOwn(command.fields, field) || (name === "out" && command.out !== undefined))
    return `--${name} is given more than once. Separate list items with commas`;
  if (name === "operator") return "--operator cannot be set. It is taken from this machine";
  if (name === "out") {
    if (value === true || value === "") return "--out needs a folder";
    command.out = value;
    return undefined;
  }
  command.fields[field] = value;
  return undefined;
}
