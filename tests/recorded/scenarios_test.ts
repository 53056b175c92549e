/** Every recorded exchange with GitHub's API, through declared endpoints over real HTTP. */
import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Controller,
  createResource,
  Entity,
  followRedirects,
  NetworkError,
  parseLinks,
  resource,
  RestEndpoint,
  type RestGenerics,
  stateOf,
} from "@rejoin/data";
import { readRecordings, startRecordedServer } from "../support/recorded_server.ts";

/** GitHub's resources are named by their URL. */
class Resource extends Entity {
  url = "";
  pk() {
    return this.url;
  }
}
class User extends Resource {
  login = "";
  static override key = "User";
}
class Issue extends Resource {
  number = 0;
  title = "";
  user = User.fromJS();
  static override key = "Issue";
  static override schema = { user: User };
}
/** A label's URL contains its name, which may change, so its pk is the id. */
class Label extends Entity {
  id = 0;
  name = "";
  color = "";
  static key = "Label";
}
class Repository extends Resource {
  id = 0;
  name = "";
  description: string | null = null;
  owner = User.fromJS();
  static override key = "Repository";
  static override schema = { owner: User };
}
class Invitation extends Entity {
  id = 0;
  invitee = User.fromJS();
  repository = Repository.fromJS();
  static key = "Invitation";
  static schema = { invitee: User, repository: Repository };
}
class File extends Resource {
  name = "";
  sha = "";
  static override key = "File";
}
class Status extends Entity {
  id = 0;
  state = "";
  creator: User | undefined = undefined;
  created_at = new Date(0);
  static key = "Status";
  static schema = { creator: User, created_at: Date };
}
class Ref extends Resource {
  ref = "";
  object = { sha: "" };
  static override key = "Ref";
}
class Card extends Resource {
  id = 0;
  note = "";
  creator = User.fromJS();
  static override key = "Card";
  static override schema = { creator: User };
}
class Asset extends Resource {
  id = 0;
  name = "";
  label = "";
  uploader = User.fromJS();
  static override key = "Asset";
  static override schema = { uploader: User };
}
class Release extends Resource {
  id = 0;
  tag_name = "";
  assets: Asset[] = [];
  static override key = "Release";
  static override schema = { assets: [Asset] };
}

const owner = "octokit-fixture-org";

Deno.test("paginate-issues: the link header is followed to the end, by a class that all lists share", async () => {
  const path = `/repos/${owner}/paginate-issues`;
  await using server = startRecordedServer(["paginate-issues"], { aliases: { [path]: "/repositories/1000" } });
  using controller = new Controller();
  class Paged<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = server.origin;
    override async parseResponse(response: Response) {
      const next = parseLinks(response.headers.get("link")).get("next");
      const page = next === undefined ? null : new URL(next).searchParams.get("page");
      return { items: await super.parseResponse(response), next: page };
    }
  }
  const getIssues = new Paged({
    path: "/repos/:owner/:repo/issues",
    searchParams: {} as { per_page: number; page?: string },
    schema: { items: [Issue], next: "" as string | null },
  });
  const at = { owner, repo: "paginate-issues", per_page: 3 };
  const numbers: number[] = [];
  let { items, next } = await controller.fetch(getIssues, at);
  numbers.push(...items.map(({ number }) => number));
  while (next !== null) {
    ({ items, next } = await controller.fetch(getIssues, { ...at, page: next }));
    numbers.push(...items.map(({ number }) => number));
  }
  assertEquals(numbers, Array.from({ length: 13 }, (_, index) => 13 - index));
  assertEquals(server.requests.length, 5);
  assertEquals(stateOf(controller).tables.User!.length, 1);
});

Deno.test("get-root: a root without entities is what the server said", async () => {
  await using server = startRecordedServer(["get-root"]);
  using controller = new Controller();
  const root = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/",
    process: (value: Record<string, string>) => value,
  });
  const urls = await controller.fetch(root);
  assertEquals(urls.emojis_url, `${server.origin}/emojis`);
  assertStrictEquals(controller.getResponse(root).data, urls);
});

Deno.test("get-organization: an organization is the user that repositories are owned by", async () => {
  await using server = startRecordedServer(["get-organization", "get-repository"]);
  using controller = new Controller();
  const organization = new RestEndpoint({ urlPrefix: server.origin, path: "/orgs/:org", schema: User });
  const repository = new RestEndpoint({ urlPrefix: server.origin, path: "/repos/:owner/:repo", schema: Repository });
  const { owner: owning } = await controller.fetch(repository, { owner, repo: "hello-world" });
  assertEquals(owning.login, owner);
  const org = await controller.fetch(organization, { org: owner });
  assertEquals(org.login, owner);
});

