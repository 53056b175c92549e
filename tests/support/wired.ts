// deno-lint-ignore-file no-explicit-any -- resources of scenes
/**
 * Resources whose requests wait until the test answers them.
 *
 * @module
 */
import { Controller, Endpoint, Entity, NetworkError, resource } from "@rejoin/data";
import { Reader } from "./mounted.ts";

/** Waits one task, in which queued microtasks run. */
export const tick = (ms = 0): Promise<void> => new Promise((go) => setTimeout(go, ms));
/** Defines a test that may leave requests open. */
export const test = (name: string, fn: () => void | Promise<void>): void =>
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false, fn });

export class User extends Entity {
  id = "";
  name = "";
  static override key = "User";
}
export class Todo extends Entity {
  id = "";
  title = "";
  done = false;
  userId = "";
  user: any = User.fromJS();
  at: any = new Date(0);
  tags: any[] = [];
  static override key = "Todo";
  static override schema: any = { user: User, at: Date, tags: [User] };
}
/** A read of a plain list, apart from those of the resources. */
export const list: any = new Endpoint(async () => await Promise.resolve([] as any), {
  name: "list",
  schema: [Todo] as any,
});
export class Film extends Entity {
  id = "";
  title = "";
  year = 0;
  genre = "";
  director: any = undefined;
  static override key = "Film";
  static override schema: any = {};
}
export class Person extends Entity {
  id = "";
  name = "";
  static override key = "Person";
}
Film.schema = { director: Person };
export const urlPrefix = "http://films.test";

/** A resource, a controller, and the requests in `calls`, each with `reply` and `fail`. */
export interface Wired {
  readonly R: any;
  readonly c: any;
  readonly calls: any[];
  fetch(this: any, ...args: any[]): Promise<any>;
  go(call: any, reply: any): Promise<void>;
  refuse(call: any, status?: number): Promise<void>;
}

function wire(make: any, options: any, use: any[] = []): Wired {
  const calls: any[] = [];
  const fetch = function (this: any, ...args: any[]): Promise<any> {
    const { params, body } = this.readArgs(args), name = this.name.split(".").at(-1);
    return new Promise((reply, fail) =>
      calls.push({ name, url: this.url(params), params, body, reply, fail, signal: this.signal })
    );
  };
  return {
    R: make({ ...options, fetch }),
    c: new Controller({ use }),
    calls,
    fetch,
    go: async (call, reply) => {
      call.reply(reply);
      await tick();
    },
    refuse: async (call, status) => {
      call.fail(Object.assign(new NetworkError(602), { status }));
      await tick();
    },
  };
}
export const wired = (make: any = resource, more: any = {}, use?: any[]): Wired =>
  wire(make, { path: "/todos/:id", schema: Todo, ...more }, use);
export const wiredFilms = (make: any = resource, more: any = {}): Wired =>
  wire(make, { urlPrefix, path: "/films/:id", schema: Film, ...more });

export const ids = (list: any): any => list?.map((one: any) => one.id);
export const idsOf = (list: any): any => ids(list)?.join();
export const fresh = (c: any, endpoint: any, ...args: any[]): boolean => {
  const { data, expiresAt } = c.getResponse(endpoint, ...args);
  return data !== undefined && expiresAt > 0;
};
/** Mounts a reader of a call. `count()` tells how often it was called. */
export function mount(c: any, endpoint: any, ...args: any[]): any {
  let told = 0;
  const reader = new Reader(c, () => told++);
  reader.follow(endpoint, args);
  return Object.assign(reader, { count: () => told });
}
/** Runs with replies in place of the network. Returns the requested URLs. */
export async function served(replies: (() => any)[], run: () => Promise<void>): Promise<string[]> {
  const real = globalThis.fetch, urls: string[] = [];
  globalThis.fetch = (async (url: any) => {
    urls.push(url);
    const one = await replies.shift()!();
    if (one instanceof Error) throw one;
    return one;
  }) as any;
  try {
    await run();
  } finally {
    globalThis.fetch = real;
  }
  return urls;
}
