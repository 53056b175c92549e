/**
 * A client in random interleavings with everything that it can do: reads, mutations that show something at once, some of
 * them under temporary names, readers that come and go, collection of memory, clocks that jump; beside a server with a
 * moment of application between start and reply, and the naive model of tests/support/model.ts.
 *
 * The model is told what the product does by a middleware only: when a reply is taken, and when a request has failed. It
 * knows of its own what that must come to.
 *
 * @module
 */
import { effect } from "@preact/signals-core";
import {
  type AnyEndpoint,
  Controller,
  Endpoint,
  EndpointError,
  NetworkError,
  onCommit,
  OvertakenError,
  schema,
  type Snapshot,
  TimeoutError,
} from "@rejoin/data";
import type { Action, Flight } from "@rejoin/data/extend";
import { Collector } from "../../src/parts/memory/collector.ts";
import { watch } from "../../src/store/watch.ts";
import { FakeClock } from "./clock.ts";
import { changeLists, judgeLists, type ListDemand, ListServer, type ServerTodo, writesOfList } from "./list_server.ts";
import { type Item, type Members, Model } from "./model.ts";
import { commonRoots, getRoot, Reads, type Root, Todo, todoRoot, todos } from "./whole_roots.ts";

const removal = new schema.Invalidate(Todo);

/** What changes one todo. */
export type Verb = "push" | "unshift" | "move" | "update" | "remove" | "delete";

/** A request, from its start until the server has answered it. */
export interface Call {
  demand: ListDemand;
  readonly item: Item;
  readonly abort: AbortController | undefined;
  /** What a create shows goes by this name until the server gives another. */
  readonly names: { temporary?: string };
  /** It is on the wire. */
  settle?: { readonly resolve: (reply: unknown) => void; readonly reject: (reason: unknown) => void };
  /** What the server answered, when it has. */
  answer?: { readonly reply: unknown };
  isOver: boolean;
  readonly from: number;
  to: number;
}

/** Somebody who shows something. */
export interface Reader {
  readonly root: Root;
  readonly stop: () => void;
  /** What it was given last. */
  last: unknown;
  told: number;
}

/** One client and its server. */
export class WholeClient {
  readonly server: ListServer = new ListServer();
  readonly model: Model = new Model();
  readonly clock: FakeClock = new FakeClock();
  readonly controller: Controller;
  readonly collector: Collector;
  readonly reads: Reads;
  readonly readers: Reader[] = [];
  /** What went wrong where nobody awaits it. */
  readonly failures: unknown[] = [];
  protected readonly calls: Call[] = [];
  readonly #byEndpoint = new Map<AnyEndpoint, Call>();
  readonly #flyingReads = new Map<string, Call>();
  protected readonly temporary: string[] = [];
  protected readonly common: readonly Root[];
  protected confirmed: Call[] = [];
  /** A row that only a layer shows was hidden by another: which turn it has when that is refused is not promised. */
  protected isOrderOpen = false;
  protected unsettled = 0;
  #step = 0;
  #texts = 0;

  /** @param maxAge Of what nobody uses, in ms. */
  constructor(maxAge: number) {
    this.controller = new Controller({
      managers: [{
        middleware: () => (next) => (action) => {
          this.#note(action);
          return next(action);
        },
      }],
    });
    const { store } = this.controller;
    const isReading = (key: string) => this.#flyingReads.has(key);
    // Each step looks at one thing: whatever can come between two steps does.
    this.collector = new Collector({ store, isReading }, { maxAge }, 1);
    store.join(this.collector);
    this.reads = new Reads((demand, key) => this.#send(demand, key));
    this.common = commonRoots(this.reads);
    // A table of lists that nobody has read yet is unknown to the store: what mutations mean for it is not judged.
    this.controller.get(todos, {});
    // Whoever hears of a commit before readers do may read, too.
    if (maxAge > 0) {
      onCommit(this.controller, () => this.readers.forEach(({ root }) => root.view(this.controller).read(store.graph)));
    }
  }

  /** A pk that there is, or was, or may be: of the server, or a temporary one. */
  pk(at: number): string {
    const pks = [...this.server.ids, ...this.temporary.slice(-2)];
    return pks[at % pks.length]!;
  }

  /** Members of a todo; titles are never used twice. */
  body(b: number): Members {
    return {
      owner: b & 1 ? "1" : "2",
      status: b & 2 ? "open" : "done",
      title: `${b & 4 ? "x" : "y"} ${++this.#texts}`,
    };
  }

  /** Something that can be shown. */
  root(at: number): Root {
    const choice = at % (this.common.length + 6);
    if (choice < this.common.length) return this.common[choice]!;
    const pk = this.pk(at >> 2);
    return choice % 2 === 0 || pk.startsWith("~") ? todoRoot(pk) : getRoot(this.reads, pk);
  }

  /** Time passes by steps. */
  next(): void {
    this.#step++;
  }

  /** Called by the product in the moment it calls the endpoint of a read. */
  #send(demand: ListDemand, key: string): Promise<unknown> {
    // A read that starts anew: the product has left the attempt before.
    this.#dropRead(key);
    const call: Call = {
      demand,
      item: this.model.start({ isMutation: false, key }),
      names: {},
      abort: undefined,
      isOver: false,
      from: this.#step,
      to: Infinity,
    };
    this.calls.push(call);
    this.#flyingReads.set(key, call);
    return new Promise((resolve, reject) => call.settle = { resolve, reject });
  }

