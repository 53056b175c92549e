import type { Args, Value } from "../plain/value.ts";
import type { AnswerOptions, AnyEndpoint, Reply } from "./endpoint_types.ts";

/** An endpoint at run time: what the controller, parts and hooks ask of it. `EndpointInstance` is its type for apps. */
export interface RunEndpoint extends AnyEndpoint, AnswerOptions {
  fetch(...args: Args): Promise<Value>;
  extend(options: object): RunEndpoint;
  /** What to write for a reply. */
  readReply?(reply: Value, args: Args, subject: string | undefined): Reply;
  /** Of a mutation: the pk of the record that it is about. */
  subject?(args: Args, store: Value): string | undefined;
  /** Whether a call names one record and says nothing else. */
  namesRecord?(args: Args): boolean;
  /** Says which argument is what. */
  readArgs?(args: Args): { readonly params: Value; readonly body?: Value };
  /** Of an endpoint for pages: the endpoint of the list, and the arguments of the list that a page continues. */
  readonly list?: RunEndpoint;
  listArgs?(...args: Args): Args;
  /** The part that it needs: `controller.use(endpoint.part)`. */
  readonly part?: (() => object) | undefined;
}
