/** A value that the server or the app gave. Its schema says what it is, which the compiler cannot know. */
// deno-lint-ignore no-explicit-any -- the one name for it
export type Value = any;

/** The arguments of a call, as the endpoint takes them. */
export type Args = readonly Value[];

/** What a higher room keeps beside a thing of a lower one: only that room knows its type. */
export type Attached = Value;
