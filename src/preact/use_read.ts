import type { Controller } from "../controller/controller.ts";
import type { Flight } from "../controller/flight.ts";
import { isInactive } from "../controller/is_inactive.ts";
import { clock } from "../deps/clock.ts";
import type { Component } from "../deps/preact.ts";
import { untracked } from "../deps/signals_core.ts";
import type { AnyEndpoint, AnyReadable } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { isInstance } from "../errors/is_instance.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { reasonOf } from "../errors/reason.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { isPassing, keepAsking } from "../managers/healing.ts";
import { track } from "../signals/track.ts";
import { errorOf, hidesStale } from "../store/freshness.ts";
import type { Store } from "../store/store.ts";
import { watch } from "../store/watch.ts";
import type { Answer } from "../store/entry.ts";
import { inactiveData, type ResponseView } from "../store/response_view.ts";
import { checkGiven } from "./_check_given.ts";
import { isHidden, whenDecided } from "./_hidden_answer.ts";
import { type Memory, useMemory } from "./_internals.ts";
import { failedReads } from "./context.ts";
import { useController } from "./use_controller.ts";

/** One reading of an endpoint by one component: what every read hook is a policy on. */
export interface Reading {
  /** What there is to show; the literals of an object schema when the hook is inactive. */
  readonly data: unknown;
  /** There is something that may be shown. */
  readonly isShown: boolean;
  /** The error that the component is to see; what is none is its cause. */
  readonly error: object | undefined;
  /** What the component can wait for; `undefined` when nothing is on its way. */
  readonly pending: Promise<unknown> | undefined;
  /** What it was read from; `undefined`: the first argument was `null`. */
  readonly view: ResponseView | undefined;
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
export function useRead(
  given: AnyReadable,
  givenArgs: readonly unknown[],
  fetcher: string | undefined,
): Reading {
  const fetches = fetcher !== undefined;
  if (fetches) checkGiven(given, "fetched", fetcher);
  const controller = useController();
  const reader = useMemory((component) => new Reader(component));
  if (isInactive(givenArgs)) {
    reader.forget();
    return { data: inactiveData(given), isShown: true, error: undefined, pending: undefined, view: undefined };
  }
  if (fetches && given.sideEffect) throw new SchemaError(said(753, { name: given.name }));
  const { store } = controller;
  const { endpoint, args, key } = store.callOf(given, givenArgs);
  const view = store.response(endpoint, args, key);
  if (fetches) view.endpoint = endpoint;
  track(store, view);
  const answer = view.read(store.graph);
  if (fetches) reader.count(view, store);
  const isStale = clock.now() >= view.expiresAt();
  const isAsked = reader.look(view, answer, isStale && hidesStale(endpoint, store.defaults));
  // Until the server has decided there is no error either: a request that was under way may have met the deletion.
  const isUndecided = fetches && !answer.hasData && isHidden(store, view);
  if (fetches) {
    const call = endpoint as AnyEndpoint;
    let flight = controller.findRead(call, key);
    if (flight === undefined && (isUndecided || reader.isLost && view.isDeleted)) reader.waitDecided(store, view);
    else if (flight === undefined && reader.wants(answer, isStale && isAsked)) {
      if (reader.shapes >= MOST_SHAPES) {
        throw new EndpointError(endpoint.name, said(754, { name: endpoint.name, hook: fetcher }));
      }
      if (reader.unshown >= MOST_UNSHOWN) {
        store.warnOnce(`${fetcher} of ${endpoint.name}`, said(755, { name: endpoint.name, hook: fetcher }));
      }
      // The endpoint may read signals: a change of those is no reason to render.
      flight = untracked(() => controller.startRead(call, args, key));
      // What is stale is shown rather than hidden for an answer that nobody has promised.
      if (flight === undefined && !answer.hasData) reader.waitUnseen(store, view);
    }
    reader.hold(controller, flight);
  }
  const isShown = reader.shows(fetches);
  // An error whose time has passed is no answer to a reader that has asked again.
  const isAskedAgain = isShown && isStale && reader.pending !== undefined;
  const error = isAskedAgain || isUndecided ? undefined : reader.asObject(errorOf(answer, view) ?? reader.reason);
  if (error !== undefined) failedReads.set(error, { controller, view });
  reader.heal(controller, fetches && isPassing(view) ? view : undefined);
  return { data: isShown ? answer.data : undefined, isShown, error, pending: reader.pending, view };
}

/** What one hook of one component knows of what it reads. */
class Reader implements Memory {
  /** Why there is nothing to show, when a request left neither data nor an error in the store. */
  reason: unknown;
  /** How many shapes the renderings have brought in a row under one key. */
  shapes = 1;
  /** How many answers in a row came, and were not shown: by then the arguments were others. */
  unshown = 0;
  /** There was data at the rendering before, and is none at this one. */
  isLost = false;
  readonly #component: Component;
  #view: ResponseView | undefined;
  /** The mark of the answer at the last rendering. */
  #mark = 0;
  #hadData = false;
  /** The answer was stale when somebody asked, and the endpoint does not show stale data. */
  #hidesStale = false;
  #isShown = false;
  #flight: Flight | undefined;
  #release: (() => void) | undefined;
  /** The read that is asked again until it is there, and how to end that. */
  #healing: { readonly view: ResponseView; readonly stop: () => void } | undefined;
  #unseen: Promise<unknown> | undefined;
  #stopWaiting: (() => void) | undefined;
  #wrapped: { readonly of: unknown; readonly error: Error } | undefined;

  constructor(component: Component) {
    this.#component = component;
  }

  /** What the component can wait for. */
  get pending(): Promise<unknown> | undefined {
    return this.#flight?.promise ?? this.#unseen;
  }

