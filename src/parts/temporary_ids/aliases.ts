import type { Flight } from "../../controller/flight.ts";
import type { Network } from "../../controller/network.ts";
import { nameFirst } from "../../denormalize/key_of.ts";
import { makeDirty, type ViewNode } from "../../denormalize/node.ts";
import type { AnyEndpoint } from "../../endpoint/interface.ts";
import type { KeyedCall } from "../../endpoint/whole_call.ts";
import { EndpointError } from "../../errors/endpoint_error.ts";
import { NormalizeError } from "../../errors/normalize_error.ts";
import { pathOf } from "../../errors/path.ts";
import { said } from "../../errors/texts.ts";
import { type AnySchema, isSchemaObject } from "../../schemas/interface.ts";
import { nameOf } from "../../schemas/subjects.ts";
import type { Contents } from "../../store/contents.ts";
import type { Layer } from "../../store/layer.ts";
import type { Patch } from "../../store/patch.ts";
import type { Slot } from "../../store/slot.ts";
import type { Tables } from "../../store/tables.ts";
import { type NamedPk, withTexts } from "./with_texts.ts";

/**
 * What becomes of temporary ids. When a create commits, each is an alias of the server's pk from then on, and the row
 * keeps its place; requests that name one wait for that.
 */
export class Aliases {
  readonly #tables: Tables;
  readonly #pks = new Map<string, NamedPk>();
  /** Of records that have another name since: the one that they were seen under first. */
  readonly #firstNames = new WeakMap<object, string>();

  /** @param tables Of the store that gives the ids. */
  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** The server's pk for a temporary id; `undefined` when it has none, or the text is no temporary id. */
  pkOf(id: string): string | undefined {
    const pk = this.#pks.get(id);
    return pk === undefined ? undefined : String(pk);
  }

