import { reasonOf } from "../errors/reason.ts";
import { kindOf } from "../errors/kind_of.ts";
import type { StreamMessage } from "./stream_source.ts";

/** What errors and warnings of managers say. */
export const MANAGER_TEXTS = {
  700: ({ origin, answered }: { readonly origin: string; readonly answered: Iterable<string> }) =>
    `A 401 of ${origin} did not log out: so far only ${[...answered].join(", ")} has answered. If its 401 is a ` +
    `logout, name it too: new LogoutManager({ origins: ${
      JSON.stringify([...answered, origin]).replaceAll('","', '", "')
    } })`,
  701: ({ name, frequency }: { readonly name: string; readonly frequency: unknown }) =>
    `Cannot poll "${name}": its pollFrequency is ${String(frequency)}. Give a number of ms above 0, or none`,
  702: ({ read, cause }: { readonly read: StreamMessage | undefined; readonly cause: unknown }) =>
    `Cannot handle ${subjectOf(read)} of a stream: ${reasonOf(cause)}`,
  703: ({ type, subject }: { readonly type: string; readonly subject: string }) =>
    `The devtools show another moment: "${type}${` ${subject}`.trimEnd()}" did nothing. ` +
    "Jump to the last action to be in the present again, or commit what is shown",
  704: () => "Cannot import: the file has no state",
  705: ({ value }: { readonly value: unknown }) =>
    `Cannot show this moment: its state is ${kindOf(value)}, and not an object`,
};

/** One that could not be read has neither type nor id. */
function subjectOf(message: StreamMessage | undefined): string {
  if (message === undefined) return "a message";
  const { type, id } = message;
  return `a message "${type}"${id === undefined ? "" : ` with id "${id}"`}`;
}
