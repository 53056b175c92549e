/**
 * Lives of a client whose server has many kinds of things and of answers: summaries in lists and details by themselves,
 * also under a slug and in an envelope; a feed of several classes, of which a row may become another; pks of two members
 * that change; records that are made inside others; calls that edit, delete and join many; rows under names. Which of
 * them is read for the first time when all is quiet, is part of the case.
 *
 * What the model allows, and why:
 * - The place of what joins a list: the server's own order is nobody's business.
 * - A row becomes another class when nothing is on the wire: by a pk, nobody knows of which class another edit is.
 * - No answer to a call for many is lost: which records it names, only the app knows.
 * - The store has met the class of the detail: of a summary's reply, it does not know what is in it before.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  conditional,
  Controller,
  Entity,
  latest,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  schema,
  serial,
  stateOf,
  validateRequired,
} from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";
import { type Json, KindsServer, type Row, type Voice, VOICES } from "../support/kinds_server.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

class Person extends Entity {
  id = "";
  name = "";
  static key = "Person";
}
class Card extends Entity {
  id = "";
  type = "";
  slug = "";
  title = "";
  status = "";
  authorId = "";
  author: Person | undefined = undefined;
  static key = "Post";
  static schema = { author: Person };
}
class Comment extends Entity {
  id = "";
  text = "";
  postId = "";
  static key = "Comment";
}
class Post extends Card {
  body = "";
  comments: Comment[] = [];
  static override schema = {
    ...Card.schema,
    comments: new schema.Collection([Comment], { nestKey: ({ id }: { id: string }) => ({ postId: id }) }),
  };
  static validate = (record: object) => validateRequired(record, { body: "" });
}
class Note extends Entity {
  id = "";
  type = "";
  text = "";
  status = "";
  static key = "Note";
}
class Task extends Entity {
  project = "";
  number = "";
  label = "";
  static key = "Task";
  pk() {
    return this.project && this.number ? `${this.project}/${this.number}` : undefined;
  }
}
class Setting extends Entity {
  id = "";
  value = "";
  static key = "Setting";
}

const OPS = [
  ["posts", 4],
  ["post", 4],
  ["slug", 2],
  ["feed", 4],
  ["comments", 2],
  ["tasks", 3],
  ["settings", 1],
  ["make", 3],
  ["make within", 3],
  ["edit", 5],
  ["move", 4],
  ["name", 2],
  ["put", 2],
  ["delete", 2],
  ["edit many", 2],
  ["drop many", 2],
  ["join", 2],
  ["make note", 2],
  ["become", 3],
  ["drop", 2],
  ["comment", 3],
  ["move comment", 2],
  ["edit task", 2],
  ["number task", 2],
  ["drop task", 1],
  ["set", 1],
  ["apply", 14],
  ["answer", 22],
  ["lose", 1],
] as const;
type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];
const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(11),
  fc.nat(7),
);
const STATUS: readonly Row[] = [{}, { status: "a" }, { status: "b" }];
const SLUGS = ["s0", "s1", "t0"];

interface Life {
  readonly voice: Voice;
  readonly isOptimistic: boolean;
  readonly isConditional: boolean;
  readonly scope: "none" | "serial" | "latest";
  readonly ops: readonly Op[];
}

async function live({ voice, isOptimistic, isConditional, scope, ops }: Life): Promise<void> {
  const clock = new FakeClock();
  using _clock = clock.install();
  const server = new KindsServer(voice);
  using _fetch = replaceGlobals({ fetch: (url: string, init?: RequestInit) => server.send(url, init) });
  const options = {
    urlPrefix: "https://api.test",
    optimistic: isOptimistic as true,
    use: isConditional ? [conditional()] : [],
    ...scope !== "none" && { scope: (scope === "serial" ? serial : latest)("record") },
    searchParams: {} as Row | undefined,
  };
  const posts = resource({ ...options, path: "/posts/:id", schema: Card }).extend("get", { schema: Post });
  const feed = resource({
    ...options,
    path: "/feed/:id",
    schema: new schema.Union({ post: Card, note: Note }, "type"),
  });
  const notes = resource({ ...options, path: "/notes/:id", schema: Note });
  const comments = resource({ ...options, path: "/comments/:id", schema: Comment });
  const tasks = resource({ ...options, path: "/projects/:project/tasks/:number", schema: Task });
  const values = new schema.Collection(new schema.Values(Setting));
  const { urlPrefix, use } = options;
  const bySlug = new RestEndpoint({ urlPrefix, use, path: "/slugs/:slug", schema: Post });
  const box = new RestEndpoint({ urlPrefix, use, path: "/boxes/:id", schema: { data: Post } });
  const settings = new RestEndpoint({ urlPrefix, use, path: "/settings", schema: values });
  const post = { urlPrefix, method: "POST", body: {} as object } as const;
  const set = new RestEndpoint({ ...post, path: "/settings", schema: values.assign });
  const editMany = new RestEndpoint({ ...post, path: "/posts/edit", schema: [Card] });
  const dropMany = new RestEndpoint({ ...post, path: "/posts/drop", schema: [new schema.Invalidate(Card)] });
  const join = new RestEndpoint({
    ...post,
    path: "/posts/join",
    schema: { kept: Card, gone: new schema.Invalidate(Card) },
  });
  using controller = new Controller();
  controller.get(Post, "none");

  /** What is called fresh, against the truth. */
  const look = (): void => {
    const same = (read: unknown, args: Row, truth: unknown) => {
      const { data, expiresAt, error } = controller.getResponseMeta(read as ReadEndpoint, args);
      if (data === undefined || error !== undefined || expiresAt <= clock.now()) return;
      assertEquals(
        seen(data, truth),
        seen(truth, truth),
        `${(read as ReadEndpoint).name} ${JSON.stringify(args)} is fresh`,
      );
    };
    for (const args of STATUS) {
      same(posts.getList, args, server.rows("posts", args).map((row) => server.card(row)));
      same(feed.getList, args, server.feed(args));
    }
    for (const args of [{}, { postId: "3" }]) same(comments.getList, args as Row, server.rows("comments", args as Row));
    for (let at = 1; at <= server.lastId + 1; at++) {
      const id = String(at);
      const row = server.tables.posts.get(id);
      same(posts.get, { id }, row && server.post(row));
      same(box, { id }, row && { data: server.post(row) });
      same(feed.get, { id }, row ? server.item(row) : server.tables.notes.get(id));
    }
    for (const slug of SLUGS) same(bySlug, { slug }, server.bySlug(slug));
    for (const project of ["1", "2"]) {
      same(tasks.getList, { project }, server.rows("tasks", { project }));
      same(tasks.get, { project, number: "1" }, server.tables.tasks.get(`${project}/1`));
    }
    same(settings, {}, Object.fromEntries(server.tables.settings));
  };
  const isQuiet = () => server.sent.length === 0 && controller.store.sequence.size === 0;
  const settle = async () => {
    for (let turn = 0; turn < 300 && !isQuiet(); turn++) {
      if (server.sent.length === 0) await clock.tickAsync(1_000);
      server.answer(0);
      await flush();
    }
    assert(isQuiet(), "requests without end");
    await clock.tickAsync(200);
  };

  for (const [at, [name, a, b]] of ops.entries()) {
    const pick = (table: keyof KindsServer["tables"]) =>
      [...server.tables[table].keys(), "99"][a % (server.tables[table].size + 1)]!;
    const [id, note, comment] = [pick("posts"), pick("notes"), pick("comments")];
    const [status, title, one] = ["ab"[b % 2]!, `t${at}`, String(a % 2 + 1)];
    const [project, number] = pick("tasks").split("/") as [string, string?];
    const task = { project, number: number ?? "9" };
    const slug = SLUGS[b % 3]!;
    const isTaken = server.bySlug(slug) !== undefined || server.sent.some(({ body }) => body.slug === slug);
    const calls: { readonly [name: string]: () => Promise<unknown> | undefined | false } = {
      posts: () => controller.fetch(posts.getList, STATUS[a % 3]),
      post: () => controller.fetch(b % 3 ? posts.get : box, { id }),
      slug: () => controller.fetch(bySlug, { slug }),
      feed: () =>
        b % 2 ? controller.fetch(feed.get, { id: b > 3 ? id : note }) : controller.fetch(feed.getList, STATUS[a % 3]),
      comments: () => controller.fetch(comments.getList, b % 2 ? { postId: "3" } : {}),
      tasks: () => b % 2 ? controller.fetch(tasks.getList, { project: one }) : controller.fetch(tasks.get, task),
      settings: () => controller.fetch(settings),
      make: () => controller.fetch(posts.create, { type: "post", title, status, authorId: one }),
      "make within": () =>
        b % 2
          ? controller.fetch(posts.create, { type: "post", title, status, author: { name: title } } as never)
          : controller.fetch(posts.create, { type: "post", title, comments: [{ text: title }] } as never),
      edit: () => controller.fetch(posts.partialUpdate, { id }, { title }),
      move: () => controller.fetch(posts.partialUpdate, { id }, b > 3 ? { authorId: one } : { status }),
      name: () => !isTaken && controller.fetch(posts.partialUpdate, { id }, { slug }),
      put: () =>
        controller.fetch(posts.update, { id }, {
          ...{ id, type: "post", slug: `p${at}`, title, status, authorId: one, body: title },
          ...b > 3 && { comments: [...server.rows("comments", { postId: id }), { text: title }] },
        } as never),
      delete: () => controller.fetch(posts.delete, { id }),
      "edit many": () => controller.fetch(editMany, { ids: [id, "4"], title }),
      "drop many": () => controller.fetch(dropMany, { ids: [id, "4"] }),
      join: () => controller.fetch(join, { ids: [id, String(b % 3 + 3)], title }),
      "make note": () => controller.fetch(notes.create, { type: "note", text: title, status }),
      become: () =>
        isQuiet() &&
        controller.fetch(feed.partialUpdate, { id: b % 2 ? id : note }, { type: b % 2 ? "note" : "post" } as never),
      drop: () => controller.fetch(feed.delete, { id: b % 2 ? id : note }),
      comment: () => controller.fetch(comments.create, { text: title, postId: id }),
      "move comment": () => controller.fetch(comments.partialUpdate, { id: comment }, { postId: String(b % 2 + 3) }),
      "edit task": () => controller.fetch(tasks.partialUpdate, task, { label: title }),
      "number task": () => controller.fetch(tasks.partialUpdate, task, { project: one, number: String(at + 10) }),
      "drop task": () => controller.fetch(tasks.delete, task),
      set: () => controller.fetch(set, { ["xy"[b % 2]!]: { id: "xy"[b % 2], value: title } }),
    };
    const call = calls[name]?.();
    if (call) call.catch(() => {});
    const waiting = server.sent.filter(({ answer }) => answer === undefined);
    if (name === "apply" && waiting.length > 0) server.apply(waiting[a % waiting.length]!);
    if (name === "answer" || name === "lose") server.answer(a, name === "lose");
    await flush();
    if (name === "become" && server.sent.length === 1) server.answer(0);
    await flush();
    if (b === 7 && isQuiet()) look();
  }
  await settle();
  look();
  assertEquals(stateOf(controller).optimistic, []);
}

/**
 * What of a value the truth is about: an instance has what its class declares, and what others have said of its record.
 * In an order of ours: where something joins a list, only the server may know.
 */
function seen(value: unknown, truth: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(truth)) {
    const [rows, known] = [value, truth].map((all) => all.toSorted((x, y) => nameOf(x) < nameOf(y) ? -1 : 1));
    return rows!.map((row, at) => seen(row, known![at]));
  }
  if (Object(value) !== value || Object(truth) !== truth) return value;
  return Object.fromEntries(
    Object.entries(truth as Json).map(([name, each]) => [name, seen((value as Json)[name], each)]),
  );
}

function nameOf({ id, project, number }: Row): string {
  return id ?? `${project}/${number}`;
}

Deno.test("whatever is done to things of many kinds, nothing is called fresh that the server does not have", async () => {
  const life: fc.Arbitrary<Life> = fc.record({
    voice: fc.constantFrom(...VOICES),
    isOptimistic: fc.boolean(),
    isConditional: fc.boolean(),
    scope: fc.constantFrom("none", "serial", "latest"),
    ops: fc.array(op, { maxLength: 30, size: "max" }),
  });
  await check(fc.asyncProperty(life, live), { name: "kinds_life", runs: runs(1_000, 50_000) });
});