  /**
   * A value with the server's pks in place of temporary ids.
   *
   * @param value Arguments of a call.
   * @param more Ids that are about to be replaced.
   * @returns The value itself where nothing is to be replaced.
   */
  resolve<T>(value: T, more: ReadonlyMap<string, NamedPk> = NONE): T {
    if (this.#pks.size + more.size === 0) return value;
    return withTexts(value, (text) => more.get(text) ?? this.#pks.get(text) ?? text) as T;
  }

  /** The same for a query. Objects of classes, schemas or not, are taken as they are: an entity may hold half the store. */
  resolveEach(args: readonly unknown[]): readonly unknown[] {
    return this.#pks.size === 0 ? args : args.map((arg) => isSchemaObject(arg) ? arg : this.resolve(arg));
  }

  /** The same for a call. */
  callOf(call: KeyedCall<AnyEndpoint>): KeyedCall<AnyEndpoint> {
    const { endpoint } = call;
    const args = this.resolve(call.args);
    return args === call.args ? call : { endpoint, args, key: endpoint.key(...args) };
  }

  /**
   * The temporary ids in a value that the server has not replaced.
   *
   * @param value Arguments of a call; forms and containers are looked through.
   */
  unnamedIn(value: unknown): ReadonlySet<string> {
    const found = new Set<string>();
    const { idToken, idCount } = this.#tables;
    if (idCount > 0) {
      withTexts(value, (text) => {
        // One that was given once: also when the record that it named is gone, it is nobody else's.
        const isOurs = text.startsWith(idToken) && Number(text.slice(idToken.length)) <= idCount;
        if (isOurs && !this.#pks.has(text)) found.add(text);
        return text;
      });
    }
    return found;
  }

  /**
   * Refuses to write by hand what names a record that the server has not made yet: the base would hold a reference that
   * nobody could ever follow.
   *
   * @throws {NormalizeError} If the value holds such an id.
   */
  refuse(value: unknown, schema: AnySchema): void {
    for (const id of this.unnamedIn(value)) {
      throw new NormalizeError(nameOf(schema), pathOf(value, id) ?? "", said(308, { id }));
    }
  }

  /** Whether arguments are about a record that none of some layers is going to make: nothing of it is ever sent. */
  isLost(args: readonly unknown[], layers: readonly Layer[]): boolean {
    return [...this.unnamedIn(args)].some((id) => !layers.some(({ temporary: { ids } }) => ids.includes(id)));
  }

  /**
   * The server's pks of what a mutation showed under temporary ids: what it showed and what its reply became have the same
   * form. As the records have them: what the server keeps as a number is sent as one.
   *
   * @param patch Has written the reply.
   */
  given(patch: Patch, { temporary: { ids, shown } }: Layer): ReadonlyMap<string, NamedPk> {
    const pks = new Map<string, NamedPk>();
    const stack: [shown: unknown, result: unknown][] = [[shown, patch.result]];
    while (stack.length > 0 && pks.size < ids.length) {
      const [one, two] = stack.pop()!;
      if (typeof one === "string") {
        if (ids.includes(one) && typeof two === "string" && two !== "" && two !== one) {
          pks.set(one, rawPk(patch, one, two));
        }
      } else if (typeof one === "object" && one !== null && typeof two === "object" && two !== null) {
        for (const [name, member] of Object.entries(one)) {
          if (Object.hasOwn(two, name)) stack.push([member, (two as Record<string, unknown>)[name]]);
        }
      }
    }
    return pks;
  }

  /** Puts what the server has named behind its temporary id, which goes. What comes later is put in again: a few rows. */
  place({ names }: Patch): void {
    for (const [id, pk] of names) {
      for (const { slots } of this.#tables.byKey.values()) putBehind(slots, id, String(pk));
    }
  }

  /** The server has named records: they take the place of what was shown under temporary ids. */
  rename(store: Contents, { names }: Patch, turned: ViewNode[]): void {
    for (const [id, pk] of names) {
      this.#pks.set(id, pk);
      // Told whatever it reads now: who asked with that id asks for another view from now on.
      for (const view of watchedBy(store, id)) store.broken.add(view);
      for (const { slots, key } of this.#tables.byKey.values()) {
        const slot = slots.get(String(pk));
        const shown = slots.get(id);
        if (shown === undefined || slot === undefined) continue;
        // Where another layer hid it, nothing of it has changed.
        for (let { node } = shown; node !== undefined; node = node.sibling) {
          if (node.watchers !== undefined) store.broken.add(node);
        }
        this.#firstNames.set(slot, id);
        store.graph.built = (made, instance) => {
          const name = this.#firstNames.get(made);
          if (name !== undefined) nameFirst(instance, name);
        };
        // An object that was made of it before has the other name.
        for (let { node } = slot; node !== undefined; node = node.sibling) {
          node.built = undefined;
          makeDirty(node, turned);
        }
        slots.delete(id);
        store.graph.turnTable(key, turned);
      }
    }
  }

  /**
   * Forgets what records are called that are not there any more. Their temporary ids are nobody else's: whoever still
   * has one names nothing, and the server is never asked for it.
   */
  collect(): void {
    const tables = [...this.#tables.byKey.values()];
    for (const [id, pk] of this.#pks) if (!tables.some(({ slots }) => slots.has(String(pk)))) this.#pks.delete(id);
  }

  /** After a reset nobody knows what the ids were for. */
  clear(): void {
    this.#pks.clear();
  }

  /**
   * What waits for a pk that has been given is called by it, and stands in the line of the record, before anybody else
   * joins that or asks for it.
   */
  give(network: Network): void {
    if (this.#pks.size === 0) return;
    const { flights } = network;
    for (const flight of flights) {
      if (flight.isReady || !flight.endpoint.sideEffect) continue;
      try {
        this.#give(flight, flights);
      } catch (reason) {
        network.fail(flight, reason);
      }
    }
  }

  /** A mutation whose arguments have other pks now stands in the line of what they name. */
  #give(flight: Flight, { lines }: Network["flights"]): void {
    const { args, key } = this.callOf(flight);
    if (args === flight.args) return;
    flight.args = args;
    flight.key = key;
    if (flight.scope !== undefined) lines!.rename(flight);
  }

  /**
   * Waits until the server has named what a call is about. A read is over then.
   *
   * @throws {EndpointError} If it never will.
   */
  async wait(network: Network, flight: Flight): Promise<void> {
    const { abort, endpoint: { name, sideEffect }, unnamed } = flight;
    for (const id of unnamed!) {
      const maker = [...network.flights].find(({ layer }) => layer?.temporary.ids.includes(id));
      let cause: unknown;
      await maker?.promise.catch((reason) => cause = reason);
      if (!this.#pks.has(id)) throw new EndpointError(name, said(606, { name, id, cause }), { cause });
    }
    if (flight.abort !== abort) return;
    if (sideEffect) this.#give(flight, network.flights);
    else this.#handOver(network, flight);
  }

  /** A read of what has another pk now is a read of that. */
  #handOver(network: Network, flight: Flight): void {
    network.end(flight);
    const read = { ...this.callOf(flight), type: "fetch" } as const;
    const answer = network.dispatch(read);
    network.flights.find(read)?.awaitedBy(flight.endpoint.signal);
    Promise.resolve(answer).then(flight.resolve, flight.reject);
    network.conclude(flight);
  }
}

const NONE: ReadonlyMap<string, NamedPk> = /* @__PURE__ */ new Map();

function putBehind(slots: Map<string, Slot>, id: string, pk: string): void {
  const slot = slots.get(pk);
  if (slot === undefined || !slots.has(id)) return;
  slots.delete(pk);
  const pks = [...slots.keys()];
  slots.set(pk, slot);
  for (const later of pks.slice(pks.indexOf(id) + 1)) {
    const other = slots.get(later)!;
    slots.delete(later);
    slots.set(later, other);
  }
}

/** The watched views that were asked for with arguments in which a temporary id is. */
function* watchedBy(store: Contents, id: string): Iterable<ViewNode> {
  const name = new RegExp(`${id}(?!\\d)`);
  const isIn = (key: unknown) => typeof key === "string" && name.test(key);
  for (const views of store.graph.viewSets()) {
    for (const [key, view] of views) if (view.watchers !== undefined && isIn(key)) yield view;
  }
  for (const view of store.responses(isIn)) if (view.watchers !== undefined) yield view;
}

function rawPk(patch: Patch, id: string, pk: string): NamedPk {
  for (const { slots, plans: [plan] } of patch.store.tables.byKey.values()) {
    const record = slots.has(id) && plan !== undefined ? patch.recordOf(plan, pk) : undefined;
    const raw = record && plan!.entity.pk({ ...record }, undefined, undefined, []);
    if ((typeof raw === "number" || typeof raw === "bigint") && String(raw) === pk) return raw;
  }
  return pk;
}