  /** Counts what would go on without end; before {@linkcode look}. */
  count(view: ResponseView, { graph }: Store): void {
    const last = this.#view;
    if (last === view || last?.key !== view.key) this.shapes = 1;
    else this.shapes++;
    if (this.#isShown) this.unshown = 0;
    else if (last !== undefined && last.key !== view.key) {
      const { hasData, error } = last.read(graph);
      // Who types asks for something else before the answer is there.
      this.unshown = hasData || error !== undefined ? this.unshown + 1 : 0;
    }
  }

  /** Takes note of the answer. Whether something but time has passed since the last look. */
  look(view: ResponseView, answer: Answer, hidesStale: boolean): boolean {
    this.isLost = this.#view === view && this.#hadData && !answer.hasData;
    const isAsked = this.#view !== view || this.#mark !== answer.mark || this.isLost;
    this.#view = view;
    this.#mark = answer.mark;
    this.#hadData = answer.hasData;
    this.#hidesStale = hidesStale && (isAsked || this.#hidesStale);
    if (isAsked || answer.hasData || answer.error !== undefined) {
      this.#forgetWait();
      this.reason = undefined;
    }
    return isAsked;
  }

  /** Whether to fetch: what is stale when somebody asks, and what is missing, until there is an error that says why. */
  wants(answer: Answer, isAskedStale: boolean): boolean {
    if (isAskedStale) return true;
    return !answer.hasData && answer.error === undefined && this.reason === undefined && this.#unseen === undefined;
  }

  /** Whether there is something that may be shown. Stale data is hidden for a request that will bring other, not for ever. */
  shows(fetches: boolean): boolean {
    if (fetches && this.pending === undefined) this.#hidesStale = false;
    return this.#isShown = this.#hadData && !this.#hidesStale;
  }

  /** Keeps a request from being aborted; what was held before is let go. */
  hold(controller: Controller, flight: Flight | undefined): void {
    if (flight === this.#flight) return;
    // Whoever is rendered after this one may need the same request.
    if (this.#release !== undefined) queueMicrotask(this.#release);
    this.#flight = flight;
    this.#release = flight && controller.hold(flight);
    flight?.promise.then(
      () => this.#settled(flight, nothingShown(flight.endpoint)),
      (reason) => this.#settled(flight, reason),
    );
  }

  /** What has failed and may pass is asked again, as long as it is shown. */
  heal(controller: Controller, view: ResponseView | undefined): void {
    if (this.#healing?.view === view) return;
    const before = this.#healing;
    this.#healing = view && { view, stop: keepAsking(controller, view) };
    before?.stop();
  }

  /**
   * A middleware keeps the request, and promises nothing: it will put the answer into the store. On a server the component
   * is gone by then, and the page waits all the same.
   */
  waitUnseen(store: Store, view: ResponseView): void {
    this.#unseen = new Promise((resolve) => {
      const stop = watch(store, view, () => {
        stop();
        resolve(undefined);
      });
    });
  }

  /**
   * What a pending mutation takes away, or a delete has taken, is not asked for: the server would bring what nobody is to
   * see, or refuse. Once it is decided, and who has deleted it could leave, whoever is still there asks.
   */
  waitDecided(store: Store, view: ResponseView): void {
    this.reason = undefined;
    this.#unseen ??= new Promise((resolve) => {
      this.#stopWaiting = whenDecided(store, view, () => {
        resolve(undefined);
        this.#forgetWait();
        this.#component.forceUpdate();
      });
    });
  }

  /** Nothing is read any more. */
  forget(): void {
    this.leave();
    this.#view = this.reason = undefined;
  }

  /** An error that can be told from others, and thrown: the same object for the same value. */
  asObject(error: unknown): object | undefined {
    if (error === undefined || isThrowable(error)) return error;
    if (this.#wrapped === undefined || !Object.is(this.#wrapped.of, error)) {
      this.#wrapped = { of: error, error: new Error(reasonOf(error), { cause: error }) };
    }
    return this.#wrapped.error;
  }

  leave(): void {
    this.#forgetWait();
    if (this.#release !== undefined) queueMicrotask(this.#release);
    this.#healing?.stop();
    this.#flight = this.#release = this.#healing = undefined;
  }

  #forgetWait(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = this.#unseen = undefined;
  }

  #settled(flight: Flight, reason: unknown): void {
    // Rendered since: the answer was another one.
    if (this.#flight !== flight) return;
    this.#flight = this.#release = undefined;
    if (this.#isShown) return;
    // After a reset it is to be asked again; otherwise the same would happen again.
    if (!isInstance(reason, OvertakenError) || reason.reason !== "reset") this.reason = reason;
    this.#component.forceUpdate();
  }
}

/** What is thrown where a reading is an error; a promise while there is nothing to show. */
export function shownOrThrown({ isShown, pending, error, data }: Omit<Reading, "view">): unknown {
  if (!isShown && pending !== undefined) throw pending;
  if (error !== undefined) throw error;
  return data;
}

/** A hook that has brought so many shapes in a row under one key would go on so, and each of them asks. */
const MOST_SHAPES = 3;
/** So many answers in a row that nobody saw are no person who types. */
const MOST_UNSHOWN = 3;

/** Whether a framework takes what is thrown for an error: not for a promise, nor for what cannot be asked. */
function isThrowable(error: unknown): error is object {
  try {
    return typeof error === "object" && error !== null && typeof (error as { then?: unknown }).then !== "function";
  } catch {
    return false;
  }
}

/** Why a component has nothing to show although its request went well. */
function nothingShown({ name }: AnyReadable): NormalizeError {
  return new NormalizeError(`"${name}"`, "", said(756));
}
