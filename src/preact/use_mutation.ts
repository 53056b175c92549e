import type { Controller } from "../controller/controller.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { ChangingEndpoint } from "../endpoint/readable.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { checkGiven } from "./_check_given.ts";
import { CallState } from "./_call_state.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/** What {@linkcode useMutation} is told. Neither is called when the component is gone, or after a `reset`. */
export interface MutationOptions<E extends AnyEndpoint> {
  /** Goes on when a call is done, whichever: resets a form, leaves the page. What it throws is reported, and undoes nothing. */
  readonly onSuccess?: ((data: E["~types"]["data"], args: E["~types"]["args"]) => unknown) | undefined;
  /**
   * Is told of what a call failed with, whichever, for who shows that elsewhere: who is told need not read `error`. An abort
   * or a reset of the store is no failure.
   */
  readonly onError?: ((error: Error, args: E["~types"]["args"]) => unknown) | undefined;
}

/** What {@linkcode useMutation} gives: the same object and functions in each rendering. */
export interface Mutation<E extends AnyEndpoint> {
  /**
   * Calls the endpoint, for handlers of events; where it takes no arguments, it may be the handler. A failure is in
   * `error`, and in `onError`; where nobody has either, or a later call has taken its place, or the component is gone, it is an unhandled
   * rejection, like that of any other promise.
   */
  readonly mutate: (...args: E["~types"]["args"]) => void;
  /**
   * The same, for who goes on when it is done: what `controller.fetch` gives. It rejects for who awaits it; who does not
   * need not handle what `error` shows.
   */
  readonly mutateAsync: (...args: E["~types"]["args"]) => Promise<E["~types"]["data"]>;
  /** Forgets data and error, and what is on its way: that goes on, and is not shown here. */
  readonly reset: () => void;
  /** The latest call has not settled. */
  readonly isPending: boolean;
  /** What the latest call failed with; an abort or a reset of the store is no failure. */
  readonly error: Error | undefined;
  /** What the latest call has given, until the store is reset; not kept up to date, as a read of the record is. */
  readonly data: E["~types"]["data"] | undefined;
}

/**
 * A mutation, and how it stands. The latest call counts: what an earlier one brings changes the store, and nothing here.
 * A component runs again for the members that it has read: one that takes `mutate` only is not told of anything. When the
 * component goes, the call goes on.
 *
 * @param endpoint What to call; no read.
 * @param options What follows; those of the last rendering count.
 * @returns The functions, and `isPending`, `error` and `data` as getters.
 * @throws {SchemaError} If the endpoint is a read.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, resource } from "@rejoin/data";
 * import { useMutation } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ path: "/articles/:id", schema: Article });
 *
 * function Publish({ title }: { title: string }) {
 *   const { mutate, isPending, error } = useMutation(ArticleResource.create);
 *   return (
 *     <p>
 *       <button type="button" disabled={isPending} onClick={() => mutate({ title })}>Publish</button>
 *       {error && <em role="alert">{error.message}</em>}
 *     </p>
 *   );
 * }
 * assert(Publish.length === 1);
 * ```
 */
export function useMutation<E extends AnyEndpoint, G = E>(
  endpoint: ChangingEndpoint<E, G>,
  options: MutationOptions<E> = {},
): Mutation<E> {
  const called = endpoint as AnyEndpoint as E;
  checkGiven(called, "change", "useMutation");
  if (!called.sideEffect) throw new SchemaError(said(780, { name: called.name }));
  const controller = useController();
  const state = useMemory(() => new MutationState<E>(controller));
  // It may be another one at each rendering: with a token, of another record.
  state.endpoint = called;
  state.options = options;
  return state.mutation;
}

/** The calls of one component. */
class MutationState<E extends AnyEndpoint> extends CallState {
  endpoint!: E;
  options!: MutationOptions<E>;
  readonly #controller: Controller;

  constructor(controller: Controller) {
    super();
    this.#controller = controller;
  }

  /** What the component gets: members of its own, for who spreads it. */
  readonly mutation: Mutation<E> = mutationOf(this);

  send(given: E["~types"]["args"]): Promise<E["~types"]["data"]> {
    const args: E["~types"]["args"] = isEvent(given[0]) ? [] : given;
    this.forgetWith(this.#controller.store);
    return this.run(() => this.#controller.fetch(this.endpoint, ...args), () => this.options, args);
  }
}

function mutationOf<E extends AnyEndpoint>(state: MutationState<E>): Mutation<E> {
  return {
    mutate: (...args) => void state.send(args),
    mutateAsync: (...args) => state.send(args),
    reset: state.reset,
    get isPending() {
      return state.isPending;
    },
    get error() {
      return state.error;
    },
    get data() {
      return state.data;
    },
  };
}

/** What the platform gives to a handler: with `onClick={mutate}` its members would go into the URL. */
function isEvent(value: unknown): boolean {
  return typeof (value as Partial<Event> | null | undefined)?.preventDefault === "function";
}