  /** Starts a mutation; with `shows` it shows at once what it will come to. */
  mutate(type: Verb, id: string | undefined, body: Members, shows: boolean): void {
    const isNew = type === "push" || type === "unshift";
    if (type === "delete" && shows && id!.startsWith("~")) this.isOrderOpen = true;
    const demand = (isNew ? { type, body } : { type, id, body }) as ListDemand;
    const names: { temporary?: string } = {};
    const layer: Item["layer"] = shows
      ? (below) => {
        const real = isNew ? names.temporary : this.#nameable(id!);
        return real === undefined ? [] : changeLists(demand, { ...body, id: real }, below);
      }
      : undefined;
    const call: Call = {
      demand,
      item: this.model.start({ isMutation: true, layer }),
      names,
      abort: new AbortController(),
      isOver: false,
      from: this.#step,
      to: Infinity,
    };
    this.calls.push(call);
    const endpoint = new Endpoint(
      (params: { id?: string }, _body: Members) => {
        call.demand = { ...call.demand, ...params } as ListDemand;
        return new Promise((resolve, reject) => call.settle = { resolve, reject });
      },
      {
        name: type,
        schema: (type === "delete" ? removal : type === "update" ? Todo : todos[type]) as typeof todos.push,
        sideEffect: true,
        getOptimisticResponse: shows
          ? (snapshot: Snapshot, params: { id?: string }) => {
            if (!isNew) return { ...body, ...params };
            const temporary = snapshot.temporaryId();
            if (names.temporary === undefined) this.temporary.push(names.temporary = temporary);
            return { ...body, id: temporary };
          }
          : undefined,
        signal: call.abort!.signal,
      },
    );
    this.#byEndpoint.set(endpoint, call);
    this.follow(this.controller.fetch(endpoint, id === undefined ? {} : { id }, body));
    this.model.notice();
  }

