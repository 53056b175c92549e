/**
 * This library, used as an application without a UI uses it.
 *
 * @module
 */
import { effect } from "@preact/signals-core";
import { Controller, denormalize, Endpoint, Entity, normalize, Query, schema, Sorter, stateOf } from "@rejoin/data";
import { type CallContext, type CallReply, remember, remembered } from "@rejoin/data/extend";
import { readQuery } from "@rejoin/data/signals";
import type { Contestant, DepthStore, IssueView, ProjectView, RawKnot, ShowIssue, Store } from "../contestant.ts";
import { byTitle, type RawIssue, type RawProject, type Workload } from "../workload.ts";
import { Issue, User } from "./our_entities.ts";

class Topic extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Topic";
}

class Project extends Entity {
  id = "";
  name = "";
  visibility = "";
  stars = 0;
  owner = User.fromJS();
  topics: Topic[] = [];
  pk() {
    return this.id;
  }
  static key = "Project";
  static schema = { owner: User, topics: [Topic] };
}

/** The same rows, found by two of their members as well. */
class IndexedIssue extends Issue {
  static indexes = ["number", "url"];
}

class Knot extends Entity {
  id = "";
  value = 0;
  next: Knot | undefined = undefined;
  tooth: Knot | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Knot";
  static schema = {};
}
Knot.schema = { next: Knot, tooth: Knot };

/** In which form our store takes part. */
export interface Form {
  readonly name: string;
  /** The only scenarios that it is for. */
  readonly only?: readonly string[];
  /** Whether the class of the rows has indexes. */
  readonly isIndexed?: boolean;
  /** Whether a read is on the wire during what is measured: every record that is written gets a tail. */
  readonly isBusy?: boolean;
}

/** The arguments of every read of the list, as a page gives them: a new object each time, of which a key is made. */
const listOf = () => ({ repo: "rejoin", state: "all" });
type ListArgs = ReturnType<typeof listOf>;

/** The endpoints and queries of rows of one class. */
function declarationsOf(issue: typeof Issue) {
  return {
    issue,
    getIssues: new Endpoint((_args: ListArgs): Promise<RawIssue[]> => Promise.resolve([]), {
      name: "getIssues",
      schema: [issue],
    }),
    editIssue: new Endpoint((change: { id: string; title: string }) => Promise.resolve(change), {
      name: "editIssue",
      schema: issue,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, change: { id: string; title: string }) => change,
    }),
    sorted: new Query(new schema.All(issue), (all) => all.toSorted(byTitle)),
    top: new Query(new schema.All(issue), {
      Sorter,
      filter: (row: Issue, _limit: number) => row.state === "open",
      sort: byTitle,
      limit: (limit: number) => limit,
    }),
  };
}

type Declarations = ReturnType<typeof declarationsOf>;
const declarations = declarationsOf(Issue);
const indexedDeclarations = declarationsOf(IndexedIssue);

const getProjects = new Endpoint((): Promise<RawProject[]> => Promise.resolve([]), {
  name: "getProjects",
  schema: [Project],
});
/** A read that stays on the wire; it says that it keeps a deadline itself, so that no clock runs. */
const getForever = Object.assign(new Endpoint(() => new Promise<never>(() => {}), { name: "getForever" }), {
  hasDeadline: true,
});

class OurStore implements Store {
  readonly #controller = new Controller();
  readonly #declared: Declarations;
  readonly #isBusy: boolean;
  readonly findByNumber?: (number: number) => IssueView | undefined;
  #release: (() => void) | undefined;

  constructor({ isIndexed = false, isBusy = false }: Form) {
    this.#declared = isIndexed ? indexedDeclarations : declarations;
    this.#isBusy = isBusy;
    if (isIndexed) this.findByNumber = (number) => this.#controller.get(IndexedIssue, { number });
  }

  writeIssues(response: RawIssue[]): void {
    this.#controller.setResponse(this.#declared.getIssues, listOf(), response);
  }
  writeIssue(change: { id: string; title: string }): void {
    this.#controller.set(this.#declared.issue, { id: change.id }, change);
  }
  writeUser(change: { id: string; name: string }): void {
    this.#controller.set(User, { id: change.id }, change);
  }
  readIssues(): readonly IssueView[] {
    return this.#controller.getResponse(this.#declared.getIssues, listOf()).data ?? [];
  }
  readSorted(): readonly IssueView[] {
    return this.#controller.getResponse(this.#declared.sorted).data ?? [];
  }
  writeProjects(response: RawProject[]): void {
    this.#controller.setResponse(getProjects, response);
  }
  readProjects(): readonly ProjectView[] {
    return this.#controller.getResponse(getProjects).data ?? [];
  }

