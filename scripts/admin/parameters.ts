/** The command line of `npm run admin`: an operation, `--field value` pairs and three switches. */

export interface Command {
  /** undefined: list the operations. */
  operation: string | undefined;
  fields: Record<string, string>;
  json: boolean;
  help: boolean;
  environment: "production" | undefined;
}

/** Reads the parameters; a text says what is wrong with them. A field without a value is `true`. */
export function readCommand(parameters: readonly string[]): Command | string {
  const command: Command = {
    operation: undefined,
    fields: {},
    json: false,
    help: false,
    environment: undefined,
  };
  const rest = [...parameters];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith("--")) {
      if (word === "-h" || word === "help") command.help = true;
      else if (command.operation === undefined) command.operation = word;
      else return `${word} stands alone: write fields as --field value`;
      continue;
    }
    const [name, given] = split(word.slice(2));
    if (name === "json") command.json = true;
    else if (name === "help") command.help = true;
    else {
      const value = given ?? (rest[0] === undefined || rest[0].startsWith("--") ? "true" : rest.shift());
      const wrong = take(command, name, value as string);
      if (wrong) return wrong;
    }
  }
  return command;
}

function split(word: string): [name: string, value: string | undefined] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function take(command: Command, name: string, value: string): string | undefined {
  if (name === "env") {
    if (value !== "production") return "--env takes production; without it, the local server is used";
    command.environment = value;
    return undefined;
  }
  const field = name.replaceAll("-", "_");
  if (Object.hasOwn(command.fields, field)) return `--${name} is given twice; lists are comma-separated`;
  command.fields[field] = value;
  return undefined;
}