  /** What a name stands for while something may be shown under it: a pending create will name it, or has. */
  #nameable(id: string): string | undefined {
    if (!id.startsWith("~")) return id;
    const named = this.model.nameOf(id);
    if (named !== id) return named;
    return this.calls.some(({ names, item }) =>
        names.temporary === id && (item.state === "flying" || item.state === "in doubt")
      )
      ? id
      : undefined;
  }

  /** At the end every promise must have settled, and none with an error that nobody caused. */
  follow(promise: Promise<unknown>): void {
    this.unsettled++;
    promise.catch((error: Error) => {
      const isExpected = error instanceof OvertakenError || error instanceof TimeoutError ||
        (error instanceof EndpointError && error.message.includes('it names the temporary id "~')) ||
        error instanceof NetworkError || error.message === "404" || error.name === "AbortError";
      if (!isExpected) this.failures.push(error);
    }).finally(() => this.unsettled--);
  }

  /** The product takes a reply, or gives a request up: the model is told in that moment. */
  #note(action: Action): void {
    this.forgetDoubts();
    if (action.type !== "setResponse" && action.type !== "renew" && action.type !== "setError") return;
    const { endpoint, key } = action;
    const call = this.#byEndpoint.get(endpoint) ?? this.#flyingReads.get(key);
    if (call === undefined || call.item.state !== "flying") return;
    if (action.type === "setError") {
      return this.#drop(call, call.abort !== undefined && action.error instanceof NetworkError);
    }
    if (!("ticket" in action) || action.ticket === undefined) return;
    this.#take(call);
  }

  #take(call: Call): void {
    const { demand, item, names: { temporary } } = call;
    const reply = call.answer!.reply as Members;
    const { model } = this;
    call.to = this.#step;
    if (item.key !== undefined) this.#flyingReads.delete(item.key);
    if (demand.type === "get") return model.answer(item, [{ table: "Todo", pk: demand.id, members: reply }], demand.id);
    if (demand.type === "list") {
      const rows = reply as unknown as ServerTodo[];
      const [list, ...others] = writesOfList(demand.args, rows).reverse();
      return model.answer(
        item,
        item.key === "plain" ? others.reverse() : [...others.reverse(), list!],
        rows.map(({ id }) => id),
      );
    }
    if (demand.type === "owner") {
      return model.answer(item, writesOfList({ owner: demand.id }, reply.todos as ServerTodo[]), "");
    }
    if (temporary !== undefined) model.name(temporary, reply.id as string);
    model.answer(item, [], undefined, (below) => [
      ...changeLists(demand, reply, below),
      ...demand.type === "update" ? judgeLists(reply, Object.keys(reply), below) : [],
    ]);
    if (demand.type === "update" || demand.type === "move" || demand.type === "delete") this.confirmed.push(call);
  }

  #drop(call: Call, isInDoubt = false): void {
    call.to = this.#step;
    if (call.item.key !== undefined) this.#flyingReads.delete(call.item.key);
    // One that was not sent is in no doubt.
    this.model.drop(call.item, isInDoubt && call.settle !== undefined);
  }

  /** What mutations in doubt show goes when the product says so; at rest there is none. */
  protected forgetDoubts(): void {
    const { layers } = this.controller.store;
    const shown = new Set(layers.map(({ endpoint }) => this.#byEndpoint.get(endpoint)?.item));
    this.model.forgetDoubts((item) => shown.has(item));
  }

  #dropRead(key: string): void {
    const call = this.#flyingReads.get(key);
    if (call !== undefined) this.#drop(call);
  }

  /** The server does what was asked. */
  apply(at: number): void {
    const waiting = this.calls.filter(({ answer, settle }) => answer === undefined && settle !== undefined);
    if (waiting.length > 0) this.#apply(waiting[at % waiting.length]!);
  }

  #apply(call: Call): void {
    call.answer = { reply: this.server.apply(call.demand) };
  }

  /** A reply arrives, or is lost, before or after the server has done what was asked. */
  answer(at: number, fate: "comes" | "is lost" | "never reached the server"): void {
    const open = this.calls.filter(({ isOver, settle }) => !isOver && settle !== undefined);
    if (open.length > 0) this.reply(open[at % open.length]!, fate);
  }

  /** What became of one call arrives. */
  protected reply(call: Call, fate: Parameters<WholeClient["answer"]>[1]): void {
    if (call.answer === undefined && fate !== "never reached the server") this.#apply(call);
    call.isOver = true;
    const { resolve, reject } = call.settle!;
    const reply = call.answer?.reply;
    if (fate !== "comes") {
      reject(new NetworkError({ method: "POST", url: "https://api.test", cause: new Error("lost") }));
    } else if (reply === undefined) reject(new Error("404"));
    else resolve(structuredClone(reply));
  }

  /** The user gives a mutation up. */
  abort(at: number): void {
    const mutations = this.calls.filter(({ abort, item }) => abort !== undefined && item.state === "flying");
    const call = mutations[at % Math.max(1, mutations.length)];
    if (call === undefined) return;
    // First the model: readers are told at once.
    this.#drop(call, true);
    call.abort!.abort();
  }

  /** A read is given up for all who wait. */
  abortRead({ request }: Root): void {
    if (request === undefined) return;
    this.#dropRead(request.key);
    this.controller.abort(request.endpoint, ...request.args as [string]);
  }

  /** Nothing from before is shown, or written, any more. */
  reset(): void {
    for (const call of this.calls) if (call.item.state === "flying") this.#drop(call);
    this.model.reset();
    this.confirmed = [];
    this.controller.resetEntireStore();
  }

  /** Somebody mounts: an effect of signals that also asks for what it shows, or a plain watcher. */
  mount(root: Root, kind: "effect" | "watcher"): void {
    const { controller, controller: { store } } = this;
    const valueOf = () => root.view(controller).read(store.graph);
    const stops: (() => void)[] = [];
    const reader: Reader = { root, last: undefined, told: -1, stop: () => stops.forEach((stop) => stop()) };
    const told = () => {
      const value = valueOf();
      // Whoever asked under a temporary name is told when the server has given another.
      if (++reader.told > 0 && Object.is(value, reader.last) && !root.name.includes("~")) {
        this.failures.push(new Error(`who shows ${root.name} was told of nothing`));
      }
      reader.last = value;
    };
    // A plain watcher watches one view; who asks under a temporary name asks for another one when it has got its name.
    if (kind === "effect" || root.name.includes("~")) {
      stops.push(effect(() => {
        root.track(controller);
        told();
      }));
      if (root.request !== undefined) stops.push(this.#lease(root.request));
    } else {
      stops.push(watch(store, root.view(controller), told));
      told();
    }
    this.readers.push(reader);
  }

  #lease({ endpoint, args, key }: NonNullable<Root["request"]>): () => void {
    const { controller } = this;
    const flight: Flight = controller.findRead(endpoint, key) ?? controller.startRead(endpoint, args, key)!;
    this.follow(flight.promise);
    const release = controller.hold(flight);
    return () => {
      release();
      if (controller.findRead(endpoint, key) === undefined) this.#dropRead(key);
    };
  }

  /** Somebody leaves. */
  unmount(at: number): void {
    this.readers.splice(at % Math.max(1, this.readers.length), 1)[0]?.stop();
  }
}
