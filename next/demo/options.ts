/**
 * What the demo's server can be told, by arguments or by the environment.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

/** Options of the demo's server. */
export interface ServerOptions {
  /** Where to listen on 127.0.0.1; 0 takes any free port. */
  port: number;
  /** A file, or `":memory:"`. */
  database: string;
  /** How long every answer of the API is held back, in ms, to see what a slow network shows. */
  latency: number;
  /** Bundle again and reload the page when a source changes. */
  watch: boolean;
}

/** The help text, and the only list of the options. */
export const HELP = `Cinema, the demo of @rejoin/data

  deno task demo [options]

  --port <number>      where to listen on 127.0.0.1 (default 3535; or CINEMA_PORT); 0 takes any free port
  --database <file>    the SQLite file (default demo/cinema.db; or CINEMA_DATABASE); ":memory:" keeps nothing
  --latency <ms>       hold back every answer of the API, to see what a slow network shows
  --watch              bundle again and reload the page when a source changes
  --help               this text`;

/**
 * Reads the options.
 *
 * @returns The options, or `"help"`.
 * @throws {RangeError} If an option is not known or its value makes no sense; the message says which.
 */
export function readOptions(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): ServerOptions | "help" {
  const given: Record<string, string> = {};
  for (let index = 0; index < args.length; index++) {
    const [name = "", inline] = (args[index] ?? "").split(/=(.*)/s);
    if (name === "--help" || name === "-h") return "help";
    if (name === "--watch") given[name] = "";
    else if (name === "--port" || name === "--database" || name === "--latency") {
      const value = inline ?? args[++index];
      if (!value) throw new RangeError(`${name} needs a value`);
      given[name] = value;
    } else throw new RangeError(`There is no option "${args[index]}"; --help lists them`);
  }
  return {
    port: wholeNumber("The port", given["--port"] ?? environment.CINEMA_PORT ?? "3535", 65_535),
    database: given["--database"] ?? environment.CINEMA_DATABASE ??
      fileURLToPath(new URL("cinema.db", import.meta.url)),
    latency: wholeNumber("The latency", given["--latency"] ?? "0", 60_000),
    watch: "--watch" in given,
  };
}

function wholeNumber(what: string, text: string, max: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(number <= max)) throw new RangeError(`${what} must be a whole number from 0 to ${max}, not "${text}"`);
  return number;
}
