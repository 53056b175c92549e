/**
 * What declaring a resource costs, and what each call of an endpoint costs before anything is sent.
 *
 * @module
 */
import type { CallFunctions, IssueParams, ListParams } from "./contestant.ts";
import { type TimedScenario, times } from "./scenario.ts";

/** Different in each call, as in a list of links. */
function paramsOf(index: number): IssueParams {
  return { owner: "rejoin", repo: `project-${index % 50}`, number: index };
}

function listParamsOf(index: number): ListParams {
  return { owner: "rejoin", repo: `project-${index % 50}`, state: index % 2 === 0 ? "open" : "closed", page: index };
}

/** Arguments are made before the clock starts; a thousand of them serve all calls. */
const PARAMS = times(1000, paramsOf);
const LIST_PARAMS = times(1000, listParamsOf);

function scenario(name: string, about: string, run: (calls: CallFunctions, index: number) => number): TimedScenario {
  return {
    name,
    about,
    family: "calls",
    unit: "ns",
    heavy: false,
    supports: (contestant) => contestant.loadCalls !== undefined,
    async start(contestant) {
      const calls = await contestant.loadCalls!();
      return (operations) => () => {
        let done = 0;
        for (let i = 0; i < operations; i++) done += run(calls, i);
        return done;
      };
    },
  };
}

let declared = 0;

/** In the order in which they are run. */
export const CALL_SCENARIOS: readonly TimedScenario[] = [
  // Each at a path of its own: where a library keeps what it made of a path, it must not find it.
  scenario("declare", "declare a resource at a new path", (calls) => {
    const key = calls.declare(`/v${declared++}`);
    return key.length + 1;
  }),
  scenario("declare-and-key", "declare a resource at a new path, and make its first key", (calls, index) => {
    const key = calls.declare(`/v${declared++}`);
    return key(PARAMS[index % 1000]!).length;
  }),
  scenario("key", "the key of a record: three parameters of the path", (calls, index) => {
    return calls.key(PARAMS[index % 1000]!).length;
  }),
  scenario("key-search", "the key of a list: two parameters of the path, two of the search", (calls, index) => {
    return calls.listKey(LIST_PARAMS[index % 1000]!).length;
  }),
  scenario("url", "the address of a record", (calls, index) => calls.url(PARAMS[index % 1000]!).length),
  scenario("url-search", "the address of a list", (calls, index) => calls.listUrl(LIST_PARAMS[index % 1000]!).length),
];
