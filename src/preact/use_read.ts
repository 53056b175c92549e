import type { Controller } from "../controller/controller.ts";
import type { Flight } from "../controller/flight.ts";
import { isInactive } from "../controller/is_inactive.ts";
import { clock } from "../deps/clock.ts";
import type { Component } from "../deps/preact.ts";
import { untracked } from "../deps/signals_core.ts";
import type { AnyEndpoint, AnyReadable } from "../endpoint/interface.ts";
import type { checkUnseen } from "../dev/preact_checks.ts";
import { check } from "../errors/checks.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { isInstance } from "../errors/is_instance.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { isPassing, keepAsking } from "../managers/healing.ts";
import { track } from "../signals/track.ts";
import { errorOf, hidesStale } from "../store/freshness.ts";
import { isHidden } from "../store/is_hidden.ts";
import type { Store } from "../store/store.ts";
import { watch } from "../store/watch.ts";
import { type Answer, isSameShape } from "../store/entry.ts";
import { inactiveData, type ResponseView } from "../store/response_view.ts";
import { checkGiven } from "./_check_given.ts";
import { untilDecided } from "./_hidden_answer.ts";
import { asError } from "./_as_error.ts";
import { type Memory, useMemory } from "./_internals.ts";
import { type FailedRead, failedReads } from "./context.ts";
import { useController } from "./use_controller.ts";

/** One reading of an endpoint by one component: what every read hook is a policy on. */
export interface Reading {
  /** What there is to show; the literals of an object schema when the hook is inactive. */
  readonly data: unknown;
  /** There is something that may be shown. */
  readonly isShown: boolean;
  /** The error that the component is to see; what is none is its cause. The same one while it is the same. */
  readonly error?: Error | undefined;
  /** What is on its way. */
  readonly pending?: Promise<unknown> | undefined;
  /** The same, where there is nothing to show. */
  readonly loading?: Promise<unknown> | undefined;
  /** What it was read from; `undefined`: the first argument was `null`. */
  readonly view?: ResponseView | undefined;
}

/**
 * Reads an endpoint and arguments, and runs the component again when the answer is another one. With `fetches` it sees
 * to it that there is one: at mount, with new arguments, after a stale mark, an invalidation, or when the data went.
 * Time passing alone never fetches, and hides nothing.
 *
 * The request is held from the rendering that needs it until one that does not, or until the component goes.
 *
 * @param given What is read.
 * @param givenArgs Its arguments.
 * @param fetcher The name of the hook, where it fetches.
 * @throws {EndpointError} If each rendering brings another `process`, `schema` … under the same key: to ask would never end.
 */
export function useRead(given: AnyReadable, args: readonly unknown[], fetcher: string | undefined): Reading {
  if (fetcher !== undefined) checkGiven(given, "fetched", fetcher);
  const controller = useController();
  return useMemory((component) => new Reader(component, { controller })).read(given, args, fetcher);
}

/** Something that the component waits for. */
interface Wait {
  readonly promise: Promise<unknown>;
  /** The request that it is; `undefined`: what others do. */
  readonly flight?: Flight;
  readonly release?: () => void;
}

/** What one hook of one component knows of what it reads. */
export class Reader implements Memory {
  readonly #component: Component;
  readonly #controller: Controller;
  #view: ResponseView | undefined;
  /** What there was at the last rendering. */
  #answer: Answer | undefined;
  /** Why there is nothing to show, when a request left neither data nor an error in the store. */
  #reason: Error | undefined;
  /** The shapes that the renderings have brought in a row under one key, where there was more than one. */
  #shapes: AnyReadable[] | undefined;
  /** The answer was stale when somebody asked, and the endpoint does not show stale data. */
  #hidesStale = false;
  #isShown = false;
  #wait: Wait | undefined;
  /** The read that is asked again until it is there, and how to end that. */
  #healing: { readonly view: ResponseView; readonly stop: () => void } | undefined;

  /**
   * @param component Which one.
   * @param read What another one knew that has failed, and has gone.
   */
  constructor(component: Component, { controller, view, answer, reason }: Partial<FailedRead>) {
    this.#component = component;
    this.#controller = controller!;
    this.#view = view;
    this.#answer = answer;
    this.#reason = reason;
  }

