import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { FaultFetch } from "./fault_fetch.ts";
import { readRecordings, recordedApi, startRecordedServer } from "./recorded_server.ts";

const labels = "/repos/octokit-fixture-org/labels/labels";
const issues = "/repos/octokit-fixture-org/paginate-issues/issues";

interface Issue {
  readonly number: number;
  readonly url: string;
  readonly html_url: string;
  readonly user: { readonly login: string };
}

Deno.test("readRecordings reads a scenario in the order of its recording", () => {
  assertEquals(readRecordings("labels").map(({ method, path, status }) => `${method} ${path} ${status}`), [
    `GET ${labels} 200`,
    `POST ${labels} 201`,
    `GET ${labels}/test-label 200`,
    `PATCH ${labels}/test-label 200`,
    `DELETE ${labels}/test-label-updated 204`,
  ]);
  assertThrows(() => readRecordings("no-such-scenario"));
});

Deno.test("RecordedServer answers with the recorded status, headers and body", async () => {
  await using github = startRecordedServer(["labels"]);
  const response = await fetch(github.origin + labels);
  assertEquals([response.status, response.headers.get("content-type")], [200, "application/json; charset=utf-8"]);
  assertEquals(response.headers.get("x-github-media-type"), "github.v3; format=json");
  const body: { name: string }[] = await response.json();
  assertEquals([body.length, body[0]!.name], [9, "bug"]);
});

Deno.test("RecordedServer puts its own origin in the place of GitHub's API, and only there", async () => {
  await using github = startRecordedServer(["paginate-issues"]);
  const response = await fetch(`${github.origin}${issues}?per_page=3`);
  assertEquals(
    response.headers.get("link"),
    `<${github.origin}/repositories/1000/issues?per_page=3&page=2>; rel="next", ` +
      `<${github.origin}/repositories/1000/issues?per_page=3&page=5>; rel="last"`,
  );
  const [first]: Issue[] = await response.json();
  assertEquals(first!.url, `${github.origin}${issues}/13`);
  assert(first!.html_url.startsWith("https://github.com/"));
});

Deno.test("RecordedServer leads through all pages by its links", async () => {
  await using github = startRecordedServer(["paginate-issues"]);
  const numbers: number[] = [];
  let next: string | undefined = `${github.origin}${issues}?per_page=3`;
  while (next) {
    const response: Response = await fetch(next);
    for (const { number } of await response.json() as Issue[]) numbers.push(number);
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  }
  assertEquals(numbers, Array.from({ length: 13 }, (_, index) => 13 - index));
  assertEquals(github.requests.length, 5);
});

Deno.test("RecordedServer finds a page by the path that GitHub also answers, when it is told", async () => {
  const aliases = { "/repos/octokit-fixture-org/paginate-issues": "/repositories/1000" };
  await using github = startRecordedServer(["paginate-issues"], { aliases });
  const page: Issue[] = await (await fetch(`${github.origin}${issues}?page=2&per_page=3`)).json();
  assertEquals(page.map(({ number }) => number), [10, 9, 8]);
});

Deno.test("RecordedServer matches by method, path, query in any order and body in any order of members", async () => {
  await using github = startRecordedServer(["labels", "search-issues"]);
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(github.origin + path, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const created = await send("POST", labels, { color: "663399", name: "test-label" });
  assertEquals([created.status, (await created.json()).name], [201, "test-label"]);
  const updated = await send("PATCH", `${labels}/test-label`, { new_name: "test-label-updated", color: "BADA55" });
  assertEquals((await updated.json()).name, "test-label-updated");
  assertEquals((await send("DELETE", `${labels}/test-label-updated`)).status, 204);
  const found = await send("GET", "/search/issues?q=sesame+repo:octokit-fixture-org/search-issues");
  assertEquals((await found.json()).total_count, 2);
  assertEquals(github.requests[0]!.body, { color: "663399", name: "test-label" });
});

Deno.test("RecordedServer gives the answers to equal requests in the order of recording, the last one again", async () => {
  await using github = startRecordedServer(["add-and-remove-repository-collaborator"]);
  const path = "/repos/octokit-fixture-org/add-and-remove-repository-collaborator/collaborators";
  const counts: number[] = [];
  for (let turn = 0; turn < 3; turn++) counts.push((await (await fetch(github.origin + path)).json()).length);
  assertEquals(counts, [2, 1, 1]);
});

Deno.test("RecordedServer follows recorded redirects, and gives bytes as bytes", async () => {
  await using github = startRecordedServer(["get-archive", "rename-repository"]);
  const archive = await fetch(`${github.origin}/repos/octokit-fixture-org/get-archive/tarball/main`);
  const bytes = new Uint8Array(await archive.arrayBuffer());
  assertEquals([archive.redirected, bytes.length, bytes[0], bytes[1]], [true, 176, 0x1f, 0x8b]);
  const renamed = await fetch(`${github.origin}/repos/octokit-fixture-org/rename-repository`);
  assertEquals([renamed.url, (await renamed.json()).name], [
    `${github.origin}/repositories/1000`,
    "rename-repository-newname",
  ]);
});

Deno.test("RecordedServer says what was recorded when something else is asked for, and does not close in silence", async () => {
  const github = startRecordedServer(["labels"]);
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"other"}' };
  const response = await fetch(github.origin + labels, init);
  const { message, recorded } = await response.json();
  assertEquals([response.status, message], [501, `Not recorded: POST ${labels} with this body`]);
  assertEquals(recorded[0], `GET ${labels}`);
  assertEquals(github.requests[0]!.recording, undefined);
  await assertRejects(() => github.close(), Error, `Not recorded: POST ${labels}`);
});

Deno.test("recordedApi answers in process, too, through a FaultFetch", async () => {
  const api = recordedApi(readRecordings("errors"));
  const network = new FaultFetch(api.handler);
  const response = await network.fetch("https://api.github.com/repos/octokit-fixture-org/errors/labels", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "foo", color: "invalid" }),
  });
  assertEquals([response.status, (await response.json()).message], [422, "Validation Failed"]);
  api.assertAllKnown();
});
