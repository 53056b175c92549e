import type { GetMany } from "./steps/batch.ts";
import type { Step } from "./steps/step.ts";

/** Members of a RestEndpoint that are data, and the same whatever its types. */
export interface RestEndpointData {
  /** What comes before `path`. */
  readonly urlPrefix?: string | undefined;
  /** Options for `fetch` of every call. */
  readonly requestInit?: RequestInit | undefined;
  /** How long a call may take, all attempts and the body included, in ms. */
  readonly deadline?: number | undefined;
  /** How often a call is sent again at most, after a failure that may pass. */
  readonly retry?: number | false | undefined;
  /** What is done beside sending the request and reading its answer, from the outermost. */
  readonly use?: readonly Step[] | undefined;
  /** How many single reads become one request. */
  readonly getMany?: GetMany | undefined;
  /** Of all members of a resource: where one record is. */
  readonly recordPath?: string | undefined;
  /** Of a member that is for one record, as long as it has that path: members of the record are no search parameters. */
  readonly isDetail?: boolean | undefined;
}
