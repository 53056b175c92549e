/** Recorded responses of GitHub's API over real HTTP: a user is one object, wherever it is nested. */
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Controller,
  createResource,
  Entity,
  NetworkError,
  normalize,
  NormalizeError,
  Query,
  RestEndpoint,
  schema,
  stateOf,
} from "@rejoin/data";
import { readerOf, readerOfResponse } from "../support/reader.ts";
import { readRecordings, type Recording, startRecordedServer } from "../support/recorded_server.ts";

class User extends Entity {
  url = "";
  login = "";
  avatar_url = "";
  site_admin = false;
  pk() {
    return this.url;
  }
  static key = "User";
}
class Label extends Entity {
  id = 0;
  url = "";
  name = "";
  color = "";
  description: string | null = null;
  pk() {
    return this.url;
  }
  static key = "Label";
}
class Issue extends Entity {
  url = "";
  number = 0;
  title = "";
  body: string | null = null;
  user = User.fromJS();
  assignee: User | null = null;
  assignees: User[] = [];
  labels: Label[] = [];
  created_at = new Date(0);
  closed_at: Date | null = null;
  pk() {
    return this.url;
  }
  get isOpen(): boolean {
    return this.closed_at === null;
  }
  static key = "Issue";
  static schema = { user: User, assignee: User, assignees: [User], labels: [Label], created_at: Date, closed_at: Date };
}
class Repository extends Entity {
  id = 0;
  url = "";
  full_name = "";
  owner = User.fromJS();
  organization: User | undefined = undefined;
  pushed_at = new Date(0);
  pk() {
    return this.url;
  }
  static key = "Repository";
  static schema = { owner: User, organization: User, pushed_at: Date };
}

const REPO = "/repos/octokit-fixture-org/paginate-issues";
/** The issues of all pages, newest first. The first has number 13. */
const recorded = readRecordings("paginate-issues").flatMap(({ response }) => response as readonly object[]);

/** Ten of the recorded issues, each assigned to the user who wrote them all, so that this user is nested 30 times. */
function thirty(): Recording {
  const response = Array.from({ length: 10 }, (_, index) => {
    const issue = recorded[index]! as { user: object };
    return { ...issue, assignee: { ...issue.user }, assignees: [{ ...issue.user }] };
  });
  const [first] = readRecordings("paginate-issues");
  return { ...first!, path: `${REPO}/issues?state=all`, response };
}

/** The detail of the first issue. */
function detail(): Recording {
  const [first] = readRecordings("paginate-issues");
  return { ...first!, path: `${REPO}/issues/13`, response: recorded[0] };
}

/** Another issue, of another user, as the API sends it. */
function oneOfAnother(): Recording {
  const [first] = readRecordings("paginate-issues");
  const [issue] = readRecordings("search-issues").map(({ response }) => (response as { items: object[] }).items[0]);
  return { ...first!, path: `${REPO}/issues?state=other`, response: [issue] };
}

function github(origin: string) {
  const issues = createResource({ urlPrefix: origin, path: "/repos/:owner/:repo/issues/:number", schema: Issue });
  const labels = createResource({ urlPrefix: origin, path: "/repos/:owner/:repo/labels/:name", schema: Label });
  const search = new RestEndpoint({
    urlPrefix: origin,
    path: "/search/issues",
    schema: { items: [Issue], total_count: 0, incomplete_results: false },
    searchParams: undefined as unknown as { q: string },
    name: "search",
  });
  const repository = new RestEndpoint({ urlPrefix: origin, path: "/repos/:owner/:repo", schema: Repository });
  return { issues, labels, search, repository };
}

const at = { owner: "octokit-fixture-org", repo: "paginate-issues" };