Deno.test("get-content: a listing is JSON, and the same place as raw text is text", async () => {
  await using server = startRecordedServer(["get-content"]);
  using controller = new Controller();
  const base = { urlPrefix: server.origin, path: "/repos/:owner/:repo/contents/{*path}" } as const;
  const list = new RestEndpoint({ ...base, schema: [File] });
  const raw = new RestEndpoint({ ...base, content: "text" });
  const [readme] = await controller.fetch(list, { owner, repo: "hello-world" });
  assertEquals([readme?.name, readme?.sha.length], ["README.md", 40]);
  const text: string = await controller.fetch(raw, { owner, repo: "hello-world", path: ["README.md"] });
  assertEquals(text, "# hello-world");
  assertEquals(raw.key({ owner, repo: "hello-world" }), list.key({ owner, repo: "hello-world" }));
});

Deno.test("get-archive: a redirect is followed to the bytes, which are a blob or a stream", async () => {
  const [, archive] = readRecordings("get-archive");
  const bytes = archive!.response as Uint8Array<ArrayBuffer>;
  await using server = startRecordedServer(["get-archive"]);
  const getArchive = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/repos/:owner/:repo/tarball/:ref",
    content: "arrayBuffer",
    use: [followRedirects()],
  });
  const at = { owner, repo: "get-archive", ref: "main" };
  assertEquals(new Uint8Array(await getArchive(at)), bytes);
  const stream = await getArchive.extend({ content: "stream" })(at);
  assertEquals(new Uint8Array(await new Response(stream).arrayBuffer()), bytes);
  const blob = await getArchive.extend({ content: undefined })(at);
  assertInstanceOf(blob, Blob);
  assertEquals(server.requests.length, 6);
});