  /** A rendering; see {@linkcode useRead}. */
  read(given: AnyReadable, givenArgs: readonly unknown[], fetcher: string | undefined): Reading {
    if (isInactive(givenArgs)) {
      this.leave();
      this.#view = this.#reason = undefined;
      return { data: inactiveData(given), isShown: true };
    }
    if (fetcher !== undefined && given.sideEffect) throw new SchemaError(said(753, { name: given.name }));
    const controller = this.#controller;
    const { store } = controller;
    const { endpoint, args, key } = store.callOf(given, givenArgs);
    const view = store.response(endpoint, args, key);
    track(store, view);
    const answer = view.read(store.graph);
    const isStale = clock.now() >= view.expiresAt();
    const last = this.#view;
    const isLost = last === view && this.#answer!.hasData && !answer.hasData;
    // Something but time has passed.
    const isAsked = last !== view || this.#answer!.mark !== answer.mark || isLost;
    const isNews = isAsked || answer.hasData || answer.error !== undefined;
    this.#view = view;
    this.#answer = answer;
    if (isNews) this.#reason = undefined;
    this.#hidesStale = isStale && (isAsked || this.#hidesStale) && hidesStale(endpoint, store.defaults);
    let isUndecided = false;
    if (fetcher !== undefined) {
      view.endpoint = endpoint;
      if (last === view || last?.key !== key) this.#shapes = undefined;
      else {
        const shapes = this.#shapes ??= [last.endpoint];
        const isNew = shapes.length < MOST_SHAPES && !shapes.some((shape) => isSameShape(shape, endpoint));
        if (isNew) shapes.push(endpoint);
      }
      check<typeof checkUnseen>("unseen", this, last, view, this.#isShown, store, fetcher);
      // Until the server has decided there is no error either: a request that was under way may have met the deletion.
      isUndecided = !answer.hasData && isHidden(store, view);
      let flight = controller.findRead(endpoint as AnyEndpoint, key);
      let wait = this.#wait?.flight === flight && (flight || !isNews) ? this.#wait : undefined;
      if (wait === undefined && flight === undefined) {
        if (isUndecided || isLost && view.isDeleted) {
          this.#reason = undefined;
          wait = untilDecided(store, view);
          // What was asked of it until then is asked after that.
          this.#answer = { ...answer, mark: -1 };
        } else if (
          isStale && isAsked || !answer.hasData && answer.error === undefined && this.#reason === undefined
        ) {
          // One that has been answered is none of those that are made anew.
          if (this.#shapes?.length === MOST_SHAPES && !view.entry?.hasResult) {
            throw new EndpointError(endpoint.name, said(754, { name: endpoint.name, hook: fetcher }));
          }
          // The endpoint may read signals: a change of those is no reason to render.
          flight = untracked(() => controller.startRead(endpoint as AnyEndpoint, args, key));
          // What is stale is shown rather than hidden for an answer that nobody has promised.
          if (flight === undefined && !answer.hasData) wait = untilTold(store, view);
        }
      }
      if (wait === undefined && flight !== undefined) {
        wait = { flight, promise: flight.promise, release: controller.hold(flight) };
      }
      this.#waitFor(wait);
      // Stale data is hidden for a request that will bring other, not for ever.
      if (wait === undefined) this.#hidesStale = false;
    }
    const pending = this.#wait?.promise;
    const isShown = this.#isShown = answer.hasData && !this.#hidesStale;
    // An error whose time has passed is no answer to a reader that has asked again.
    const isAskedAgain = isShown && isStale && pending !== undefined;
    const reason = this.#reason;
    const thrown = errorOf(answer, view);
    const failure = thrown === undefined ? reason : asError(thrown, answer);
    const error = isAskedAgain || isUndecided ? undefined : failure;
    if (error !== undefined) failedReads.set(error, { controller, view, answer, reason });
    this.#heal(fetcher !== undefined && isPassing(view) ? view : undefined);
    const loading = isShown ? undefined : pending;
    return { data: isShown ? answer.data : undefined, isShown, error, pending, loading, view };
  }

  leave(): void {
    this.#waitFor(undefined);
    this.#heal(undefined);
  }

  /** Keeps a request from being aborted; what was waited for before is let go. */
  #waitFor(wait: Wait | undefined): void {
    const before = this.#wait;
    if (wait === before) return;
    // Whoever is rendered after this one may need the same request.
    if (before?.release) queueMicrotask(before.release);
    this.#wait = wait;
    const settled = (reason: unknown): void => {
      // Rendered since: the answer was another one.
      if (this.#wait !== wait) return;
      this.#wait = undefined;
      if (this.#isShown) return;
      // After a reset it is to be asked again; otherwise the same would happen again.
      const isReset = isInstance(reason, OvertakenError) && reason.reason === "reset";
      if (reason !== undefined && !isReset) this.#reason = asError(reason);
      this.#component.forceUpdate();
    };
    wait?.promise.then(() => settled(wait.flight && nothingShown(wait.flight.endpoint)), settled);
  }

  /** What has failed and may pass is asked again, as long as it is shown. */
  #heal(view: ResponseView | undefined): void {
    const before = this.#healing;
    if (before?.view === view) return;
    this.#healing = view && { view, stop: keepAsking(this.#controller, view) };
    before?.stop();
  }
}

/**
 * A middleware keeps the request, and promises nothing: it will put the answer into the store. On a server the component
 * is gone by then, and the page waits all the same.
 */
function untilTold(store: Store, view: ResponseView): Wait {
  const promise = new Promise<void>((resolve) => {
    const stop = watch(store, view, () => {
      stop();
      resolve();
    });
  });
  return { promise };
}

/** What is thrown where a reading is an error; a promise while there is nothing to show. */
export function shownOrThrown({ loading, error, data }: Pick<Reading, "data" | "error" | "loading">): unknown {
  if (loading !== undefined) throw loading;
  if (error !== undefined) throw error;
  return data;
}

/** A hook that has brought so many shapes in a row under one key would go on so, and each of them asks. */
const MOST_SHAPES = 3;

/** Why a component has nothing to show although its request went well. */
function nothingShown({ name }: AnyReadable): NormalizeError {
  return new NormalizeError(`"${name}"`, "", said(756));
}
