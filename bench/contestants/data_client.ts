/**
 * data-client's normalizer and memo cache. State, writes and reads are put together as in its own reducer and
 * controller: immutable tables, and one `MemoCache` per store.
 *
 * `@data-client/normalizr` accepts every class that follows its entity protocol. The base class below does in each step
 * what the library's own `Entity` (of `@data-client/endpoint`) does, so that no second package of exactly the same
 * version is needed. It leaves out indexes and the texts of errors.
 *
 * @module
 */
import {
  denormalize,
  type IDenormalizeDelegate,
  type INormalizeDelegate,
  type IQueryDelegate,
  MemoCache,
  normalize,
} from "@data-client/normalizr";
import type { Contestant, IssueView, ProjectView, ShowIssue } from "../contestant.ts";
import { byTitle, type RawIssue, type RawProject } from "../workload.ts";

interface Meta {
  date: number;
  fetchedAt: number;
  expiresAt: number;
}

// deno-lint-ignore no-explicit-any -- the protocol of the peer is untyped
type Plain = any;

abstract class Entity {
  static schema: Record<string, Plain> = {};
  static key: string;
  abstract pk(parent?: Plain, key?: string, args?: readonly Plain[]): string;

  static pk(value: Plain, parent?: Plain, key?: string, args?: readonly Plain[]): string {
    return this.prototype.pk.call(value, parent, key, args);
  }
  static process(value: Plain, _parent: Plain, _key: string | undefined, _args: readonly Plain[]): Plain {
    return { ...value };
  }
  static validate(_value: Plain): string | undefined {
    return undefined;
  }
  static shouldUpdate(_existingMeta: Meta, _incomingMeta: Meta, _existing: Plain, _incoming: Plain): boolean {
    return true;
  }
  static shouldReorder(existingMeta: Meta, incomingMeta: Meta, _existing: Plain, _incoming: Plain): boolean {
    return incomingMeta.fetchedAt < existingMeta.fetchedAt;
  }
  static merge(existing: Plain, incoming: Plain): Plain {
    return { ...existing, ...incoming };
  }
  static mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: Plain, incoming: Plain): Plain {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing;
    if (typeof incoming !== typeof existing) return incoming;
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming);
  }
  static mergeMetaWithStore(existingMeta: Meta, incomingMeta: Meta, existing: Plain, incoming: Plain): Meta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta;
  }

  static normalize(input: Plain, parent: Plain, key: string | undefined, delegate: INormalizeDelegate): string {
    const processed = this.process(input, parent, key, delegate.args);
    const id = `${this.pk(processed, parent, key, delegate.args)}`;
    if (delegate.checkLoop(this.key, id, input)) return id;
    const problem = this.validate(processed);
    if (problem) throw new Error(problem);
    for (const field of Object.keys(this.schema)) {
      if (Object.hasOwn(processed, field)) {
        processed[field] = delegate.visit(this.schema[field], processed[field], processed, field);
      }
    }
    delegate.mergeEntity(this, id, processed);
    return id;
  }

  static createIfValid(record: Plain): Plain {
    if (this.validate(record)) return undefined;
    const instance = new (this as Plain)();
    Object.assign(instance, record);
    return instance;
  }

  static denormalize(input: Plain, delegate: IDenormalizeDelegate): Plain {
    if (typeof input === "symbol") return input;
    for (const field of Object.keys(this.schema)) {
      const value = delegate.unvisit(this.schema[field], input[field]);
      if (typeof value === "symbol") {
        if (this.defaults[field]) return value;
        input[field] = undefined;
      } else {
        input[field] = value;
      }
    }
    return input;
  }

  static queryKey(args: readonly Plain[], _unvisit: unknown, delegate: IQueryDelegate): string | undefined {
    const pk = `${this.pk(args[0], undefined, "", args)}`;
    return delegate.getEntity(this.key, pk) ? pk : undefined;
  }

  static get defaults(): Plain {
    if (!Object.hasOwn(this, "ownDefaults")) {
      Object.defineProperty(this, "ownDefaults", { value: new (this as Plain)() });
    }
    return (this as Plain).ownDefaults;
  }
}