Deno.test("a response that nests one user 30 times stores it once, and every place reads the one object", async () => {
  await using server = startRecordedServer([thirty()]);
  using controller = new Controller();
  const { issues } = github(server.origin);
  const list = await controller.fetch(issues.getList, { ...at, state: "all" });
  const { tables } = stateOf(controller);
  assertEquals([list.length, tables.Issue!.length, tables.User!.length], [10, 10, 1]);
  const nested = list.flatMap((issue) => [issue.user, issue.assignee, ...issue.assignees]);
  assertEquals([nested.length, new Set(nested).size], [30, 1]);
  assert(list.every((issue) => issue instanceof Issue && issue.user instanceof User && issue.isOpen));
  assertEquals(nested[0]!.login, "octokit-fixture-user-a");
  assertStrictEquals(nested[0], controller.get(User, { url: nested[0]!.url }));
  assertEquals(list[0]!.created_at.getUTCFullYear(), 2017);
});

Deno.test("list, detail and query read the same objects; changing the login changes what shows it and nobody else", async () => {
  await using server = startRecordedServer([thirty(), detail(), oneOfAnother(), "labels"]);
  using controller = new Controller();
  const { issues, labels } = github(server.origin);
  const all = { ...at, state: "all" };
  const byLogin = new Query(
    new schema.All(Issue),
    (all, { login }: { login: string }) => all.filter((issue) => issue.user.login === login),
  );

  const list = await controller.fetch(issues.getList, all);
  const [other] = await controller.fetch(issues.getList, { ...at, state: "other" });
  const tags = await controller.fetch(labels.getList, { owner: at.owner, repo: "labels" });
  const user = list[0]!.user;
  const first = { ...at, number: "13" };
  const thirteen = await controller.fetch(issues.get, first);

  assertEquals([other!.user.login, tags.length, other!.user === user], ["octokit-fixture-user-b", 9, false]);
  const showing = [
    readerOfResponse<Issue[]>(controller, issues.getList, all),
    readerOfResponse<Issue>(controller, issues.get, first),
    readerOf<Issue[]>(controller, byLogin, { login: user.login }),
    readerOf<User>(controller, User, { url: user.url }),
    ...list.map((issue) => readerOf<Issue>(controller, Issue, { url: issue.url })),
  ];
  const elsewhere = [
    readerOfResponse<Issue[]>(controller, issues.getList, { ...at, state: "other" }),
    readerOf<User>(controller, User, { url: other!.user.url }),
    readerOf<Issue>(controller, Issue, { url: other!.url }),
    readerOfResponse<Label[]>(controller, labels.getList, { owner: at.owner, repo: "labels" }),
    ...tags.map((label) => readerOf<Label>(controller, Label, { url: label.url })),
  ];
  // The detail has no assignee any more, and so has the issue in the list.
  const listed = controller.getResponse(issues.getList, all).data!;
  const ours = controller.get(byLogin, { login: user.login })!;
  assertStrictEquals(thirteen, listed.find(({ number }) => number === 13));
  assertEquals([thirteen.number, thirteen.assignee, ours.length], [13, null, 10]);
  ours.forEach((issue, index) => assertStrictEquals(issue, listed[index]));
  assert(ours.every((issue) => issue.user === user));
  const before = elsewhere.map(({ value }) => value);

  controller.set(User, { url: user.url }, { url: user.url, login: "renamed" });

  assertEquals(showing.map(({ told }) => told), showing.map(() => 1));
  const renamed = controller.get(User, { url: user.url })!;
  assertEquals([renamed.login, renamed.avatar_url], ["renamed", user.avatar_url]);
  const after = controller.getResponse(issues.getList, all).data!;
  after.forEach((issue, index) => {
    assert(issue !== listed[index]);
    const nested = [issue.user, issue.assignee, ...issue.assignees].filter((user) => user !== null);
    assertEquals(nested.length, issue.number === 13 ? 1 : 3);
    for (const user of nested) assertStrictEquals(user, renamed);
    assertStrictEquals(issue.created_at, listed[index]!.created_at);
  });
  assertEquals(controller.get(byLogin, { login: "renamed" }), after);
  assertEquals(controller.get(byLogin, { login: user.login }), []);
  assertEquals(elsewhere.map(({ told }) => told), elsewhere.map(() => 0));
  elsewhere.forEach(({ value }, index) => assertStrictEquals(value, before[index]));
});

