import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller, Endpoint } from "@rejoin/data";
import { useLive, useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App } from "./_cinema.tsx";

interface Params {
  page: number;
  filter: { tag: string };
}

Deno.test("13.A9 a component that changes its params after it has read with them has read with what they were", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  using controller = new Controller();
  const asked: string[] = [];
  const getPage = new Endpoint(
    async ({ page, filter }: Params) => {
      await Promise.resolve();
      asked.push(`${page}${filter.tag}`);
      return `page ${page}${filter.tag}`;
    },
    { name: "getPage", pollFrequency: 10_000 },
  );
  // One object for all: as a loop over pages, or a form's state, has it.
  const params: Params = { page: 0, filter: { tag: "a" } };
  function Page({ page }: { readonly page: number }) {
    params.page = page;
    const text = useSuspense(getPage, params);
    params.page = 99;
    return <p>{text}</p>;
  }
  function Live() {
    params.page = 5;
    params.filter.tag = "a";
    const text = useLive(getPage, params);
    params.filter.tag = "z";
    return <p>{text}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Page page={1} />
      <Page page={2} />
      <Live />
    </App>,
  );
  await settled();
  assertEquals(app.text, "page 1apage 2apage 5a");
  assertEquals(asked.sort(), ["1a", "2a", "5a"]);
  for (const page of [1, 2]) {
    assertEquals(controller.getResponse(getPage, { page, filter: { tag: "a" } }).data, `page ${page}a`);
  }
  assertEquals(controller.getResponse(getPage, { page: 99, filter: { tag: "a" } }).data, undefined);
  asked.length = 0;
  // What polls asks for what was read, too.
  await clock.tickAsync(10_000);
  await settled();
  assertEquals(asked, ["5a"]);
});
