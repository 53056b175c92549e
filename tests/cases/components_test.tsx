/**
 * Cases 7, 17 and 22: what a component does wrongly is said. The inputs of the reports are in tests/ssr/ and
 * tests/preact/hooks_more_test.tsx.
 */
import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useCache, useDLE, useFetch, useSuspense } from "@rejoin/data/preact";
import { renderPage } from "@rejoin/data/ssr";
import type { ComponentChildren } from "preact";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
let asked = 0;
const get = new Endpoint(
  ({ id }: { id: string; at?: unknown }) => Promise.resolve(++asked && { id, title: `Film ${id}` }),
  {
    name: "get",
    schema: Film,
    key: (args) => JSON.stringify(args),
  },
);
const shell = (children: ComponentChildren, controller = new Controller()) => (
  <DataProvider controller={controller}>
    <AsyncBoundary fallback="…" errorComponent={({ error }) => <>{error.message}</>}>{children}</AsyncBoundary>
  </DataProvider>
);

for (
  const [what, Broken] of [
    ["an effectless component that throws text", () => {
      throw "secret text";
    }],
    ["data that is read too far", () => <b>{(useSuspense(get, { id: "1" }) as any).author.name}</b>],
    ["a list of what is none", () => <b>{(useSuspense(get, { id: "1" }) as any).title.map(String)}</b>],
  ] as [string, () => never][]
) {
  Deno.test(`case 7: ${what}, on a server: status 500, in errors, and none of our words on the page`, async () => {
    const page = await renderPage((controller) => (
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="Wait">
          <Broken />
        </AsyncBoundary>
      </DataProvider>
    ));
    assertEquals([page.status, page.errors.length, page.html], [500, 1, "Wait"]);
  });
}
for (
  const [what, Page] of [
    ["useSuspense", () => <>{useSuspense(get, { id: "1", at: Math.random() }).title}</>],
    ["useDLE", () => <>{useDLE(get, { id: "1", at: { now: performance.now() } }).data?.title}</>],
  ] as const
) {
  Deno.test(`case 17: ${what} with arguments that are new at each rendering asks a few times, and is an error`, async () => {
    asked = 0;
    await using app = mount(shell(<Page />));
    for (let turn = 0; turn < 8; turn++) await settled();
    assertMatch(app.text, /asks for "get" without end/);
    assertEquals(asked <= 4, true, `${asked} requests`);
  });
}
Deno.test("case 17: arguments that are made anew and are equal are the same call", async () => {
  asked = 0;
  const controller = new Controller();
  const Page = () => <>{useSuspense(get, { id: "2", at: [{ deep: new Date(0) }] }).title}</>;
  await using app = mount(shell(<Page />, controller));
  for (let turn = 0; turn < 5; turn++) {
    await settled();
    app.render(shell(<Page />, controller));
  }
  assertEquals([app.text, asked], ["Film 2", 1]);
});
for (
  const [name, Page] of [
    ["useCache", () => <>{useCache(get, { id: "1" })?.title}</>],
    ["useFetch", () => <>{useFetch(get, { id: "1" }) && "asked"}</>],
    ["useDLE", () => <>{useDLE(get, { id: "1" }).data?.title}</>],
  ] as const
) {
  Deno.test(`case 22: ${name} without a provider says what to write`, async () => {
    await assertRejects(async () => await mount(<Page />), Error, "write <DataProvider> around the app");
  });
}