Deno.test("all pages of a list, fetched twice, tell nobody the second time", async () => {
  const aliases = { [REPO]: "/repositories/1000" };
  await using server = startRecordedServer(["paginate-issues"], { aliases });
  using controller = new Controller();
  const { issues } = github(server.origin);
  const pages = [{}, { page: 2 }, { page: 3 }, { page: 4 }, { page: 5 }].map((page) => ({
    ...at,
    per_page: 3,
    ...page,
  }));
  for (const page of pages) await controller.fetch(issues.getList, page);
  const all = new schema.All(Issue);
  assertEquals(controller.get(all)!.map(({ number }) => number), Array.from({ length: 13 }, (_, index) => 13 - index));
  const readers = [
    readerOf<Issue[]>(controller, all),
    ...pages.map((page) => readerOfResponse<Issue[]>(controller, issues.getList, page)),
  ];
  const before = readers.map(({ value }) => value);
  for (const page of pages) await controller.fetch(issues.getList, page);
  readers.forEach(({ value }, index) => assertStrictEquals(value, before[index]));
  assertEquals(server.requests.length, 10);
});

Deno.test("a search answers with an object around its list; it shares the issues, and keeps what the schema does not name", async () => {
  await using server = startRecordedServer(["search-issues"]);
  using controller = new Controller();
  const { search } = github(server.origin);
  const found = await controller.fetch(search, { q: "sesame repo:octokit-fixture-org/search-issues" });
  assertEquals([found.total_count, found.incomplete_results, found.items.length], [2, false, 2]);
  for (const issue of found.items) {
    assertStrictEquals(issue, controller.get(Issue, { url: issue.url }));
    assertEquals((issue as unknown as { comments: number }).comments >= 0, true);
  }
  controller.set(Issue, { url: found.items[1]!.url }, { url: found.items[1]!.url, title: "new" });
  const after = controller.getResponse(search, { q: "sesame repo:octokit-fixture-org/search-issues" }).data!;
  assertEquals([after.items[0] === found.items[0], after.items[1]!.title], [true, "new"]);
});

Deno.test("a repository and its organization: the owner of one is the user of the other", async () => {
  await using server = startRecordedServer(["get-repository"]);
  using controller = new Controller();
  const { repository } = github(server.origin);
  const repo = await controller.fetch(repository, { owner: "octokit-fixture-org", repo: "hello-world" });
  assertEquals(repo.full_name, "octokit-fixture-org/hello-world");
  assert(repo.owner instanceof User && repo.pushed_at instanceof Date);
  assertStrictEquals(repo.organization, repo.owner);
  assertEquals(stateOf(controller).tables.User!.length, 1);
});

Deno.test("an answer that is an error is a typed error and writes nothing", async () => {
  await using server = startRecordedServer(["errors"]);
  using controller = new Controller();
  const { labels } = github(server.origin);
  const before = Object.values(stateOf(controller).tables).flat();
  const call = controller.fetch(labels.create, { owner: at.owner, repo: "errors" }, { name: "foo", color: "invalid" });
  const error = await assertRejects(() => call, NetworkError);
  assertEquals(error.status, 422);
  assertEquals(Object.values(stateOf(controller).tables).flat(), before);
});

Deno.test("an answer of another endpoint in the place of a list is a typed error that names what it is", () => {
  const [repository] = readRecordings("get-repository");
  const [search] = readRecordings("search-issues");
  const wrong = [[repository!.response, "id, node_id"], [search!.response, "total_count"], [
    { message: "x" },
    "message",
  ]];
  for (const [response, members] of wrong as [unknown, string][]) {
    try {
      normalize([Issue], response);
      throw new Error("it was accepted");
    } catch (error) {
      assert(error instanceof NormalizeError && error.message.includes(members), String(error));
    }
  }
});
