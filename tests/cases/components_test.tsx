/**
 * Cases 7, 17, 22 and 25: mistakes of a component are reported, and it makes only the right requests. The inputs of the
 * reports are in tests/ssr/, tests/preact/hooks_more_test.tsx and docs/guides/routers.md.
 */
import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import * as hooks from "@rejoin/data/preact";
import { renderPage } from "@rejoin/data/ssr";
import type { ComponentChildren } from "preact";

const { AsyncBoundary, DataProvider, useCache, useDLE, useFetch, useSuspense } = hooks;
class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
let asked = 0;
const get = new Endpoint(
  ({ id }: { id: string; at?: unknown }) => Promise.resolve(++asked && { id, title: `Film ${id}` }),
  { name: "get", schema: Film, key: (args) => JSON.stringify(args) },
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
    [
      "a signal that is computed of them",
      () => <b>{hooks.useSignalOf(get, [{ id: "1" }], (film: any) => film.author.name)}</b>,
    ],
    ["a signal for an attribute", () => <b title={hooks.useSignalOf(get, [null], (film: any) => film.x)} />],
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
const list = new Endpoint(() => Promise.resolve([film]), { name: "list", schema: [Film] }),
  film = { id: "1", title: "" };
const pages = { next: () => undefined };
for (
  const [name, Page, says] of [
    ["useCache", () => <>{useCache(get, { id: "1" })?.title}</>, "<DataProvider>"],
    ["useFetch", () => <>{useFetch(get, { id: "1" }) && "asked"}</>, "<DataProvider>"],
    ["useDLE", () => <>{useDLE(get, { id: "1" }).data?.title}</>, "<DataProvider>"],
    ["useLive", () => <>{hooks.useLive(get, { id: "1" }).title}</>, "<AsyncBoundary fallback={…}>"],
    ["a list", () => <>{useSuspense(list).length}</>, "<AsyncBoundary fallback={…}>"],
    ["pages", () => <>{hooks.useSuspenseInfinite(list, [], pages).items.length}</>, "<AsyncBoundary fallback={…}>"],
  ] as const
) {
  Deno.test(`case 22: ${name} without ${says} says what to write`, async () => {
    const page = says === "<DataProvider>" ? <Page /> : (
      <DataProvider>
        <Page />
      </DataProvider>
    );
    await assertRejects(async () => await mount(page), Error, `write ${says} around`);
  });
}

const numbers = [1, 2, 3].map((at) => `${at}`);
for (
  const [what, ask, asked] of [
    ["useSuspense", () => {}, 1],
    ["useDLE", () => numbers.map((id) => hooks.useDLE(get, { id })), 3],
    ["useFetch lines before", () => numbers.map((id) => useFetch(get, { id })), 3],
    ["components beside each other", undefined, 3],
  ] as const
) {
  Deno.test(`case 25: three reads by ${what}: ${asked} at a time`, async () => {
    const controller = new Controller(), Title = ({ id }: { id: string }) => <b>{useSuspense(get, { id }).title}</b>;
    const Page = () => {
      ask?.();
      return ask
        ? <>{numbers.map((id) => useSuspense(get, { id }).title).join()}</>
        : <>{numbers.map((id) => <Title key={id} id={id} />)}</>;
    };
    await using app = mount(shell(<Page />, controller));
    const first = controller.flights.size;
    for (let turn = 0; turn < 4; turn++) await settled();
    assertEquals([first, app.text.replaceAll(",", "")], [asked, "Film 1Film 2Film 3"]);
  });
}
for (
  const [page, ...says] of [
    [
      "guides/apis",
      "## An envelope",
      "`_id`, and snake_case",
      "## Replies that say less",
      "Django",
      "Laravel",
      "Rails",
    ],
    ["guides/pages", "page numbers|page: "],
    ["guides/routers", "waterfall", "useFetch"],
    ["guides/optimistic", "isTemporary\\(todo\\)"],
    ["guides/forms", "422"],
    ["reference/parts", "persist a store"],
    ["reference/hooks", "preact/debug"],
    ["reference/errors", "several JSON values|604"],
  ]
) {
  Deno.test(`case 25: docs/${page}.md says what was missed: ${says.join(", ")}`, async () => {
    const text = await Deno.readTextFile(new URL(`../../docs/${page}.md`, import.meta.url));
    for (const one of says) assertMatch(text, new RegExp(one));
  });
}