  holdIssues(): () => readonly IssueView[] {
    const { store } = this.#controller;
    const { getIssues } = this.#declared;
    const view = store.response(getIssues, [listOf()], getIssues.key(listOf()));
    return () => view.read(store.graph).data as readonly IssueView[];
  }
  readTop(limit: number): readonly IssueView[] {
    return this.#controller.getResponse(this.#declared.top, limit).data ?? [];
  }
  watchIssue(id: string, show: ShowIssue): () => void {
    return effect(() => {
      const row = readQuery(this.#controller, this.#declared.issue, { id });
      if (row !== undefined) show(row);
    });
  }

  /** A refetch and an edit are on the wire together; rows are written meanwhile; the replies come in the other order. */
  async overlap(workload: Workload): Promise<void> {
    const { getIssues, editIssue } = this.#declared;
    const edited = workload.issueId(0);
    const list = later<RawIssue[]>();
    const refetch = this.#controller.fetch(getIssues.extend({ fetch: (_args: ListArgs) => list.promise }), listOf());
    const reply = later<{ id: string; title: string }>();
    const edit = this.#controller.fetch(
      editIssue.extend({ fetch: (_change: { id: string; title: string }) => reply.promise }),
      { id: edited, title: "being edited" },
    );
    for (let row = 0; row < workload.n; row += Math.ceil(workload.n / 20)) {
      this.writeIssue({ id: workload.issueId(row), title: `meanwhile ${row}` });
    }
    this.readIssues();
    reply.resolve({ id: edited, title: "edited" });
    await edit;
    list.resolve(workload.issues());
    await refetch;
    this.readIssues();
  }
  /** Requests take promises; what a reply goes through when its text is there does not, and is what is called here. */
  async receiveIssues(text: string): Promise<(text: string) => boolean> {
    const { getIssues: endpoint } = this.#declared;
    const args = [listOf()];
    const key = endpoint.key(listOf());
    const controller = this.#controller;
    const { entries, sequence } = controller.store;
    const fetchReply = async (context: CallContext) => await remember(context, { value: JSON.parse(text), memo: text });
    await controller.fetch(Object.assign(endpoint.extend({}), { fetchReply }), listOf());
    return (text) => {
      const ticket = sequence.start(false);
      const { seq } = ticket;
      const last = entries.get(key, endpoint)?.memo;
      const context = { owner: controller.store, call: { endpoint, key, seq, memo: last } } as unknown as CallContext;
      const { memo, isCurrent } = remembered(context);
      const isSame = isCurrent && memo === text;
      const reply = remember(context, { value: undefined, memo: text, unchanged: isSame }) as CallReply;
      sequence.settle(ticket);
      const answer = { endpoint, args, key, seq, date: Date.now(), ticket, reply };
      controller.dispatch(
        reply.renewal
          ? { type: "renew", ...answer, reduce: reply.renewal.reduce }
          : { type: "setResponse", ...answer, response: JSON.parse(text) },
      );
      return isSame;
    };
  }
  renewRequest(): void {
    if (!this.#isBusy) return;
    this.#release?.();
    const flight = this.#controller.startRead(getForever, [], getForever.key());
    this.#release = flight && this.#controller.hold(flight);
  }
}

/** A promise that is settled from outside; Node 20 has no Promise.withResolvers(). */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  return { promise: new Promise<T>((settle) => resolve = settle), resolve: (value) => resolve(value) };
}

const getKnots = new Endpoint((): Promise<RawKnot> => Promise.reject(new Error("unused")), {
  name: "getKnots",
  schema: Knot,
});

function createDepthStore(): DepthStore {
  const controller = new Controller();
  return {
    write: (root) => controller.setResponse(getKnots, root),
    read: () => controller.getResponse(getKnots).data as RawKnot | undefined,
    dehydrate: () => stateOf(controller),
  };
}

function contestantOf(form: Form): Contestant {
  return {
    name: form.name,
    promises: { classes: true, identity: true, equalRefetch: true, watching: true },
    issueClass: form.isIndexed ? IndexedIssue : Issue,
    ...form.only && { only: form.only },
    createStore: () => new OurStore(form),
  };
}

/** Rejoin. */
export const ours: Contestant = {
  ...contestantOf({ name: "ours" }),
  pure: {
    normalize: (response) => normalize([Issue], response),
    denormalize(normalized) {
      const { result, entities } = normalized as ReturnType<typeof normalize<[typeof Issue]>>;
      return denormalize([Issue], result, entities) ?? [];
    },
  },
  loadCalls: async () => (await import("./our_calls.ts")).ourCalls,
  createDepthStore,
  loadBulk: async () => (await import("./our_bulk.ts")).OUR_BULK,
};

/** Rejoin where all that the order of writes needs is in place: indexes, and a request older than each write. */
export const oursBusy: Contestant = contestantOf({
  name: "ours-busy",
  only: ["write-empty", "write-same", "write-one", "write-few", "read-after-1"],
  isIndexed: true,
  isBusy: true,
});