Deno.test("create-file: the reply of a PUT holds the record under a member", async () => {
  await using server = startRecordedServer(["create-file"]);
  using controller = new Controller();
  const createFile = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/repos/:owner/:repo/contents/*path",
    method: "PUT",
    body: {} as { message: string; content: string },
    schema: { content: File },
  });
  const { content } = await controller.fetch(createFile, { owner, repo: "create-file", path: ["test.txt"] }, {
    message: "create test.txt",
    content: btoa("Test content"),
  });
  assertEquals([content.name, content.sha], ["test.txt", "3f3f005b29247e51a4f4d6b8ce07b67646cd6074"]);
  assertStrictEquals(controller.get(File, { url: content.url }), content);
});

Deno.test("create-status: two posts to one place are two records, which a list and a summary share", async () => {
  await using server = startRecordedServer(["create-status"]);
  using controller = new Controller();
  const sha = "0000000000000000000000000000000000000001";
  const urlPrefix = `${server.origin}/repos/${owner}/create-status`;
  const create = new RestEndpoint({ urlPrefix, path: "/statuses/:sha", method: "POST", schema: Status });
  const list = new RestEndpoint({ urlPrefix, path: "/commits/:sha/statuses", schema: [Status] });
  const summary = new RestEndpoint({
    urlPrefix,
    path: "/commits/:sha/status",
    schema: { state: "", statuses: [Status], total_count: 0 },
  });
  const bodies = readRecordings("create-status").filter(({ method }) => method === "POST").map(({ body }) => body);
  const made = [];
  for (const body of bodies) made.push(await controller.fetch(create, { sha }, body));
  assertEquals(made.map(({ state }) => state), ["failure", "success"]);
  assert(made[0]!.created_at.getTime() > 0);
  const listed = await controller.fetch(list, { sha });
  const { state, statuses, total_count } = await controller.fetch(summary, { sha });
  assertEquals([state, total_count], ["failure", 2]);
  assertEquals(new Set(listed.map(({ id }) => id)), new Set(statuses.map(({ id }) => id)));
  for (const status of statuses) assertStrictEquals(status, controller.get(Status, { id: status.id }));
  assertEquals(stateOf(controller).tables.Status!.length, 2);
});

Deno.test("git-refs: a name with slashes is several segments; refs are created, moved and deleted", async () => {
  await using server = startRecordedServer(["git-refs"]);
  using controller = new Controller();
  const urlPrefix = `${server.origin}/repos/${owner}/git-refs/git`;
  const list = new RestEndpoint({ urlPrefix, path: "/refs/", schema: [Ref] });
  const create = new RestEndpoint({ urlPrefix, path: "/refs", method: "POST", schema: Ref });
  const { update: _, ...ref } = createResource({ urlPrefix, path: "/*ref", schema: Ref });
  assertEquals((await controller.fetch(list)).length, 1);
  const [, posted, moved] = readRecordings("git-refs");
  const made = await controller.fetch(create, posted!.body as object);
  assertEquals(made.ref, "refs/heads/test");
  const at = { ref: ["refs", "heads", "test"] };
  const after = await controller.fetch(ref.partialUpdate, at, moved!.body as object);
  assertEquals([after.url === made.url, after.object.sha], [true, (moved!.body as { sha: string }).sha]);
  assertEquals((await controller.fetch(list)).length, 2);
  await controller.fetch(ref.delete.extend({ process: () => ({ url: made.url }) }), at);
  assertEquals(controller.get(Ref, { url: made.url }), undefined);
  assertEquals(controller.getResponse(list).data?.map(({ ref }) => ref), ["refs/heads/main"]);
});

Deno.test("labels: the whole life of one, which a Collection follows", async () => {
  await using server = startRecordedServer(["labels"]);
  using controller = new Controller();
  const labels = resource({ urlPrefix: server.origin, path: "/repos/:owner/:repo/labels/:name", schema: Label });
  const of = { owner, repo: "labels" };
  const names = () => controller.getResponse(labels.getList, of).data?.map(({ name }) => name);
  const before = (await controller.fetch(labels.getList, of)).length;
  const created = await controller.fetch(labels.getList.push, of, { name: "test-label", color: "663399" });
  assertEquals([names()?.length, names()?.at(-1)], [before + 1, "test-label"]);
  const got = await controller.fetch(labels.get, { ...of, name: "test-label" });
  assertStrictEquals(got, created);
  const rename = labels.partialUpdate.extend({ body: {} as { new_name: string; color: string } });
  await controller.fetch(rename, { ...of, name: "test-label" }, { new_name: "test-label-updated", color: "BADA55" });
  assertEquals([names()?.length, names()?.at(-1)], [before + 1, "test-label-updated"]);
  // The path has no id, so the endpoint says which record an empty reply is about.
  const remove = labels.delete.extend({ process: () => ({ id: created.id }) });
  await controller.fetch(remove, { ...of, name: "test-label-updated" });
  assertEquals([names()?.length, names()?.includes("test-label-updated")], [before, false]);
});

Deno.test("add-labels-to-issue: what is added to a record is answered as a list of its own", async () => {
  await using server = startRecordedServer(["add-labels-to-issue"]);
  using controller = new Controller();
  const urlPrefix = `${server.origin}/repos/${owner}/add-labels-to-issue`;
  const issues = createResource({ urlPrefix, path: "/issues/:number", schema: Issue });
  const addLabels = new RestEndpoint({
    urlPrefix,
    path: "/issues/:number/labels",
    method: "POST",
    body: {} as { labels: string[] },
    schema: [Label],
  });
  const issue = await controller.fetch(issues.create, { title: "Issue without a label" });
  assertEquals([issue.number, issue.user.login], [1, "octokit-fixture-user-a"]);
  const labels = await controller.fetch(addLabels, { number: issue.number }, { labels: ["Foo", "bAr", "baZ"] });
  assertEquals(labels.map(({ name }) => name).sort(), ["Foo", "baZ", "bAr"].sort());
});

Deno.test("project-cards: created, read, changed, moved and deleted; replies that say nothing write nothing", async () => {
  await using server = startRecordedServer(["project-cards"]);
  using controller = new Controller();
  const urlPrefix = `${server.origin}/projects/columns`;
  const cards = createResource({ urlPrefix, path: "/cards/:id", schema: Card });
  const inColumn = { urlPrefix, path: "/:column/cards" } as const;
  const list = new RestEndpoint({ ...inColumn, schema: [Card] });
  const create = new RestEndpoint({ ...inColumn, method: "POST", body: {} as { note: string }, schema: Card });
  const move = new RestEndpoint({
    urlPrefix,
    path: "/cards/:id/moves",
    method: "POST",
    body: {} as { position: string; column_id?: number },
  });
  const made: Card[] = [];
  for (const n of [1, 2]) made.push(await controller.fetch(create, { column: 1000 }, { note: `Example card ${n}` }));
  const listed = await controller.fetch(list, { column: 1000 });
  assertEquals(listed.map(({ note }) => note), ["Example card 2", "Example card 1"]);
  assertEquals(new Set(listed.map(({ url }) => url)), new Set(made.map(({ url }) => url)));
  const { id } = await controller.fetch(cards.get, { id: 1000 });
  await controller.fetch(cards.partialUpdate, { id }, { note: "Example card 1 updated" });
  assertEquals(controller.getResponse(list, { column: 1000 }).data?.[1]?.note, "Example card 1 updated");
  assertEquals(await controller.fetch(move, { id: 1000 }, { position: "top", column_id: 1001 }), {});
  assertEquals(await controller.fetch(move, { id: 1001 }, { position: "bottom", column_id: 1001 }), {});
  assertEquals(await controller.fetch(move, { id: 1000 }, { position: "after:1001" }), {});
  assertEquals(stateOf(controller).tables.Card!.length, 2);
  await controller.fetch(cards.delete.extend({ process: () => ({ url: made[0]!.url }) }), { id });
  assertEquals(controller.getResponse(list, { column: 1000 }).data?.map(({ note }) => note), ["Example card 2"]);
});

Deno.test("release-assets: a file is uploaded as it is, read, renamed and deleted", async () => {
  await using server = startRecordedServer(["release-assets"]);
  using controller = new Controller();
  const urlPrefix = `${server.origin}/repos/${owner}/release-assets/releases`;
  const byTag = new RestEndpoint({ urlPrefix, path: "/tags/:tag", schema: Release });
  const assets = createResource({ urlPrefix, path: "/assets/:id", schema: Asset });
  const list = new RestEndpoint({ urlPrefix, path: "/:release/assets", schema: [Asset] });
  const upload = list.extend({
    method: "POST",
    schema: Asset,
    searchParams: {} as { name: string; label: string },
    body: {} as Blob | string,
  });
  const release = await controller.fetch(byTag, { tag: "v1.0.0" });
  const file = "Hello, world!\n";
  const asset = await controller.fetch(upload, { release: release.id, name: "test-upload.txt", label: "test" }, file);
  assertEquals([asset.name, asset.uploader.login], ["test-upload.txt", "octokit-fixture-user-a"]);
  assertEquals(server.requests.at(-1)?.body, file);
  const [first] = await controller.fetch(list, { release: release.id });
  assertStrictEquals(first, controller.get(Asset, { url: asset.url }));
  await controller.fetch(assets.get, { id: asset.id });
  await controller.fetch(assets.partialUpdate, { id: asset.id }, { name: "new-filename.txt", label: "new label" });
  assertEquals(controller.getResponse(list, { release: release.id }).data?.map(({ name }) => name), [
    "new-filename.txt",
  ]);
  await controller.fetch(assets.delete.extend({ process: () => ({ url: asset.url }) }), { id: asset.id });
  assertEquals(controller.getResponse(list, { release: release.id }).data, []);
});

Deno.test("release-assets-conflict: a refusal carries its reasons; after the cure the same call succeeds", async () => {
  await using server = startRecordedServer(["release-assets-conflict"]);
  using controller = new Controller();
  const urlPrefix = `${server.origin}/repos/${owner}/release-assets-conflict/releases`;
  const assets = createResource({ urlPrefix, path: "/assets/:id", schema: Asset });
  const list = new RestEndpoint({ urlPrefix, path: "/:release/assets", schema: [Asset] });
  const upload = list.extend({ method: "POST", schema: Asset, body: {} as string });
  const at = { release: 1000, name: "test-upload.txt", label: "test" };
  const refused = controller.fetch(upload, at, "Hello, world!\n");
  const error = await assertRejects(() => refused, NetworkError, "422");
  assertEquals((error.body as { errors: { code: string }[] }).errors.map(({ code }) => code), ["already_exists"]);
  assertEquals(Object.values(stateOf(controller).tables).flat(), []);
  const [old] = await controller.fetch(list, { release: 1000 });
  await controller.fetch(assets.delete.extend({ process: () => ({ url: old!.url }) }), { id: old!.id });
  assertEquals(controller.get(Asset, { url: old!.url }), undefined);
  const again = await controller.fetch(upload, at, "Hello, world!\n");
  assertEquals(again.name, "test-upload.txt");
});

Deno.test("add-and-remove-repository-collaborator: replies without body, and records nested in others", async () => {
  await using server = startRecordedServer(["add-and-remove-repository-collaborator"]);
  using controller = new Controller();
  const urlPrefix = `${server.origin}/repos/${owner}/add-and-remove-repository-collaborator`;
  const invite = new RestEndpoint({
    urlPrefix,
    path: "/collaborators/:login",
    method: "PUT",
    body: undefined,
    schema: Invitation,
  });
  const invitations = new RestEndpoint({ urlPrefix, path: "/invitations", schema: [Invitation] });
  const accept = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/user/repository_invitations/:id",
    method: "PATCH",
    body: undefined,
  });
  const collaborators = new RestEndpoint({ urlPrefix, path: "/collaborators", schema: [User] });
  const remove = new RestEndpoint({ urlPrefix, path: "/collaborators/:login", method: "DELETE" });
  const login = "octokit-fixture-user-b";
  const made = await controller.fetch(invite, { login });
  assertEquals([made.invitee.login, made.repository.owner.login], [login, owner]);
  const [listed] = await controller.fetch(invitations);
  assertStrictEquals(listed?.invitee, controller.get(User, { url: made.invitee.url }));
  assertEquals(await controller.fetch(accept, { id: made.id }), null);
  assertEquals((await controller.fetch(collaborators)).map((user) => user.login), ["octokit-fixture-user-a", login]);
  assertEquals(await controller.fetch(remove, { login }), null);
  assertEquals((await controller.fetch(collaborators)).map((user) => user.login), ["octokit-fixture-user-a"]);
});

Deno.test("branch-protection: 404 is an answer of its own kind; a place without an id is read as it is", async () => {
  await using server = startRecordedServer(["branch-protection"]);
  using controller = new Controller();
  const protection = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/repos/:owner/:repo/branches/:branch/protection",
    process: (value: { enforce_admins: { enabled: boolean } } | null) => value,
  });
  const at = { owner, repo: "branch-protection", branch: "main" };
  const error = await assertRejects(() => controller.fetch(protection, at), NetworkError, "404");
  assertEquals((error.body as { message: string }).message, "Branch not protected");
  assertStrictEquals(controller.getError(protection, at), error);
  const protect = protection.extend({ method: "PUT", body: {} as object });
  const bodies = readRecordings("branch-protection").filter(({ method }) => method === "PUT").map(({ body }) => body);
  const enabled = [];
  for (const body of bodies) {
    enabled.push((await controller.fetch(protect, at, body as object))?.enforce_admins.enabled);
  }
  assertEquals(enabled, [false, true]);
  assertEquals(await controller.fetch(protection.extend({ method: "DELETE" }), at), null);
});

Deno.test("lock-issue and mark-notifications-as-read: 204 and 205 are null", async () => {
  await using server = startRecordedServer(["lock-issue", "mark-notifications-as-read"]);
  using controller = new Controller();
  const lock = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/repos/:owner/:repo/issues/:number/lock",
    method: "PUT",
    body: undefined,
  });
  const at = { owner, repo: "lock-issue", number: 1 };
  assertEquals(await controller.fetch(lock, at), null);
  assertEquals(await controller.fetch(lock.extend({ method: "DELETE" }), at), null);
  const read = new RestEndpoint({ urlPrefix: server.origin, path: "/notifications", method: "PUT" });
  assertEquals(await controller.fetch(read), null);
});

Deno.test("markdown: a read that sends a body, answered with a page that is wanted", async () => {
  await using server = startRecordedServer(["markdown"]);
  using controller = new Controller();
  const [json, raw] = readRecordings("markdown");
  const render = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/markdown",
    method: "POST",
    sideEffect: false,
    content: "text",
    body: {} as object,
  });
  const html = await controller.fetch(render, json!.body as object);
  assertEquals(html, json!.response);
  assertEquals(controller.getResponse(render, json!.body as object).data, html);
  const fromText = render.extend({ path: "/markdown/raw", body: "" as string });
  assertEquals(await fromText(raw!.body as string), raw!.response);
});

Deno.test("rename-repository: 301 and 307 lead a read and a write to where the record is now", async () => {
  await using server = startRecordedServer(["rename-repository"]);
  using controller = new Controller();
  const use = [followRedirects()];
  const repos = createResource({ urlPrefix: server.origin, path: "/repos/:owner/:repo", schema: Repository, use });
  const at = { owner, repo: "rename-repository" };
  const name = "rename-repository-newname";
  const renamed = await controller.fetch(repos.partialUpdate, at, { name });
  const got = await controller.fetch(repos.get, at);
  assertEquals([renamed.name, got.name, got.url === renamed.url], [name, name, true]);
  const described = await controller.fetch(repos.partialUpdate, at, { name, description: "test description" });
  assertEquals(described.description, "test description");
  assertStrictEquals(controller.get(Repository, { url: got.url }), described);
  assertEquals(server.requests.map(({ method, recording }) => [method, recording?.status]), [
    ["PATCH", 200],
    ["GET", 301],
    ["GET", 200],
    ["PATCH", 307],
    ["PATCH", 200],
  ]);
});
