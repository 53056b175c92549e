import { assertEquals } from "@std/assert";
import { renderToString, renderToStringAsync } from "preact-render-to-string";
import { Controller, Endpoint } from "@rejoin/data";
import { AsyncBoundary, ControllerProvider, useDLE, useInfinite, useLive, useSuspense } from "@rejoin/data/preact";

const getName = new Endpoint(({ id }: { id: string }) => Promise.resolve(`Ann ${id}`), {
  name: "getName",
  pollFrequency: 10,
});
const getRows = new Endpoint((_: { page?: number }) => Promise.resolve([1, 2]), { name: "getRows" });
const Name = ({ id }: { id: string }) => <p>{useSuspense(getName, { id })}</p>;
const Live = () => <b>{useLive(getName, { id: "3" })}</b>;
const Rows = () => <i>{useInfinite(getRows, [{}], { next: () => null }).items.join() || "none"}</i>;
const State = () => <u>{useDLE(getName, { id: "4" }).loading ? "loading" : "there"}</u>;

Deno.test("preact-render-to-string waits for what useSuspense throws; a boundary adds nothing to the page", async () => {
  const controller = new Controller();
  const app = (
    <ControllerProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Name id="1" />
        <AsyncBoundary fallback="…">
          <Name id="2" />
          <Live />
        </AsyncBoundary>
      </AsyncBoundary>
      <Rows />
      <State />
    </ControllerProvider>
  );
  const bare = (html: string) => html.replaceAll(/<!--.*?-->/g, "");
  assertEquals(bare(await renderToStringAsync(app)), "<p>Ann 1</p><p>Ann 2</p><b>Ann 3</b><i>none</i><u>loading</u>");
  await controller.allSettled();
  // With all data in the store, nothing suspends.
  await controller.fetch(getRows, {});
  await controller.fetch(getName, { id: "4" });
  assertEquals(bare(renderToString(app)), "<p>Ann 1</p><p>Ann 2</p><b>Ann 3</b><i>1,2</i><u>there</u>");
});
