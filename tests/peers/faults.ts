/**
 * Twenty faults of stores of this family, as they were found when such stores were run, and the tests which show that
 * ours has none of them. A fault that is nobody's subject elsewhere is tested in this folder.
 *
 * @module
 */

/** One fault, and where its test is. */
export interface Fault {
  /** What goes wrong elsewhere. */
  readonly fault: string;
  /** The file of the test, from the root of the repository. */
  readonly file: string;
  /** A part of the test's name that occurs in the file as it is. */
  readonly test: string;
}

const here = "tests/peers/faults_test.tsx";

/** All of them. */
export const FAULTS: readonly Fault[] = [
  {
    fault: "every component that reads renders again on every write, whatever it reads",
    file: "tests/preact/exactness_test.tsx",
    test: "renders exactly the components of what changed, of a hundred",
  },
  {
    fault: "a hook returns a marker in place of data after a delete whose refetch fails softly",
    file: here,
    test: "a hook never returns a marker in place of data",
  },
  {
    fault: "the promise of a change that changes nothing stays pending until some other change",
    file: here,
    test: "a change that changes nothing is over when it returns",
  },
  {
    fault: "options for all endpoints are accepted and ignored",
    file: "tests/controller/defaults_test.ts",
    test: "data and errors are fresh as long as the endpoint says, else the controller",
  },
  {
    fault: "an older list that arrives late replaces a newer one",
    file: here,
    test: "an older list that arrives late does not replace a newer one",
  },
  {
    fault: "a deleted record comes back with a read that was on its way",
    file: "tests/store/order_test.ts",
    test: "a delete stays when a read that started before it is answered",
  },
  {
    fault: "a request in flight answers an invalidation that came after it",
    file: "tests/controller/fetch_test.ts",
    test: "invalidate in flight starts anew, and everybody who waits gets the new answer",
  },
  {
    fault: "invalidation and expiry of many miss reads that are inferred from records",
    file: "tests/controller/fetch_test.ts",
    test: "invalidate hides, expire marks: own answers, inferred ones and failed ones",
  },
  {
    fault: "invalidation of many misses keys that have only failed",
    file: here,
    test: "invalidateAll and expireAll reach a key that has only failed",
  },
  {
    fault: "of two optimistic calls in one millisecond both are rolled back when one fails",
    file: "tests/store/optimism_test.ts",
    test: "optimistic = base + what is pending in order, in all 768 cases",
  },
  {
    fault: "an answer of before a reset is accepted when both fall into one millisecond",
    file: here,
    test: "an answer of before a reset is never accepted, in one millisecond neither",
  },
  {
    fault: "Infinity is lost in JSON, so that what is fresh for ever is fetched again",
    file: "tests/controller/state_test.ts",
    test: "getState survives JSON and another controller, Infinity included",
  },
  {
    fault: "a delete is lost in JSON, so that a list shows what is gone",
    file: here,
    test: "what was deleted stays gone through JSON",
  },
  {
    fault: "collection leaves indexes, memos and whatever was never rendered behind",
    file: "tests/parts/memory/collect_test.ts",
    test: "what nobody has watched or read for its age is gone from everywhere",
  },
  {
    fault: "a state that was handed out changes in place",
    file: here,
    test: "a state that was handed out never changes",
  },
  {
    fault: "cancelling forgets unmounts, and takes a shared request away from others",
    file: "tests/preact/leases_test.tsx",
    test: "a request goes on when one of two that wait for it leaves, and is aborted when both have",
  },
  {
    fault: "fetch resolves with something else than what the store then holds",
    file: "tests/controller/fetch_test.ts",
    test: "fetch resolves with the objects that every read gives",
  },
  {
    fault: "the documented table of what fetches and suspends is not what the code does",
    file: "tests/store/freshness_table_test.tsx",
    test: "as the page about freshness says it",
  },
  {
    fault: "below 64 levels a read gives ids in place of objects, and says nothing",
    file: "tests/property/depth_test.ts",
    test: "H5: a comb by every kind of schema in turn",
  },
  {
    fault: "each write copies the whole table",
    file: here,
    test: "a write touches the record that it writes, and no other of 10,000",
  },
];
