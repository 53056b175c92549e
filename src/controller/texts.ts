import type { OvertakenError } from "../errors/overtaken_error.ts";
import { reasonOf } from "../errors/reason.ts";
import { kindOf } from "../errors/kind_of.ts";

interface Named {
  /** The endpoint. */
  readonly name: string;
}

/** What errors and warnings of the controller say. */
export const CONTROLLER_TEXTS = {
  600: ({ name }: Named) => `fetchReply() of "${name}" must give an object with a value`,
  601: ({ name, scope }: Named & { readonly scope: unknown }) =>
    `Cannot call "${name}": its scope is ${kindOf(scope)}. Import serial or latest, and ` +
    'write scope: serial("record") of a resource, scope: serial(({ id }) => `article ${id}`) of an endpoint',
  602: ({ name }: Named) =>
    `Nothing keeps "${name}" up to date: give it a pollFrequency in ms, or give the controller a manager that claims ` +
    "its subscriptions. Where no useLive or useSubscription brings it, polling needs a PollingManager",
  603: () => "Cannot record this controller: it is being recorded, or replays a recording; stop that first",
  604: ({ name, reason }: Named & { readonly reason: unknown }) =>
    `"${name}" shows nothing before the server answers, because getOptimisticResponse() threw: ${reasonOf(reason)}`,
  605: ({ type }: { readonly type: string }) =>
    `Cannot "${type}" while another change is being computed: process(), merge(), validate(), pk() and ` +
    "getOptimisticResponse() may read the store, but not change it",
  606: ({ name, id, cause }: Named & { readonly id: string; readonly cause: unknown }) =>
    `Cannot send "${name}": it names the temporary id "${id}", ${
      cause === undefined ? "of which the server has made no record" : "and the create of that record has failed"
    }. Nothing of it can be changed`,
  607: ({ name }: Named) =>
    `"${name}" answered "unchanged", but was given no memo to compare with: return the value, or give the reply a read()`,
  608: ({ endpoint, reason }: { readonly endpoint: string; readonly reason: OvertakenError["reason"] }) => {
    const what = {
      delete: "its record was deleted",
      reset: "the store was reset",
      cleanup: "the controller was stopped",
    }[reason];
    return `The reply of "${endpoint}" was overtaken: ${what} after the request had started.`;
  },
  609: ({ endpoint, cause }: { readonly endpoint: string; readonly cause: unknown }) =>
    `The server accepted "${endpoint}", but its reply cannot be stored: ${reasonOf(cause)}`,
};