class User extends Entity {
  id = "";
  login = "";
  name = "";
  email = "";
  avatarUrl = "";
  followers = 0;
  pk() {
    return this.id;
  }
  static override key = "User";
}

class Label extends Entity {
  id = "";
  name = "";
  color = "";
  description = "";
  pk() {
    return this.id;
  }
  static override key = "Label";
}

class Issue extends Entity {
  id = "";
  number = 0;
  title = "";
  body = "";
  state = "";
  comments = 0;
  url = "";
  createdAt = "";
  updatedAt = "";
  user = new User();
  labels: Label[] = [];
  pk() {
    return this.id;
  }
  static override key = "Issue";
  static override schema = { user: User, labels: [Label] };
}

class Topic extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static override key = "Topic";
}

class Project extends Entity {
  id = "";
  name = "";
  visibility = "";
  stars = 0;
  owner = new User();
  topics: Topic[] = [];
  pk() {
    return this.id;
  }
  static override key = "Project";
  static override schema = { owner: User, topics: [Topic] };
}

/** Every issue of the table, processed: the library's `Query` over its `All`. */
function queryIssues(process: (rows: readonly IssueView[]) => IssueView[]) {
  return {
    normalize: (input: Plain) => input,
    queryKey(_args: readonly Plain[], _unvisit: unknown, delegate: IQueryDelegate): Plain {
      const entries = delegate.getEntities(Issue.key)?.entries();
      if (entries === undefined) return delegate.INVALID;
      return Array.from(entries, ([, record]) => record && Issue.pk(record));
    },
    denormalize: (input: Plain, delegate: IDenormalizeDelegate) => process(delegate.unvisit([Issue], input)),
  };
}

const sortedIssues = queryIssues((rows) => rows.toSorted(byTitle));

class DataClientStore {
  #state: Plain = { entities: {}, indexes: {}, entitiesMeta: {}, endpoints: {} };
  #memo = new MemoCache();
  #readers = new Set<() => void>();

  writeIssues(response: RawIssue[]): void {
    this.#write([Issue], response, "getIssues");
  }
  writeIssue(change: { id: string; title: string }): void {
    this.#write(Issue, change);
  }
  writeUser(change: { id: string; name: string }): void {
    this.#write(User, change);
  }
  readIssues(): IssueView[] {
    return this.#read([Issue], "getIssues");
  }
  readSorted(): IssueView[] {
    return this.#memo.query(sortedIssues as Plain, [], this.#state).data as Plain;
  }
  writeProjects(response: RawProject[]): void {
    this.#write([Project], response, "getProjects");
  }
  readProjects(): ProjectView[] {
    return this.#read([Project], "getProjects");
  }

  /** As its hooks do, each reader reads the whole state again after each write, and compares. */
  watchIssue(id: string, show: ShowIssue): () => void {
    let last: unknown;
    const read = () => {
      const row: Plain = this.#memo.query(Issue as Plain, [{ id }], this.#state).data;
      if (row === last || row === undefined) return;
      last = row;
      show(row);
    };
    this.#readers.add(read);
    read();
    return () => this.#readers.delete(read);
  }

  #write(schema: Plain, input: Plain, endpoint?: string): void {
    const now = Date.now();
    const meta: Meta = { date: now, fetchedAt: now, expiresAt: now + 60_000 };
    const { result, entities, indexes, entitiesMeta } = normalize(schema, input, [], this.#state, meta);
    const endpoints = endpoint === undefined ? this.#state.endpoints : { ...this.#state.endpoints, [endpoint]: result };
    this.#state = { entities, indexes, entitiesMeta, endpoints };
    for (const read of this.#readers) read();
  }

  #read<Row>(schema: Plain, endpoint: string): Row[] {
    return this.#memo.denormalize(schema, this.#state.endpoints[endpoint], this.#state.entities).data as Row[];
  }
}

/** data-client 0.18. */
export const dataClient: Contestant = {
  name: "data-client",
  createStore: () => new DataClientStore(),
  pure: {
    normalize: (response) => normalize([Issue], response),
    denormalize(normalized) {
      const { result, entities } = normalized as Plain;
      return denormalize([Issue] as Plain, result, entities) as IssueView[];
    },
  },
};
