import { type Given, wrongGiven } from "./_given_texts.ts";

/** Which endpoint, and by which hook. */
interface Asked {
  readonly name: string;
  readonly hook: string;
}

/** What errors and warnings of hooks and components say; here, for `mod.ts` loads nothing of `src/preact/`. */
export const PREACT_TEXTS = {
  750: () =>
    "A hook was called, and no component renders. Call hooks at the top of a component. If it is there, the app has " +
    'another copy of Preact than @rejoin/data: map both to one, with Preact 10 by "npm:preact@^11": "npm:preact@^10" ' +
    'and "npm:preact@^11/hooks": "npm:preact@^10/hooks" in the import map',
  751: () =>
    "There is no <DataProvider> above this component. Put one around the app: render(<DataProvider><App /></DataProvider>, …). " +
    "If there is one, two copies of @rejoin/data are loaded",
  752: () =>
    "A component waits for its data, and there is no <AsyncBoundary> above it. " +
    "Put one around it, or around the app: <AsyncBoundary fallback={…}>",
  753: ({ name }: { readonly name: string }) =>
    `"${name}" is a mutation: a component that reads it would send it again with each rendering. ` +
    "Write useMutation(), or controller.fetch() in an event handler",
  754: ({ name, hook }: Asked) =>
    `Cannot ask "${name}" by ${hook}: each rendering brings another process, parseResponse, content or schema for the ` +
    "same arguments, and so another request. Make the endpoint outside of the component, or give it what changes as an " +
    "argument, or make what you need of the answer by a Query",
  755: ({ name, hook }: Asked) =>
    `${hook} asks "${name}" with other arguments at each rendering, and what came was never shown: something like ` +
    "Date.now() or a new instance is among them. Make it once, by useState or outside of the component",
  756: () =>
    "the answer has no data, or refers to a record that is not there. Let the server send it, or make the member optional",
  757: (given: Given) => wrongGiven(given),
  780: ({ name }: { readonly name: string }) =>
    `"${name}" is no mutation: useMutation() calls what changes something. Write useSuspense() for what is shown, or ` +
    "controller.fetch() in an event handler",
  781: ({ name }: { readonly name: string }) =>
    `Cannot fetch "${name}" ahead: it is a mutation, and a pointer that passes would send it. ` +
    "Call controller.fetch() when it is meant",
};
