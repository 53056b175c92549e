import { kindOf } from "../errors/kind_of.ts";

/** What errors of parts say. */
export const PART_TEXTS = {
  650: () => "Cannot replay: endpoints must be a list: replay(recording, { endpoints: [ArticleResource] })",
  651: ({ name }: { readonly name: string }) =>
    `Cannot replay a call of "${name}": no endpoint of that name is among those given. Give replay() all endpoints ` +
    "and resources of the app: replay(recording, { endpoints: [ArticleResource, login] })",
  652: ({ name }: { readonly name: string }) =>
    `Cannot replay a set of ${name}: no such schema is among those given, nor in the schemas of the endpoints. Give ` +
    "it to replay(recording, { endpoints, schemas: [Article] })",
  653: () =>
    'Cannot replay: this recording is not complete. It needs a number "at", and state, answers, temporaryIds, views and ' +
    "steps",
  661: () => "Cannot replay: this is not a recording: give what record() gave, or JSON.parse() of its text",
  662: ({ version }: { readonly version: unknown }) =>
    `Cannot replay: this recording has version ${version}, and this release reads version 1`,
  654: () => 'it is not a step: a step has a type and a number "at"',
  655: ({ reason }: { readonly reason: string }) => `Cannot replay: what the store knew cannot be read: ${reason}`,
  656: ({ step, steps, reason }: { readonly step: number; readonly steps: number; readonly reason: string }) =>
    `Cannot replay step ${step} of ${steps}: ${reason}`,
  657: ({ step, steps }: { readonly step: number; readonly steps: number }) =>
    `The replay went another way than the recording: at step ${step} of ${steps} a request is answered that was not sent`,
  658: ({ type }: { readonly type: string }) => `it is of the unknown type "${type}"`,
  659: ({ id }: { readonly id: unknown }) => `it answers request ${id}, which is not in flight`,
  663: ({ name, scope }: { readonly name: string; readonly scope: unknown }) =>
    `Cannot call "${name}": the function of its scope must return a string or a number, or undefined to wait ` +
    `for nobody; it returned ${kindOf(scope)}`,
  664: ({ name }: { readonly name: string }) =>
    `Cannot call "${name}": only the members of a resource know which record they are about. Write a function in place ` +
    'of "record": serial(({ id }) => `article ${id}`)',
  660: ({ state }: { readonly state: unknown }) =>
    `Cannot read a state from ${
      kindOf(state)
    }: give the object that stateOf() gave; JSON.parse() makes one of its text`,
  665: ({ version, known }: { readonly version: unknown; readonly known: number }) =>
    `A state of version ${
      JSON.stringify(version)
    } is not read: this release reads version ${known}. What it held is fetched again`,
  666: ({ damage }: { readonly damage: readonly string[] }) =>
    `Parts of a state are not read, because they do not have the form that stateOf() gives: ${damage.join(", ")}. ` +
    "The rest is shown, and fetched again",
  667: ({ name, what }: { readonly name: string; readonly what: string }) =>
    `A page cannot carry all of "${name}": a ${what} does not arrive as one, so it is stale there, and fetched ` +
    "again. Keep data that JSON can hold, and make the rest of it when it is read: " +
    "static schema = { labels: (list) => new Map(list) }",
};
